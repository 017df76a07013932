// The published ways to an integral image, from their descriptions, right at any size. One thread
// of the text is one trip of a loop here; a launch is a call of forEachRowBand.
#include <algorithm>
#include <vector>

#include "engine/operations/analysis/integral_image.h"
#include "engine/operations/cpu_work.h"
#include "engine/operations/tone/grayscale.h"

namespace warpscope {
namespace {

// Lines that one band takes at least, and pixels: enough to be worth handing over.
constexpr int kLines = 64;
constexpr std::int64_t kPixels = 1 << 14;

// Several launches after each other, progress counted over all of them.
class Launches {
  public:
    Launches(const CpuContext& context, Size size, int count)
        : m_context(context), m_pixels(size.pixels()), m_count(count) {}

    Result<void> operator()(int lines, const RowBody& body) {
        CpuContext quiet = m_context;
        if (m_context.progress)
            quiet.progress = [&](double part) { m_context.progress((m_before + part) / m_count); };
        const int band = int(std::max<std::int64_t>(kLines, lines * kPixels / m_pixels));
        auto done = forEachRowBand(quiet, lines, band, body);
        m_before += 1;
        if (done && m_context.stopRequested() && m_before < m_count) return cancelled();
        return done;
    }

  private:
    const CpuContext& m_context;
    std::int64_t m_pixels;
    int m_count;
    double m_before = 0;
};

template <class T>
const T* grayRow(const View<const T>& source, int y, std::vector<T>& room) {
    if (source.channels == 1) return source.row(y);
    room.resize(std::size_t(source.width));
    lumaRow(source.row(y), room.data(), source.width);
    return room.data();
}

template <class T, class S>
Result<void> rowsThenColumns(const View<const T>& source, const View<S>& target,
                             const CpuContext& context) {
    Launches launch(context, {source.width, source.height}, 2);
    auto done = launch(source.height, [&](int first, int last) {
        std::vector<T> room;
        for (int y = first; y < last; ++y) {
            const T* in = grayRow(source, y, room);
            S* out = target.row(y);
            S sum = 0;
            for (int x = 0; x < source.width; ++x) out[x] = sum += in[x];
        }
    });
    if (!done) return done;
    return launch(source.width, [&](int first, int last) {
        for (int y = 1; y < source.height && !(y % 64 == 0 && context.stopRequested()); ++y) {
            const S* above = target.row(y - 1);
            S* out = target.row(y);
            for (int x = first; x < last; ++x) out[x] += above[x];
        }
    });
}

// What the steps leave for each other. Blocks at the right and lower border may be smaller.
template <class S>
struct BlockEdges {
    BlockEdges(int width, int height)
        : across((width + 3) / 4),
          down((height + 3) / 4),
          right(std::size_t(across) * std::size_t(height)),
          lower(std::size_t(width) * std::size_t(down)),
          corner(std::size_t(across) * std::size_t(down)) {}

    S& rightOf(int block, int y) {
        return right[std::size_t(y) * std::size_t(across) + std::size_t(block)];
    }
    S& cornerOf(int bx, int by) {
        return corner[std::size_t(by) * std::size_t(across) + std::size_t(bx)];
    }

