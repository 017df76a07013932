#include "gui/display/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/image/mix_rows.h"

namespace warpscope::gui {
namespace {

// Between two neighbouring samples: weight of the second in 1/256.
struct Tap {
    int sample = 0;
    int next = 0;
    std::uint32_t weight = 0;
};

std::vector<Tap> tapsFor(int first, int count, double offset, double scale, int samples,
                         Filter filter) {
    std::vector<Tap> taps(std::size_t(count), Tap{});
    const double last = samples - 1;
    for (int i = 0; i < count; ++i) {
        const double centre = (first + i + 0.5 - offset) / scale;
        Tap& tap = taps[std::size_t(i)];
        if (filter == Filter::Nearest) {
            tap.sample = tap.next = int(std::clamp(std::floor(centre), 0.0, last));
            continue;
        }
        const double position = std::clamp(centre - 0.5, 0.0, last);
        tap.sample = int(position);
        tap.next = std::min(tap.sample + 1, samples - 1);
        tap.weight = std::uint32_t((position - tap.sample) * 256.0 + 0.5);
    }
    return taps;
}

QRgb opaque(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    return 0xff000000u | (r << 16) | (g << 8) | b;
}

// Of premultiplied colour over an opaque one.
std::uint32_t over(std::uint32_t premultiplied, std::uint32_t below, std::uint32_t alpha) {
    return premultiplied + (below * (255 - alpha) + 127) / 255;
}

QRgb checkerAt(const Checkerboard& board, int x, int y) {
    const int column = (x - board.anchor.x()) / board.square;
    const int row = (y - board.anchor.y()) / board.square;
    return ((column + row) & 1) != 0 ? board.dark : board.light;
}

QRgb blendOver(QRgb below, std::uint32_t r, std::uint32_t g, std::uint32_t b, std::uint32_t a) {
    return opaque(over(r, std::uint32_t(qRed(below)), a), over(g, std::uint32_t(qGreen(below)), a),
                  over(b, std::uint32_t(qBlue(below)), a));
}

struct Job {
    QImage& target;
    QRect area;
    View<const std::uint8_t> samples;
    const Checkerboard* board;
    std::vector<Tap> columns;
    std::vector<Tap> rows;

    QRgb* line(int row) const {
        return reinterpret_cast<QRgb*>(target.scanLine(area.top() + row)) + area.left();
    }
};

void nearestRow(const Job& job, int row, const std::uint8_t* in, QRgb* out) {
    const int width = job.area.width();
    const Tap* taps = job.columns.data();
    if (job.samples.channels == 1) {
        for (int x = 0; x < width; ++x) out[x] = 0xff000000u | in[taps[x].sample] * 0x010101u;
        return;
    }
    for (int x = 0; x < width; ++x) {
        const std::uint8_t* p = in + std::ptrdiff_t(taps[x].sample) * 4;
        out[x] = opaque(p[0], p[1], p[2]);
        if (!job.board || p[3] == 255) continue;
        const std::uint32_t a = p[3];
        const auto premultiplied = [a](std::uint32_t v) { return (v * a + 127) / 255; };
        out[x] = blendOver(checkerAt(*job.board, job.area.left() + x, job.area.top() + row),
                           premultiplied(p[0]), premultiplied(p[1]), premultiplied(p[2]), a);
    }
}

void drawNearest(const Job& job) {
    const std::size_t bytes = std::size_t(job.area.width()) * sizeof(QRgb);
    for (int row = 0; row < job.area.height(); ++row) {
        const int sample = job.rows[std::size_t(row)].sample;
        // Enlarged pixels repeat the row above; a checkerboard does not repeat.
        if (row > 0 && !job.board && sample == job.rows[std::size_t(row) - 1].sample)
            std::memcpy(job.line(row), job.line(row - 1), bytes);
        else
            nearestRow(job, row, job.samples.row(sample), job.line(row));
    }
}

// The four channels of a pixel side by side in 16 bits each, so that one multiplication weighs them
// all. Order: R, B, G, A.
std::uint64_t spread(const std::uint8_t* pixel) {
    std::uint32_t p = 0;
    std::memcpy(&p, pixel, sizeof p);
    return (p | (std::uint64_t(p) << 24)) & 0x00ff00ff00ff00ffull;
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint32_t weight) {
    const std::uint64_t sum = a * (256 - weight) + b * weight + 0x0080008000800080ull;
    return (sum >> 8) & 0x00ff00ff00ff00ffull;
}

// Opaque colour is most of what is drawn: rows are mixed by vector code, columns four channels at a
// time.
void drawSmoothColor(const Job& job) {
    const std::ptrdiff_t first = std::ptrdiff_t(job.columns.front().sample) * 4;
    const std::ptrdiff_t end = std::ptrdiff_t(job.columns.back().next + 1) * 4;
    std::vector<std::uint8_t> between(std::size_t(end - first));
    for (int row = 0; row < job.area.height(); ++row) {
        const Tap& at = job.rows[std::size_t(row)];
        mixRows(job.samples.row(at.sample) + first, job.samples.row(at.next) + first, at.weight,
                between.data(), between.size());
        const std::uint8_t* from = between.data() - first;
        QRgb* out = job.line(row);
        for (int x = 0; x < job.area.width(); ++x) {
            const Tap& tap = job.columns[std::size_t(x)];
            const std::uint64_t v = mixed(spread(from + std::ptrdiff_t(tap.sample) * 4),
                                          spread(from + std::ptrdiff_t(tap.next) * 4), tap.weight);
            out[x] = opaque(std::uint32_t(v & 255), std::uint32_t(v >> 32 & 255),
                            std::uint32_t(v >> 16 & 255));
        }
    }
}

// Gray, and colour over a checkerboard. Rows are mixed first, over whole runs of samples, into 8.8
// fixed point; then columns.
class SmoothRows {
  public:
    explicit SmoothRows(const Job& job) : m_job(job) {
        m_firstSample = job.columns.front().sample;
        const int count = job.columns.back().next - m_firstSample + 1;
        m_mixed.resize(std::size_t(count) * std::size_t(job.samples.channels));
    }

