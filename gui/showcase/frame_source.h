// The moving picture that both sides work on: a window that wanders over a larger image.
#pragma once

#include <stop_token>

#include "engine/base/result.h"
#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope::gui {

class FrameSource {
  public:
    FrameSource() = default;

    // Frames of `size` from the program's own scene, in colour or gray. Errors: Cancelled,
    // OutOfMemory, LimitExceeded.
    static Result<FrameSource> ofScene(Size size, std::stop_token stop, ProgressSink progress = {},
                                       bool color = true);
    // Frames of the size of `image`, which is continued beyond its right and lower edge by its
    // mirror image. Errors as ofScene.
    static Result<FrameSource> ofImage(const Image& image, std::stop_token stop);

    bool isNull() const { return m_stage.isNull(); }
    Size frameSize() const { return m_frame; }
    PixelFormat format() const { return m_stage.format(); }

    // Where the window is at a time: the same for whoever asks.
    Rect at(double seconds) const;
    // at(seconds); one pixel beside it if that is `last`, so that no frame equals the one before.
    Rect next(double seconds, const Rect& last) const;
    // Shares the samples: making a frame costs nothing.
    Image frame(const Rect& rect) const { return m_stage.crop(rect); }

  private:
    FrameSource(Image stage, Size frame) : m_stage(std::move(stage)), m_frame(frame) {}

    Image m_stage;
    Size m_frame;
};

}  // namespace warpscope::gui
