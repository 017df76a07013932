#include "engine/operations/smoothing/guided_filter_strips.h"

#include <algorithm>

#include "engine/operations/smoothing/guided_filter_rows.h"

namespace warpscope {
namespace {

// Columns of a strip: at most, unless windows are large, which reach beyond it twice; at least.
constexpr int kMostColumns = 384;
constexpr int kLeastColumns = 64;
constexpr int kLeastRows = 16;

constexpr int parts(int whole, int part) {
    return (whole + part - 1) / part;
}

GuidedCut cutInto(Size size, int across, int down) {
    GuidedCut cut;
    cut.columns = parts(parts(size.width, across), kGuidedColumns) * kGuidedColumns;
    cut.rows = parts(size.height, down);
    cut.across = parts(size.width, cut.columns);
    cut.down = parts(size.height, cut.rows);
    return cut;
}

// Of a strip, in pixels. Sums of the image are made of 2 radii to the left and right of it, and of
// 4 above and below together, those of a and b of none and of 2: beside it that is about 1 radius,
// above and below 2.4. The rest is what rows and blocks cost whatever their size.
double costOf(const GuidedCut& cut, int radius) {
    return (cut.columns + radius + 16.0) * (cut.rows + 2.4 * radius + 8.0);
}

}  // namespace

GuidedCut guidedCut(Size size, int radius, int threads) {
    const int across = parts(size.width, std::max(kMostColumns, 4 * radius));
    GuidedCut best = cutInto(size, across, 1);
    if (threads == 1) return best;
    // Each has as many strips to do, and half of one more: some thread begins or ends late.
    const auto timeOf = [&](const GuidedCut& cut) {
        return (parts(cut.strips(), threads) + 0.5) * costOf(cut, radius);
    };
    double least = timeOf(best);
    const int most = 8 * threads;
    const int mostAcross = std::max(across, std::min(most, size.width / kLeastColumns));
    for (int i = across; i <= mostAcross; ++i) {
        const int mostDown = std::clamp(size.height / kLeastRows, 1, std::max(1, most / i));
        for (int k = 1; k <= mostDown; ++k) {
            const GuidedCut cut = cutInto(size, i, k);
            const double time = timeOf(cut);
            if (time >= least) continue;
            least = time;
            best = cut;
        }
    }
    return best;
}

double guidedNanoseconds(PixelFormat format, int radius) {
    const bool wide = bytesPerSample(format) > 1;
    if (isColor(format)) return (10.5 + 0.66 * radius) * (wide ? 1.6 : 1);
    return (3.6 + 0.14 * radius) * (wide ? 1.25 : 1);
}

}  // namespace warpscope