    void draw(int row) {
        mix(m_job.rows[std::size_t(row)]);
        if (m_job.samples.channels == 1)
            gray(m_job.line(row));
        else
            transparent(m_job.line(row), row);
    }

  private:
    void mix(const Tap& tap) {
        const std::size_t skip = std::size_t(m_firstSample) * std::size_t(m_job.samples.channels);
        const std::uint8_t* above = m_job.samples.row(tap.sample) + skip;
        const std::uint8_t* below = m_job.samples.row(tap.next) + skip;
        const std::uint32_t w = tap.weight;
        const std::size_t count = m_mixed.size();
        std::uint16_t* mixed = m_mixed.data();
        if (m_job.board) {
            // Colour under transparency must not shine through its neighbours.
            for (std::size_t i = 0; i < count; i += 4) {
                const std::uint32_t a = above[i + 3] * (256 - w), b = below[i + 3] * w;
                for (std::size_t c = 0; c < 3; ++c)
                    mixed[i + c] = std::uint16_t((above[i + c] * a + below[i + c] * b + 127) / 255);
                mixed[i + 3] = std::uint16_t(a + b);
            }
            return;
        }
        for (std::size_t i = 0; i < count; ++i)
            mixed[i] = std::uint16_t(above[i] * (256 - w) + below[i] * w);
    }

    static std::uint32_t between(std::uint32_t a, std::uint32_t b, std::uint32_t w) {
        return (a * (256 - w) + b * w + 32768) >> 16;
    }

    void gray(QRgb* out) const {
        for (int x = 0; x < m_job.area.width(); ++x) {
            const Tap& tap = m_job.columns[std::size_t(x)];
            const std::uint32_t v =
                between(m_mixed[std::size_t(tap.sample - m_firstSample)],
                        m_mixed[std::size_t(tap.next - m_firstSample)], tap.weight);
            out[x] = 0xff000000u | v * 0x010101u;
        }
    }

    void transparent(QRgb* out, int row) const {
        for (int x = 0; x < m_job.area.width(); ++x) {
            const Tap& tap = m_job.columns[std::size_t(x)];
            const std::uint16_t* a = &m_mixed[std::size_t(tap.sample - m_firstSample) * 4];
            const std::uint16_t* b = &m_mixed[std::size_t(tap.next - m_firstSample) * 4];
            const std::uint32_t w = tap.weight;
            const std::uint32_t alpha = between(a[3], b[3], w);
            const auto channel = [&](int c) { return std::min(between(a[c], b[c], w), alpha); };
            out[x] =
                blendOver(checkerAt(*m_job.board, m_job.area.left() + x, m_job.area.top() + row),
                          channel(0), channel(1), channel(2), alpha);
        }
    }

    const Job& m_job;
    int m_firstSample = 0;
    std::vector<std::uint16_t> m_mixed;
};

}  // namespace

void drawSamples(QImage& target, const QRect& area, const Image& image, const Placement& placement,
                 Filter filter, const Checkerboard* checkerboard) {
    const QRect clipped = area & target.rect();
    if (clipped.isEmpty() || image.isNull() || bytesPerSample(image.format()) != 1) return;
    Job job{target,
            clipped,
            image.view<std::uint8_t>(),
            isColor(image.format()) ? checkerboard : nullptr,
            tapsFor(clipped.left(), clipped.width(), placement.offset.x(), placement.scaleX,
                    image.width(), filter),
            tapsFor(clipped.top(), clipped.height(), placement.offset.y(), placement.scaleY,
                    image.height(), filter)};
    if (filter == Filter::Nearest) {
        drawNearest(job);
        return;
    }
    if (job.samples.channels == 4 && !job.board) {
        drawSmoothColor(job);
        return;
    }
    SmoothRows rows(job);
    for (int row = 0; row < clipped.height(); ++row) rows.draw(row);
}

}  // namespace warpscope::gui
