// Contrast limited adaptive histogram equalization.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope {

inline constexpr int kMostClaheTiles = 64;

enum class ClaheChannels { Luma, Each };

// An image in tiles of one size. What the last ones have beyond it is the image, mirrored at its
// edge pixels.
struct ClaheTiles {
    Size image;
    int columns = 1;
    int rows = 1;
    // Of a tile.
    int width = 1;
    int height = 1;

    static constexpr ClaheTiles of(Size image, int columns, int rows) {
        const bool divides = image.width % columns == 0 && image.height % rows == 0;
        const int more = divides ? 0 : 1;
        return {image, columns, rows, image.width / columns + more, image.height / rows + more};
    }
    constexpr std::uint64_t area() const { return std::uint64_t(width) * std::uint64_t(height); }
    constexpr int count() const { return columns * rows; }
};

// Tables of all tiles, one after the other, for each channel that has its own.
template <class T>
struct ClaheTables {
    static constexpr int kLevels = 1 << (8 * sizeof(T));
    std::vector<T> channel[3];

    const T* of(int c, std::uint32_t tile) const {
        return channel[c].data() + std::size_t(tile) * kLevels;
    }
};

struct ClahePlan final : Plan {
    ClaheChannels channels = ClaheChannels::Luma;
    int columns = 8;
    int rows = 8;
    double clip = 2;
    // Set by freeze(): tables are taken from this image, and the plan works on crops.
    Image whole;
    // Set by takeTables(), the one of the plan's sample type; then the plan is the CPU's alone.
    std::shared_ptr<const ClaheTables<std::uint8_t>> taken;
    std::shared_ptr<const ClaheTables<std::uint16_t>> taken16;

    // That tables are taken from, for an input of that size.
    ClaheTiles counted() const {
        return ClaheTiles::of(whole.isNull() ? size : whole.size(), columns, rows);
    }
    // That pixels lie in, and where the first pixel does.
    ClaheTiles applied() const {
        return ClaheTiles::of(counts() ? size : place.reduced, columns, rows);
    }
    int left() const { return counts() ? 0 : place.part.x; }
    int top() const { return counts() ? 0 : place.part.y; }
    bool hasTables() const { return taken || taken16; }
    // Whether tables are of the input.
    bool counts() const { return whole.isNull() && !hasTables(); }
    bool byLuma() const { return isColor(input) && channels == ClaheChannels::Luma; }
};

const Operation& clahe_operation();
CpuBody<ClahePlan> runClaheCpu;

// Counts `image` (which has plan.input, any size) and makes the tables that plan asks for. Errors:
// Cancelled. T is the sample type of the image.
template <class T>
Result<ClaheTables<T>> claheTablesCpu(const ClahePlan& plan, const Image& image,
                                      const CpuContext& context);

// ---- what both backends compute ----

// A coordinate beyond `length`, mirrored as often as it takes.
constexpr int mirroredBeyond(int at, int length) {
    if (at < length) return at;
    if (length == 1) return 0;
    const int period = 2 * length - 2;
    const int inPeriod = at % period;
    return inPeriod < length ? inPeriod : period - inPeriod;
}

// Most pixels of a level that count as they are; 0: all.
constexpr std::uint64_t claheClip(double clip, std::uint64_t area, int levels) {
    if (!(clip > 0)) return 0;
    const auto limit = std::uint64_t(clip * double(area) / double(levels));
    return limit > 1 ? limit : 1;
}

// What was clipped of a tile, as it is spread: `batch` to each level, one more to `rest` levels,
// `step` apart from 0 on.
struct ClaheSpread {
    std::uint64_t batch = 0;
    std::uint32_t rest = 0;
    std::uint32_t step = 1;

    static constexpr ClaheSpread of(std::uint64_t excess, std::uint32_t levels) {
        ClaheSpread made;
        made.batch = excess / levels;
        made.rest = std::uint32_t(excess % levels);
        if (made.rest > 0) made.step = levels / made.rest;
        return made;
    }
    constexpr std::uint64_t at(std::uint32_t level) const {
        return batch + (rest > 0 && level % step == 0 && level / step < rest ? 1u : 0u);
    }
};

// white C / area, rounded half to even.
constexpr std::uint32_t claheLevel(std::uint64_t cumulative, std::uint32_t white,
                                   std::uint64_t area) {
    const std::uint64_t whole = cumulative * white;
    const std::uint64_t quotient = whole / area;
    const std::uint64_t twice = 2 * (whole - quotient * area);
    const bool up = twice > area || (twice == area && quotient % 2 == 1);
    return std::uint32_t(quotient + (up ? 1 : 0));
}

// The same without a division for each: the quotient of double is at most one too small or too
// large. white cumulative is below 2^62.
class ClaheLevels {
  public:
    ClaheLevels(std::uint32_t white, std::uint64_t area)
        : m_white(white), m_area(std::int64_t(area)), m_inverse(1.0 / double(area)) {}

    std::uint32_t operator()(std::uint64_t cumulative) const {
        const auto whole = std::int64_t(cumulative * m_white);
        auto quotient = std::int64_t(double(whole) * m_inverse);
        std::int64_t rest = whole - quotient * m_area;
        const std::int64_t wrong = std::int64_t(rest >= m_area) - std::int64_t(rest < 0);
        quotient += wrong;
        rest -= wrong * m_area;
        const bool up = 2 * rest > m_area || (2 * rest == m_area && quotient % 2 == 1);
        return std::uint32_t(quotient) + std::uint32_t(up);
    }

  private:
    std::uint64_t m_white;
    std::int64_t m_area;
    double m_inverse;
};

// A coordinate between the centres of two neighbouring tiles; the weight of the second one in
// 1/65536.
struct ClahePlace {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t weight = 0;

    static constexpr ClahePlace of(int at, int side, int tiles) {
        const std::int64_t period = 2 * std::int64_t(side);
        const std::int64_t twice = 2 * std::int64_t(at) - side;
        const int first = twice < 0 ? -1 : int(twice / period);
        const std::int64_t rest = twice - first * period;
        ClahePlace made;
        made.first = std::uint32_t(first < 0 ? 0 : first < tiles ? first : tiles - 1);
        made.second = std::uint32_t(first + 1 < tiles ? first + 1 : tiles - 1);
        made.weight = std::uint32_t((65536 * rest + side) / period);
        return made;
    }
};

// Along the rows, then down, rounded half up.
constexpr std::uint32_t claheBlend(std::uint32_t topFirst, std::uint32_t topSecond,
                                   std::uint32_t bottomFirst, std::uint32_t bottomSecond,
                                   std::uint32_t across, std::uint32_t down) {
    const std::uint64_t top =
        std::uint64_t(topFirst) * (65536 - across) + std::uint64_t(topSecond) * across;
    const std::uint64_t bottom =
        std::uint64_t(bottomFirst) * (65536 - across) + std::uint64_t(bottomSecond) * across;
    return std::uint32_t((top * (65536 - down) + bottom * down + (std::uint64_t(1) << 31)) >> 32);
}

}  // namespace warpscope
