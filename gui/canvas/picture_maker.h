// Draws a canvas's pictures on a thread of its own: converting samples, scaling and marking a
// screenful takes longer than a frame may keep the window.
#pragma once

#include <QObject>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/mailbox.h"
#include "gui/canvas/side_renderer.h"

namespace warpscope::gui {

class PictureMaker : public QObject {
    Q_OBJECT
  public:
    struct Wanted {
        int slot = 0;  // comes back with the picture
        SideRenderer::Drawing draw;
    };
    struct Picture {
        int slot = 0;
        PicturePtr picture;  // null: there was no memory for it
    };
    struct Made {
        std::uint64_t number = 0;  // that make() gave
        std::vector<Picture> pictures;
    };

    explicit PictureMaker(QObject* parent = nullptr);
    // What was begun is finished and reported; what still waits is not drawn at all.
    std::uint64_t make(std::vector<Wanted> wanted);

  signals:
    void made(const warpscope::gui::PictureMaker::Made& pictures);

  private:
    Q_INVOKABLE void drain();

    struct Job {
        std::uint64_t number = 0;
        std::vector<Wanted> wanted;
    };

    std::uint64_t m_number = 0;  // window's thread only
    Mailbox<Job> m_waiting{{}, Mailbox<Job>::always};
    Mailbox<Made> m_made;
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
