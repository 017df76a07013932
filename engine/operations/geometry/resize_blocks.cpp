#include "engine/operations/geometry/resize_blocks.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace warpscope {
namespace {

constexpr int kLoad = 16;
constexpr int kMostPlanes = 3;
using PlaneWeights = std::array<std::int32_t, kMostPlanes>;

// The low digit of `bits` bits, signed, and what remains.
std::int32_t takeDigit(std::int32_t& weight, int bits) {
    const std::int32_t half = 1 << (bits - 1);
    const std::int32_t digit = ((weight + half) & ((1 << bits) - 1)) - half;
    weight = (weight - digit) >> bits;
    return digit;
}

PlaneWeights planesOf(std::int32_t weight, int planes) {
    PlaneWeights made{};
    const int bits = planes == 2 ? 2 : 8;
    for (int plane = planes - 1; plane > 0; --plane)
        made[std::size_t(plane)] = takeDigit(weight, bits);
    made[0] = weight;
    return made;
}

bool fits16(std::int32_t weight) {
    return weight >= std::numeric_limits<std::int16_t>::min() &&
           weight <= std::numeric_limits<std::int16_t>::max();
}

// Vector sums may wrap on the way, but not at their end, whatever the samples are.
bool sumsFit(const ResizeAxis& axis, int planes, std::int64_t mostSample) {
    for (std::size_t x = 0; x < axis.first.size(); ++x) {
        std::int64_t above[kMostPlanes] = {}, below[kMostPlanes] = {};
        for (int i = 0; i < axis.count[x]; ++i) {
            const PlaneWeights parts =
                planesOf(axis.weights[std::size_t(axis.begin[x] + i)], planes);
            for (int plane = 0; plane < planes; ++plane) {
                const std::int32_t part = parts[std::size_t(plane)];
                if (!fits16(part)) return false;
                (part > 0 ? above : below)[plane] += std::abs(part);
            }
        }
        // The sums of lower planes, carried, and rounding.
        constexpr std::int64_t kRoom = std::int64_t(1) << 24;
        for (int plane = 0; plane < planes; ++plane)
            if (std::max(above[plane], below[plane]) * mostSample >=
                (std::int64_t(1) << 31) - kRoom)
                return false;
    }
    return true;
}

std::int32_t maxCount(const ResizeAxis& axis) {
    return *std::max_element(axis.count.begin(), axis.count.end());
}

// Sums of a pixel begin so that they come out rounded, and less by what the middle is less.
PlaneWeights startsOf(const PlaneWeights& sums, int planes) {
    PlaneWeights starts{};
    if (planes < kMostPlanes) {
        starts[std::size_t(planes) - 1] = 128 - (32768 << 8);
        return starts;
    }
    // 16-bit samples are less by 32768 when they are multiplied. Wraps where the sum does.
    for (std::size_t plane = 0; plane < kMostPlanes; ++plane)
        starts[plane] = std::int32_t(std::uint32_t(sums[plane]) << 15);
    starts[0] = std::int32_t(std::uint32_t(starts[0]) + 32);
    return starts;
}

class BlockMaker {
  public:
    BlockMaker(const ResizeAxis& axis, int channels, int sampleBytes, std::int64_t rowBytes)
        : m_axis(axis),
          m_isColour(channels == 4),
          m_sampleBytes(sampleBytes),
          m_pixelBytes(channels * sampleBytes),
          m_rowBytes(rowBytes),
          m_pixels(int(axis.first.size())) {}

    ResizeBlocks made() {
        if (m_rowBytes > std::numeric_limits<std::int32_t>::max() / 2 || maxCount(m_axis) == 0)
            return {};
        ResizeBlocks& b = m_made;
        const auto areAll = [&](auto&& is) {
            return std::all_of(m_axis.weights.begin(), m_axis.weights.end(), is);
        };
        b.planes = m_sampleBytes == 2 ? 3 : 2;
        if (!sumsFit(m_axis, b.planes, m_sampleBytes == 2 ? 65535 : 255)) return {};
        if (b.planes == 2 && areAll(fits16)) b.planes = 1;
        // Enlarged by a power of two, say.
        if (b.planes == 2 && areAll([](std::int32_t weight) { return weight % 4 == 0; })) {
            b.planes = 1;
            b.shift = 2;
        }
        const int perBlock = m_isColour ? 1 : 4;
        b.blocks = (m_pixels + perBlock - 1) / perBlock;
        b.blocks += b.blocks % 2;
        chooseLoads();
        if (b.isLong)
            addLong();
        else if (m_isColour)
            addColour();
        else
            addGray();
        b.fits = true;
        return std::move(b);
    }

