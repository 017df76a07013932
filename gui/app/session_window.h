// A session taken from the window, and put into it.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <optional>

#include "gui/session/session_json.h"

class QAction;

namespace warpscope::gui {

class CompareController;
class Document;
class EngineBridge;
class FileController;
class HistogramPanel;
class InspectorPanel;
class OpenImages;
class ScopesPanel;
class TestStrip;

// All outlive what is made of them.
struct SessionParts {
    Document& document;
    EngineBridge& bridge;
    Canvas& canvas;
    FileController& files;
    OpenImages& open;
    CompareController& compare;
    DisplaySettings& display;
    InspectorPanel& inspector;
    HistogramPanel& histogram;
    ScopesPanel& scopes;
    TestStrip& strip;
    QAction& profileShown;
};

Session sessionOf(const SessionParts& parts);

// Puts sessions into the window: images come when they are read, what belongs to them then.
class SessionOpener : public QObject {
    Q_OBJECT
  public:
    explicit SessionOpener(const SessionParts& parts);

    // Takes the place of one that is being opened. `done` is called when the image is there, or
    // there is none; never where the person opens another one meanwhile.
    void open(const Session& session, const QString& undoText, std::function<void()> done);
    bool busy() const { return m_pending.has_value(); }

  private:
    void finish(bool withImage);
    void onImageOpened();
    void onOpenFailed(const QString& path);
    void onOpeningChanged();

    SessionParts m_parts;
    std::optional<Session> m_pending;
    std::function<void()> m_done;
};

}  // namespace warpscope::gui
