// Opens the demo over the window and hands everything back afterwards.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSize>
#include <QString>

#include "gui/showcase/match_runner.h"

class QWidget;

namespace warpscope::gui {

class DisplaySettings;
class Document;
class EngineBridge;
class ShowcaseWindow;

class Showcase : public QObject {
    Q_OBJECT
  public:
    // Everything is borrowed. `factory` is called once for each demo: backends are for one thread.
    Showcase(QWidget& window, Document& document, EngineBridge& bridge,
             const DisplaySettings& display, MatchRunner::BackendFactory factory);
    ~Showcase() override;

    // Full screen, or a window of `size`. The window behind computes nothing until the demo is
    // left. `start`: see showcaseStart; an id that does not exist is said and nothing opens. While
    // an image is being opened the demo waits for it.
    void open(const QString& start = {}, QSize size = {});
    // False when open() waits or there is none.
    ShowcaseWindow* shown() const { return m_shown; }
    bool waiting() const { return m_waiting; }
    void leave();

  signals:
    void refused(const QString& why);
    void opened();
    void left();

  private:
    void openNow(const QString& start, QSize size);

    QWidget& m_window;
    Document& m_document;
    EngineBridge& m_bridge;
    const DisplaySettings& m_display;
    const MatchRunner::BackendFactory m_factory;
    ShowcaseWindow* m_shown = nullptr;
    bool m_waiting = false;
    bool m_wasPaused = false;
    bool m_wasBusy = false;
};

}  // namespace warpscope::gui