  private:
    // Beyond the row: the last one's taps, which then weigh nothing.
    std::int32_t firstOf(int x) const {
        return m_axis.first[std::size_t(std::min(x, m_pixels - 1))];
    }
    PlaneWeights weightsAt(int x, int tap) const {
        if (x >= m_pixels || tap >= m_axis.count[std::size_t(x)]) return {};
        return planesOf(
            m_axis.weights[std::size_t(m_axis.begin[std::size_t(x)] + tap)] >> m_made.shift,
            m_made.planes);
    }
    std::int32_t placed(std::int64_t bytes) const {
        // Beyond the row nothing has a weight.
        return std::int32_t(std::min(bytes, m_rowBytes));
    }
    PlaneWeights startsAt(int x) const {
        PlaneWeights sums{};
        for (int tap = 0; x < m_pixels && tap < m_axis.count[std::size_t(x)]; ++tap)
            for (std::size_t plane = 0; plane < kMostPlanes; ++plane)
                sums[plane] += weightsAt(x, tap)[plane];
        PlaneWeights starts = startsOf(sums, m_made.planes);
        if (m_made.planes == 1) starts[0] >>= m_made.shift;
        return starts;
    }

    // First taps of so many neighbouring pixels.
    std::int32_t apartOf(int pixels) const {
        std::int32_t apart = 0;
        for (int x = 0; x < m_pixels; x += pixels)
            apart = std::max(apart, firstOf(x + pixels - 1) - firstOf(x));
        return apart;
    }

    void chooseLoads() {
        ResizeBlocks& b = m_made;
        const int pairs = (maxCount(m_axis) + 1) / 2;
        if (m_isColour) {
            b.pairsPerLoad = std::min(pairs, kLoad / (2 * m_pixelBytes));
        } else {
            b.pairsPerLoad = std::min(pairs, (kLoad / m_pixelBytes - apartOf(4)) / 2);
        }
        if (b.pairsPerLoad >= 1) {
            b.loads = (pairs + b.pairsPerLoad - 1) / b.pairsPerLoad;
            b.isShared = !m_isColour && b.loads == 1 && pairs <= kMostSharedPairs &&
                         apartOf(8) + 2 * pairs <= kLoad / m_pixelBytes;
            return;
        }
        b.isLong = true;
        const int taps = kLoad / m_pixelBytes;
        b.pairsPerLoad = taps / 8;
        b.loads = (maxCount(m_axis) + taps - 1) / taps;
    }

    void addLong() {
        ResizeBlocks& b = m_made;
        for (int block = 0; block < b.blocks; ++block) {
            for (int x = 4 * block; x < 4 * block + 4; ++x)
                for (int load = 0; load < b.loads; ++load) {
                    b.at.push_back(placed(std::int64_t(firstOf(x)) * m_pixelBytes + load * kLoad));
                    for (int group = 0; group < b.pairsPerLoad; ++group)
                        for (int plane = 0; plane < b.planes; ++plane)
                            for (int i = 0; i < 8; ++i) {
                                const int tap = (load * b.pairsPerLoad + group) * 8 + i;
                                b.weights.push_back(
                                    std::int16_t(weightsAt(x, tap)[std::size_t(plane)]));
                            }
                }
            addGrayStarts(block);
        }
    }

    void addGray() {
        ResizeBlocks& b = m_made;
        for (int block = 0; block < b.blocks; ++block) {
            const std::int32_t base = firstOf(b.isShared ? block / 2 * 8 : 4 * block);
            for (int load = 0; load < b.loads; ++load)
                b.at.push_back(
                    placed((std::int64_t(base) + 2 * load * b.pairsPerLoad) * m_pixelBytes));
            for (int pair = 0; pair < b.loads * b.pairsPerLoad; ++pair) {
                for (int lane = 0; lane < 4; ++lane) {
                    const int from = firstOf(4 * block + lane) - base + 2 * (pair % b.pairsPerLoad);
                    addPick(from);
                    addPick(from + 1);
                }
                for (int plane = 0; plane < b.planes; ++plane)
                    for (int lane = 0; lane < 4; ++lane)
                        for (const int tap : {2 * pair, 2 * pair + 1})
                            b.weights.push_back(
                                std::int16_t(weightsAt(4 * block + lane, tap)[std::size_t(plane)]));
            }
            addGrayStarts(block);
        }
    }

