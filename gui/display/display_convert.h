// Samples of any format as 8-bit ones for the screen: over a chosen range, as a difference of two
// images, or with a range of values picked out. Everything runs on the calling thread: the pool may
// be busy with the worker's steps, which drawing must not wait for.
#pragma once

#include <memory>
#include <optional>

#include "engine/image/convert.h"
#include "engine/image/histogram.h"
#include "engine/io/screen_transform.h"
#include "gui/display/view_look.h"

namespace warpscope::gui {

enum class DifferenceKind { Absolute, Signed };

struct DifferenceStyle {
    DifferenceKind kind = DifferenceKind::Absolute;
    int gain = 1;  // 1 to mostGain()

    friend bool operator==(const DifferenceStyle&, const DifferenceStyle&) = default;
};

// How far a difference can be amplified so that the smallest one shows: a level of 8 bits 256
// times, of 16 bits 65,536 times; float and sums as fine as a float is to its range.
int mostGain(PixelFormat format);

// Pixels whose value in one of `channels` lies between `low` and `high`, both included, in samples
// of that image. Gray images have luma only.
struct ValueHighlight {
    double low = 0;
    double high = 0;
    ChannelSet channels = ChannelSet::only(HistogramChannel::Luma);

    friend bool operator==(const ValueHighlight&, const ValueHighlight&) = default;
};

// How the samples of one image are shown.
struct DisplayLook {
    std::optional<DisplayRange> range;  // samples for black and white; empty: naturalRange
    bool logarithmic = false;
    DifferenceStyle difference;  // where two images are compared
    std::optional<ValueHighlight> highlight;
    ViewLook view;
    // From the colours of the image to those of the screen; null where they are shown as stored.
    std::shared_ptr<const ScreenTransform> profile;
};
bool operator==(const DisplayLook& a, const DisplayLook& b);

// What stands for samples that are no finite numbers; and, in a difference, for pixels of which
// just one side has such a sample, or both have different ones.
inline constexpr ScreenColor kNaNColor{255, 0, 255};
inline constexpr ScreenColor kInfColor{255, 140, 0};
inline constexpr ScreenColor kMinusInfColor{0, 150, 255};
inline constexpr ScreenColor kHighlightColor{255, 214, 0};

// Position of a value between black (0) and white (1) on the logarithmic scale:
// log(1 + 255 t) / log(256), so that the first 1/255 of the range takes an eighth of the greys.
double logarithmicTone(double t);

// The sample value whose level on the screen is that share (0 to 1) of white.
double valueAtLevel(double level, const Image& image, DisplayRange range, const DisplayLook& look);

// Samples are numbers of things and no levels: each has a colour of its own, a copy must not mix
// neighbours.
bool areLabels(PixelFormat format, const ViewLook& view);

// Gray8 or Rgba8. Linear integers of a natural look are as toEightBit makes them (8 bits over their
// full range come back shared). All else: t = (sample - low) / (high - low) * 2 ^ stops, rounded to
// 1 / 65,535 for float and sums where it goes through a curve, which is logarithmicTone where that
// is on, then the power of 1 / gamma. Labels have colours by number, without range or tone. Alpha
// alone goes from 0 to the white level. Floats that are not finite have the colours above: a gray
// image with such samples becomes Rgba8. Errors: OutOfMemory.
Result<Image> toScreen(const Image& image, DisplayRange range, bool logarithmic,
                       const ViewLook& view = {});

// The same over `range`, with all of the look that is of single pixels: its profile, too, whose
// result is Rgba8 without a profile of its own.
Result<Image> toScreen(const Image& image, DisplayRange range, const DisplayLook& look);

// A copy of `screen` as Rgba8 in which pixels with a sample at or below black (`range.low`), or at
// or above white, are striped. Pixel (x, y) of `screen` stands for stride x stride samples from
// ((originX + x) * stride, ...) of `samples`: one of them is enough. Of the channel that is shown.
Result<Image> zebraScreen(const Image& screen, const Image& samples, int originX, int originY,
                          int stride, DisplayRange range, ViewChannel channel);
inline constexpr ScreenColor kOverColors[] = {{255, 0, 64}, {120, 0, 30}};
inline constexpr ScreenColor kUnderColors[] = {{0, 110, 255}, {0, 50, 120}};

// a - b, sample by sample, of images of one format and size. `unit` is the sample range that counts
// as 255 levels. Absolute: levels times gain, black where nothing differs. Signed: 128 + levels
// times gain / 2. Alpha counts where the image has one: it is added to all colours (absolute).
// Opaque.
Result<Image> differenceToScreen(const Image& a, const Image& b, DisplayRange unit,
                                 const DifferenceStyle& style);

// A copy of `screen` as Rgba8 in which pixels outside the highlight are dimmed and those inside
// have the highlight's colour mixed in. Pixel (x, y) of `screen` stands for sample
// (originX + x) * stride, (originY + y) * stride of `samples`, as far as there is one.
Result<Image> highlightedScreen(const Image& screen, const Image& samples, int originX, int originY,
                                int stride, const ValueHighlight& highlight);

// Every `stride`-th sample of `image` from the rectangle `rect` of the image so reduced.
Result<Image> strided(const Image& image, const Rect& rect, int stride);

}  // namespace warpscope::gui
