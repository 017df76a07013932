// What each operation would make of a small part of the image as a step added now, by the engine
// and in the background: for the list of operations. The part is where the region, or what is seen
// without one, has most contrast and colour, behind the steps that come before, pixel for pixel:
// reduced, most steps would show nothing. What is smaller than the room is enlarged. Values are
// those that a new step begins with, or those of the operation's example, where these change
// nothing.
#pragma once

#include <QImage>
#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gui/base/chain_renderer.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {

class Document;
class EngineBridge;

class OperationPreviews : public QObject {
    Q_OBJECT
  public:
    // `seen`: what of the source the person has on the screen.
    OperationPreviews(Document& document, EngineBridge& bridge, const DisplaySettings& display,
                      std::function<Rect()> seen, QObject* parent);
    ~OperationPreviews() override;

    // From now on, and anew whenever image, region or steps change, until end(); then nothing is
    // computed any more. `room`: device pixels of each picture.
    void begin(QSize room);
    void end();
    // There is an image, and nobody measures.
    bool possible() const;
    bool active() const { return m_active; }
    const Rect& part() const { return m_part; }  // of the source

    struct Preview {
        Image picture;    // null: see the others; all empty: it could not be seen there
        QString problem;  // why such a step cannot be computed
        bool gaveUp = false;
        bool labels = false;  // the picture is of numbers of objects
    };
    // Null: it is not there yet, or not computed at all. An empty id: as it is now.
    const Preview* of(const std::string& operation) const;
    // As the canvas would show it, in that room; null without a picture.
    QImage drawn(const Preview& preview) const;

  signals:
    void begun();                                // those that were there are gone
    void arrived(const std::string& operation);  // empty: as it is now
    void lookChanged();                          // drawn() gives others

  private:
    Q_INVOKABLE void drain();
    void compute();
    ChainJob jobOf() const;  // without cells
    void sourceGone();
    Rect partOf(const Rect& seen) const;

    Document& m_document;
    EngineBridge& m_bridge;
    const DisplaySettings& m_display;
    std::function<Rect()> m_seen;
    bool m_active = false;
    QSize m_room;
    Rect m_part;
    std::uint64_t m_revision = 0;
    std::vector<std::string> m_operations;  // in the order of the cells; the first one is empty
    std::vector<bool> m_labels;             // of each: its chain gives numbers of objects
    std::map<std::string, Preview> m_previews;
    Mailbox<ChainPicture> m_pictures;
    std::unique_ptr<ChainRenderer> m_renderer;  // made when it is needed
};

}  // namespace warpscope::gui