    void addColour() {
        ResizeBlocks& b = m_made;
        for (int pair = 0; pair < b.pairsPerLoad; ++pair)
            for (int channel = 0; channel < 4; ++channel)
                for (const int tap : {2 * pair, 2 * pair + 1}) addPick(4 * tap + channel);
        for (int x = 0; x < b.blocks; ++x) {
            for (int load = 0; load < b.loads; ++load)
                b.at.push_back(
                    placed((std::int64_t(firstOf(x)) + 2 * load * b.pairsPerLoad) * m_pixelBytes));
            for (int pair = 0; pair < b.loads * b.pairsPerLoad; ++pair)
                for (int plane = 0; plane < b.planes; ++plane)
                    for (const int tap : {2 * pair, 2 * pair + 1})
                        b.weights.push_back(std::int16_t(weightsAt(x, tap)[std::size_t(plane)]));
            const PlaneWeights starts = startsAt(x);
            b.starts.insert(b.starts.end(), starts.begin(), starts.begin() + b.planes);
        }
    }

    // Sample `sample` of a load as 16 bits.
    void addPick(int sample) {
        const int at = sample * m_sampleBytes;
        m_made.picks.push_back(std::uint8_t(at));
        m_made.picks.push_back(m_sampleBytes == 2 ? std::uint8_t(at + 1) : 0x80);
    }

    void addGrayStarts(int block) {
        PlaneWeights starts[4];
        for (int lane = 0; lane < 4; ++lane) starts[lane] = startsAt(4 * block + lane);
        for (int plane = 0; plane < m_made.planes; ++plane)
            for (const PlaneWeights& of : starts) m_made.starts.push_back(of[std::size_t(plane)]);
    }

    const ResizeAxis& m_axis;
    const bool m_isColour;
    const int m_sampleBytes, m_pixelBytes;
    const std::int64_t m_rowBytes;
    const int m_pixels;
    ResizeBlocks m_made;
};

}  // namespace

ResizeBlocks resizeBlocksOf(const ResizeAxis& axis, int channels, int sampleBytes,
                            std::int64_t rowBytes) {
    return BlockMaker(axis, channels, sampleBytes, rowBytes).made();
}

ResizeColumns resizeColumnsOf(const ResizeAxis& axis) {
    // So many low digits of 4 bits, times 16 bits, fit 32.
    constexpr int kMostTaps = 4096;
    constexpr std::int64_t kMostSum = 1 << 18;
    ResizeColumns made;
    for (std::size_t y = 0; y < axis.first.size(); ++y) {
        const int count = axis.count[y];
        if (count > kMostTaps) return {};
        made.begin.push_back(std::int32_t(made.words.size()));
        made.pairs.push_back((count + 1) / 2);
        std::int64_t sum = 0, all = 0;
        for (int tap = 0; tap < count; tap += 2) {
            std::uint32_t high = 0, low = 0;
            for (int i = 0; i < 2 && tap + i < count; ++i) {
                std::int32_t weight = axis.weights[std::size_t(axis.begin[y] + tap + i)];
                sum += weight;
                all += std::abs(weight);
                const std::int32_t digit = takeDigit(weight, 4);
                made.hasLow = made.hasLow || digit != 0;
                low |= std::uint32_t(std::uint16_t(digit)) << (16 * i);
                high |= std::uint32_t(std::uint16_t(weight)) << (16 * i);
            }
            made.words.push_back(std::int32_t(high));
            made.words.push_back(std::int32_t(low));
        }
        if (all > kMostSum) return {};
        // The middle is less by 32768 than it means; 2^23 rounds.
        made.starts.push_back(std::int32_t(2048 * sum + (1 << 19)));
    }
    made.fits = true;
    return made;
}

ResizeLanes resizeLanesOf(const ResizeAxis& axis, int lanes) {
    ResizeLanes made;
    if (lanes < 2) return made;
    const int pixels = int(axis.first.size());
    made.lanes = lanes;
    made.blocks = (pixels + lanes - 1) / lanes;
    for (int block = 0; block < made.blocks; ++block) {
        const auto pixel = [&](int lane) {
            return std::size_t(std::min(block * lanes + lane, pixels - 1));
        };
        ResizeLanes::Block one{axis.first[pixel(0)], axis.count[pixel(0)], 0, made.weights.size()};
        for (int lane = 0; lane < lanes; ++lane) {
            const std::int32_t count = axis.count[pixel(lane)];
            one.least = std::min(one.least, count);
            one.most = std::max(one.most, count);
            made.counts.push_back(count);
            made.offsets.push_back(axis.first[pixel(lane)] - one.first);
            // As many as a vector of floats has.
            if (made.offsets.back() < 0 || made.offsets.back() >= 2 * lanes) return {};
        }
        made.offsets.resize(std::size_t(block + 1) * 2 * std::size_t(lanes));
        for (int tap = 0; tap < one.most; ++tap)
            for (int lane = 0; lane < lanes; ++lane)
                made.weights.push_back(
                    tap < axis.count[pixel(lane)]
                        ? axis.realWeights[std::size_t(axis.begin[pixel(lane)] + tap)]
                        : 0);
        made.block.push_back(one);
    }
    made.fits = true;
    return made;
}

}  // namespace warpscope
