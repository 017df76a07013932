// Pictures of one side for a pane: what they are of, and the memory that they are drawn into.
#pragma once

#include <QFont>
#include <QImage>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gui/canvas/pane_view.h"
#include "gui/display/display_convert.h"

namespace warpscope::gui {

struct FrameStyle {
    QRgb background = 0;
    QRgb checkerLight = 0;
    QRgb checkerDark = 0;
    QFont figures;
    double dpr = 1.0;
    // Edges and values of enlarged pixels.
    bool marks = true;

    friend bool operator==(const FrameStyle&, const FrameStyle&) = default;
};

// What there is to draw. Never changed once it is there: another thread may be drawing it.
struct PictureContent {
    std::uint64_t number = 0;  // no two have the same, and later ones have larger ones
    PyramidPtr pyramid;
    PyramidPtr compared;  // what is subtracted from it
    DisplayLook look;
    std::optional<DraftReady> draft;
    PyramidPtr draftPicture;   // the draft's alone
    PyramidPtr draftCompared;  // and what is subtracted from that
};
using PictureContentPtr = std::shared_ptr<const PictureContent>;

// What a picture is of. Two that are the same show the same.
struct PictureKey {
    std::uint64_t content = 0;
    LaidOver view;
    FrameStyle style;

    bool isSame(const PictureKey& other) const {
        return content == other.content && view.isSame(other.view) && style == other.style;
    }
};

struct SidePicture {
    PictureKey key;
    std::shared_ptr<const QImage> image;  // as large as the pane of key.view.shown, in RGB32
};
using PicturePtr = std::shared_ptr<const SidePicture>;

// Images of one size that are used again: fresh memory for each would cost page faults. Those that
// are given out outlive it, and may go on any thread.
class PicturePool {
  public:
    // Not initialized; null where there is no memory.
    std::shared_ptr<QImage> take(QSize size);

  private:
    struct Kept {
        std::mutex mutex;
        QSize size;                                   // guarded by mutex
        std::vector<std::unique_ptr<QImage>> images;  // guarded by mutex
    };
    std::shared_ptr<Kept> m_kept = std::make_shared<Kept>();
};

}  // namespace warpscope::gui
