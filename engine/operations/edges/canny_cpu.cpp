// Candidates first, band by band: edges are followed as soon as all of a band are known, within the
// band. What touches the band above or below is left in a box for it. Then bands empty the boxes of
// their neighbours, again and again until all are empty: what is reached does not depend on the
// order, so that the result is the same whatever the bands and the threads.
#include "engine/operations/edges/canny.h"

#include <atomic>
#include <limits>
#include <vector>

#include "engine/operations/edges/canny_rows.h"
#include "engine/operations/edges/padded_rows.h"

namespace warpscope {
namespace {

struct EdgePixel {
    int x = 0;
    int y = 0;
};
using EdgePixels = std::vector<EdgePixel>;

// For the bands above and below: their pixels that touch white ones of this band.
struct EdgeBoxes {
    EdgePixels above, below;
};

template <class T>
class CannyWork {
  public:
    using Lane = std::conditional_t<sizeof(T) == 1, std::int16_t, std::int32_t>;
    static constexpr T kWhite = std::numeric_limits<T>::max();

    CannyWork(const CannyPlan& plan, const Image& in, const MutableImage& out, int bandRows)
        : m_plan(plan),
          m_source(in.view<T>()),
          m_target(out.view<T>()),
          m_bandRows(bandRows),
          m_sent(std::size_t((m_source.height + bandRows - 1) / bandRows)),
          m_received(m_sent.size()) {}

    int bands() const { return int(m_sent.size()); }

    void findCandidates(int first, int last, const CpuContext& context) {
        PaddedRows<T> luma(m_source, RowsOf::Luma, 1, 1);
        Ring ring(m_source.width);
        std::vector<int> columns(std::size_t(m_source.width));
        EdgePixels white;
        // Rows beyond the image have no magnitude.
        const auto enter = [&](int y) {
            const auto row = ring.row(y);
            if (y < 0 || y >= m_source.height) {
                std::fill_n(row.magnitude - 1, m_source.width + 2, Lane(0));
                return;
            }
            const T* above = luma.row(y - 1);
            const T* here = luma.row(y);
            cannyGradients(above, here, luma.row(y + 1), m_source.width, row);
        };
        enter(first - 1);
        enter(first);
        for (int y = first; y < last; ++y) {
            if (context.stopRequested()) return;
            enter(y + 1);
            const int found = cannyCandidates(ring.row(y - 1).magnitude, ring.row(y),
                                              ring.row(y + 1).magnitude, m_plan.low, m_plan.high,
                                              m_source.width, m_target.row(y), columns.data());
            for (int i = 0; i < found; ++i) white.push_back({columns[std::size_t(i)], y});
        }
        follow(white, first, last, m_sent[std::size_t(first / m_bandRows)]);
    }

    // Until no box has anything in it.
    Result<void> joinBands(const CpuContext& context) {
        while (true) {
            m_received.swap(m_sent);
            std::atomic<bool> any = false;
            const auto done = forEachRowBand(context, bands(), 1, [&](int band, int) {
                if (emptyBoxesFor(band)) any = true;
            });
            if (!done || !any) return done;
        }
    }

    void keepWhite(int first, int last) {
        for (int y = first; y < last; ++y) cannyKeepWhite(m_target.row(y), m_target.width);
    }

  private:
    // Gradients of the last three rows.
    class Ring {
      public:
        explicit Ring(int width)
            : m_pitch((width + 2 * kCannyRoom + 63) / 64 * 64),
              m_lanes(alignedZeros<Lane>(std::size_t(m_pitch) * 9)) {}
        CannyGradients<Lane> row(int y) const {
            Lane* first = m_lanes.get() + (y + 1) % 3 * 3 * m_pitch + kCannyRoom;
            return {first, first + m_pitch, first + 2 * m_pitch};
        }

      private:
        std::ptrdiff_t m_pitch;
        hwy::AlignedFreeUniquePtr<Lane[]> m_lanes;
    };

    bool emptyBoxesFor(int band) {
        const auto at = std::size_t(band);
        EdgeBoxes& sent = m_sent[at];
        sent.above.clear();
        sent.below.clear();
        EdgePixels reached;
        const auto take = [&](const EdgePixels& box) {
            for (const EdgePixel& pixel : box) reach(pixel.x, pixel.y, reached);
        };
        if (band > 0) take(m_received[at - 1].below);
        if (band + 1 < bands()) take(m_received[at + 1].above);
        const int first = band * m_bandRows;
        follow(reached, first, std::min(first + m_bandRows, m_source.height), sent);
        return !sent.above.empty() || !sent.below.empty();
    }

    void reach(int x, int y, EdgePixels& reached) const {
        T& state = m_target.row(y)[x];
        if (state != T(kWeakEdge)) return;
        state = kWhite;
        reached.push_back({x, y});
    }

    // From white pixels of the rows [first, last), which are used up, to all weak ones that they
    // touch. Other rows belong to other threads.
    void follow(EdgePixels& white, int first, int last, EdgeBoxes& sent) const {
        while (!white.empty()) {
            const EdgePixel pixel = white.back();
            white.pop_back();
            const int left = std::max(pixel.x - 1, 0);
            const int right = std::min(pixel.x + 1, m_source.width - 1);
            for (int y = std::max(pixel.y - 1, 0); y <= std::min(pixel.y + 1, m_source.height - 1);
                 ++y)
                for (int x = left; x <= right; ++x) {
                    if (y < first)
                        sent.above.push_back({x, y});
                    else if (y >= last)
                        sent.below.push_back({x, y});
                    else
                        reach(x, y, white);
                }
        }
    }

    const CannyPlan& m_plan;
    View<const T> m_source;
    View<T> m_target;
    int m_bandRows;
    // By band: what is filled now, and what was filled in the round before.
    std::vector<EdgeBoxes> m_sent, m_received;
};

template <class T>
Result<void> cannyTyped(const CannyPlan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) {
    const CpuContext chosen = forWork(context, plan.size, 0.5 * double(sizeof(T)));
    CpuContext quiet = chosen;
    quiet.progress = nullptr;
    const int height = in.height();
    // Two rows at both ends of a band are looked at twice.
    const int band = rowsPerBand(chosen, height, std::uint64_t(in.pitch()), std::min(height, 64));
    CannyWork<T> work(plan, in, out, band);
    auto done = forEachRowBand(chosen, height, band, [&](int first, int last) {
        work.findCandidates(first, last, chosen);
    });
    if (done) done = work.joinBands(quiet);
    if (!done) return done;
    return forEachRowBand(quiet, height, band,
                          [&](int first, int last) { work.keepWhite(first, last); });
}

}  // namespace

Result<void> runCannyCpu(const CannyPlan& plan, const Image& in, const MutableImage& out,
                         const CpuContext& context) {
    return bytesPerSample(plan.input) == 2 ? cannyTyped<std::uint16_t>(plan, in, out, context)
                                           : cannyTyped<std::uint8_t>(plan, in, out, context);
}

}  // namespace warpscope