    int across, down;
    std::vector<S> right;   // a value for each block and row
    std::vector<S> lower;   // a value for each column and row of blocks
    std::vector<S> corner;  // a value for each block
};

template <class T, class S>
Result<void> blocked(const View<const T>& source, const View<S>& target,
                     const CpuContext& context) {
    const int width = source.width, height = source.height;
    BlockEdges<S> edges(width, height);
    Launches launch(context, {width, height}, 6);

    // 1: prefix sums of four within each row.
    auto done = launch(height, [&](int first, int last) {
        std::vector<T> room;
        for (int y = first; y < last; ++y) {
            const T* in = grayRow(source, y, room);
            S* out = target.row(y);
            for (int x = 0; x < width; ++x) out[x] = x % 4 == 0 ? S(in[x]) : S(out[x - 1] + in[x]);
        }
    });
    if (!done) return done;

    // 2: prefix sums of four down each column; every block is an integral image of its own now.
    // Its edges are noted.
    done = launch(edges.down, [&](int first, int last) {
        for (int by = first; by < last; ++by) {
            const int end = std::min(height, 4 * by + 4);
            for (int y = 4 * by; y < end; ++y) {
                S* out = target.row(y);
                if (y > 4 * by)
                    for (int x = 0; x < width; ++x) out[x] += target.row(y - 1)[x];
                for (int b = 0; b < edges.across; ++b)
                    edges.rightOf(b, y) = out[std::min(width, 4 * b + 4) - 1];
            }
            const S* bottom = target.row(end - 1);
            std::copy_n(bottom, width, edges.lower.data() + std::size_t(by) * std::size_t(width));
            for (int b = 0; b < edges.across; ++b)
                edges.cornerOf(b, by) = bottom[std::min(width, 4 * b + 4) - 1];
        }
    });
    if (!done) return done;

    // 3: right edges summed along each row: what lies to the left of a block, in its own rows.
    done = launch(height, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            S sum = 0;
            for (int b = 0; b < edges.across; ++b) {
                const S own = edges.rightOf(b, y);
                edges.rightOf(b, y) = sum;
                sum += own;
            }
        }
    });
    if (!done) return done;

    // 4: lower edges summed down each column: what lies above a block, in its own columns.
    done = launch(width, [&](int first, int last) {
        std::vector<S> sums(std::size_t(last - first));
        for (int by = 0; by < edges.down && !(by % 64 == 0 && context.stopRequested()); ++by) {
            S* line = edges.lower.data() + std::size_t(by) * std::size_t(width);
            for (int x = first; x < last; ++x) {
                const S own = line[x];
                line[x] = sums[std::size_t(x - first)];
                sums[std::size_t(x - first)] += own;
            }
        }
    });
    if (!done) return done;

    // 5: corners summed both ways: what lies above and to the left of a block. First along rows
    // of blocks, each for itself; then down their columns.
    done = launch(1, [&](int, int) {
        for (int by = 0; by < edges.down; ++by) {
            S sum = 0;
            for (int b = 0; b < edges.across; ++b) {
                const S own = edges.cornerOf(b, by);
                edges.cornerOf(b, by) = sum;
                sum += own;
            }
        }
        for (int b = 0; b < edges.across; b += kLines) {
            const int end = std::min(edges.across, b + kLines);
            S sums[kLines] = {};
            for (int by = 0; by < edges.down; ++by)
                for (int i = b; i < end; ++i) {
                    const S own = edges.cornerOf(i, by);
                    edges.cornerOf(i, by) = sums[i - b];
                    sums[i - b] += own;
                }
        }
    });
    if (!done) return done;

    // 6: all four parts together.
    return launch(height, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            S* out = target.row(y);
            const S* above = edges.lower.data() + std::size_t(y / 4) * std::size_t(width);
            for (int x = 0; x < width; ++x)
                out[x] += above[x] + edges.rightOf(x / 4, y) + edges.cornerOf(x / 4, y / 4);
        }
    });
}

}  // namespace

Result<void> runIntegralImagePublished(const IntegralImagePlan& plan, const Image& in,
                                       const MutableImage& out, const CpuContext& context) {
    const CpuContext chosen = forWork(context, plan.size, 2.0);
    const auto run = [&](const auto& source, const auto& sums) {
        return plan.variant == "rows_then_columns" ? rowsThenColumns(source, sums, chosen)
                                                   : blocked(source, sums, chosen);
    };
    const auto withSource = [&](const auto& source) {
        return plan.output == PixelFormat::Gray64 ? run(source, out.view<std::uint64_t>())
                                                  : run(source, out.view<std::uint32_t>());
    };
    return bytesPerSample(plan.input) == 2 ? withSource(in.view<std::uint16_t>())
                                           : withSource(in.view<std::uint8_t>());
}

}  // namespace warpscope
