#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/operations/cpu_work.h"
#include "engine/operations/geometry/rotate.h"
#include "engine/operations/geometry/rotate_rows.h"

namespace warpscope {
namespace {

// Vectors count bytes in 31 bits.
constexpr std::ptrdiff_t kMostOffset = (std::ptrdiff_t(1) << 31) - 1;

// Reads pixels of the (reduced) image as C samples each, whatever lies outside included. Of a part
// the nearest pixel stands for what is missing.
template <class T, int C>
struct RotateSource {
    View<const T> in;
    Rect part;
    Size whole;
    RotateOutside outside;
    T white;

    void load(std::int64_t x, std::int64_t y, T (&pixel)[C]) const {
        const bool missed = x < 0 || y < 0 || x >= whole.width || y >= whole.height;
        if (missed && outside != RotateOutside::Edge) {
            for (int c = 0; c < C; ++c) pixel[c] = T(0);
            if (C == 4 && outside == RotateOutside::Black) pixel[C - 1] = white;
            return;
        }
        const auto column = std::clamp<std::int64_t>(
            std::clamp<std::int64_t>(x, 0, whole.width - 1) - part.x, 0, in.width - 1);
        const auto row = std::clamp<std::int64_t>(
            std::clamp<std::int64_t>(y, 0, whole.height - 1) - part.y, 0, in.height - 1);
        const T* from = in.row(int(row)) + column * in.channels;
        if (C == in.channels) {
            for (int c = 0; c < C; ++c) pixel[c] = from[c];
        } else {
            for (int c = 0; c < 3; ++c) pixel[c] = from[0];
            pixel[C - 1] = white;
        }
    }
};

// Those i of `count` for which low <= at + i step < high.
std::pair<int, int> placesBetween(std::int64_t at, std::int64_t step, std::int64_t low,
                                  std::int64_t high, int count) {
    if (step == 0) return {0, at >= low && at < high ? count : 0};
    // Downwards is upwards from the other side.
    if (step < 0) {
        std::tie(low, high) = std::pair(1 - high, 1 - low);
        at = -at;
        step = -step;
    }
    const auto firstFrom = [&](std::int64_t bound) {
        return int(
            std::clamp<std::int64_t>(bound <= at ? 0 : (bound - at + step - 1) / step, 0, count));
    };
    return {firstFrom(low), firstFrom(high)};
}

// Pixels [first, last) of row y of the output.
template <class T, int C>
void rotatePixels(const RotatePlan& plan, const RotateSource<T, C>& source, int y, int first,
                  int last, T* to) {
    std::int64_t atX = plan.firstX(y) + first * plan.cosine;
    std::int64_t atY = plan.firstY(y) - first * plan.sine;
    to += std::ptrdiff_t(first) * C;
    for (int i = first; i < last; ++i, to += C, atX += plan.cosine, atY -= plan.sine) {
        T pixels[4][C];
        if (plan.nearest) {
            constexpr std::int64_t kHalf = std::int64_t(1) << 31;
            source.load((atX + kHalf) >> 32, (atY + kHalf) >> 32, pixels[0]);
            std::copy_n(pixels[0], C, to);
            continue;
        }
        const std::int64_t x = (atX + (1 << 23)) >> 24, row = (atY + (1 << 23)) >> 24;
        const auto right = std::uint32_t(x & 255), below = std::uint32_t(row & 255);
        const std::uint32_t weights[4] = {(256 - right) * (256 - below), right * (256 - below),
                                          (256 - right) * below, right * below};
        const T* taps[4];
        const View<const T>& in = source.in;
        const std::int64_t left = (x >> 8) - source.part.x, top = (row >> 8) - source.part.y;
        if (C == in.channels && left >= 0 && top >= 0 && left < in.width - 1 &&
            top < in.height - 1) {
            // All four are there.
            taps[0] = in.row(int(top)) + left * C;
            taps[2] = in.row(int(top) + 1) + left * C;
            taps[1] = taps[0] + C;
            taps[3] = taps[2] + C;
        } else {
            for (int k = 0; k < 4; ++k) {
                source.load((x >> 8) + (k & 1), (row >> 8) + (k >> 1), pixels[k]);
                taps[k] = pixels[k];
            }
        }
        for (int c = 0; c < C; ++c) {
            if constexpr (std::is_floating_point_v<T>) {
                float sum = 0;
                for (int k = 0; k < 4; ++k) sum += float(weights[k]) * taps[k][c];
                to[c] = sum * (1.0f / 65536.0f);
            } else {
                // Of 16 bits it just fits.
                std::uint32_t sum = 32768;
                for (int k = 0; k < 4; ++k) sum += weights[k] * taps[k][c];
                to[c] = T(sum >> 16);
            }
        }
    }
}

// Those that are all there, of an image of C samples a pixel.
template <class T, int C>
void copyNearest(const RotatePlan& plan, const RotateSource<T, C>& source, int y, int first,
                 int last, T* to) {
    constexpr std::int64_t kHalf = std::int64_t(1) << 31;
    const auto* data = reinterpret_cast<const std::byte*>(source.in.data);
    const std::ptrdiff_t pitch = source.in.pitch;
    std::int64_t x =
        plan.firstX(y) + first * plan.cosine + kHalf - (std::int64_t(source.part.x) << 32);
    std::int64_t row =
        plan.firstY(y) - first * plan.sine + kHalf - (std::int64_t(source.part.y) << 32);
    to += std::ptrdiff_t(first) * C;
    for (int i = first; i < last; ++i, to += C, x += plan.cosine, row -= plan.sine)
        std::memcpy(to, data + (row >> 32) * pitch + (x >> 32) * std::ptrdiff_t(sizeof(T) * C),
                    sizeof(T) * C);
}

template <class T, int C>
void rotateRow(const RotatePlan& plan, const RotateSource<T, C>& source, int y, T* to) {
    const int width = plan.outputSize.width;
    int first = 0, made = 0;
    if (plan.nearest && source.in.channels == C) {
        constexpr std::int64_t kHalf = std::int64_t(1) << 31;
        const auto between = [&](std::int64_t at, std::int64_t step, int from, int length) {
            return placesBetween(at + kHalf, step, std::int64_t(from) << 32,
                                 std::int64_t(from + length) << 32, width);
        };
        const auto columns = between(plan.firstX(y), plan.cosine, source.part.x, source.in.width);
        const auto rows = between(plan.firstY(y), -plan.sine, source.part.y, source.in.height);
        first = std::max(columns.first, rows.first);
        made = std::max(0, std::min(columns.second, rows.second) - first);
        copyNearest(plan, source, y, first, first + made, to);
    }
    if constexpr (!std::is_floating_point_v<T>) {
        const View<const T>& in = source.in;
        if (!plan.nearest && in.channels == C && in.pitch * in.height < kMostOffset) {
            const auto between = [&](std::int64_t at, std::int64_t step, int from, int length) {
                return placesBetween(at + (1 << 23), step, std::int64_t(from) << 32,
                                     std::int64_t(from + length - 1) << 32, width);
            };
            const std::int64_t x = plan.firstX(y), row = plan.firstY(y);
            const auto columns = between(x, plan.cosine, source.part.x, in.width);
            const auto rows = between(row, -plan.sine, source.part.y, in.height);
            first = std::max(columns.first, rows.first);
            const int count = std::min(columns.second, rows.second) - first;
            if (count > 0) {
                const RotateRun run{reinterpret_cast<const std::byte*>(in.data),
                                    in.pitch,
                                    source.part.x,
                                    source.part.y,
                                    x + first * plan.cosine,
                                    row - first * plan.sine,
                                    plan.cosine,
                                    -plan.sine};
                made = rotateInside(run, to + std::ptrdiff_t(first) * C, C, count);
            }
        }
    }
    rotatePixels(plan, source, y, 0, std::min(first, width), to);
    rotatePixels(plan, source, y, first + made, width, to);
}

template <class T, int C>
Result<void> runPixels(const RotatePlan& plan, const Image& in, const MutableImage& target,
                       const CpuContext& context) {
    const auto out = target.view<T>();
    const T white = T(fullScale(plan.input));
    const RotateSource<T, C> source{in.view<T>(), plan.place.part, plan.place.reduced, plan.outside,
                                    white};
    const CpuContext chosen = forWork(context, plan.outputSize, plan.guessedMsPerMegapixel);
    const int band =
        rowsPerBand(chosen, out.height, std::uint64_t(out.samplesPerRow()) * sizeof(T));
    return forEachRowBand(chosen, out.height, band, [&](int first, int last) {
        for (int y = first; y < last && !chosen.stopRequested(); ++y)
            rotateRow<T, C>(plan, source, y, out.row(y));
    });
}

}  // namespace

Result<void> runRotateCpu(const RotatePlan& plan, const Image& in, const MutableImage& out,
                          const CpuContext& context) {
    const auto typed = [&]<class T>() {
        return isColor(plan.output) ? runPixels<T, 4>(plan, in, out, context)
                                    : runPixels<T, 1>(plan, in, out, context);
    };
    if (isFloat(plan.input)) return typed.template operator()<float>();
    return bytesPerSample(plan.input) == 2 ? typed.template operator()<std::uint16_t>()
                                           : typed.template operator()<std::uint8_t>();
}

}  // namespace warpscope
