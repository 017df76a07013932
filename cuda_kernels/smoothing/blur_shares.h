// Which part of an image each block of a Gaussian by warpgroups filters. Blocks go down strips of
// columns in steps of rows; before its first output a block filters the rows of some steps along
// rows alone. On the host and on the device; nothing here needs a GPU.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpscope::cuda {

// `count` steps of strip `strip` from `begin` on, then the first `second` steps of the next strip.
struct BlurShare {
    int strip, begin, count, second;
};

// In time that a pass along rows takes: a step of both, since products along columns are twice as
// many.
inline constexpr int kBlurStepCost = 3;

// All steps before those of share `share`, of `shares` that take as long as each other. `before`:
// steps along rows alone that a block begins with, in each strip.
constexpr int blurStepsBefore(int share, int shares, int strips, int steps, int before) {
    const std::int64_t length = before + kBlurStepCost * std::int64_t(steps);
    const std::int64_t at = share * (strips * length) / shares;
    const auto within = int(at % length) - before;
    const int step = within <= 0 ? 0 : (within + kBlurStepCost / 2) / kBlurStepCost;
    return int(at / length) * steps + std::min(step, steps);
}

// At least as many shares as strips. A share may be empty. `cross`: whether a share may go on in
// the next strip. Otherwise shares are whole ones of a strip, as even as they can be, and so are
// those of few steps, which rounding would make too long.
constexpr BlurShare blurShare(int share, int shares, int strips, int steps, int before,
                              bool cross) {
    if (!cross || shares % strips == 0 ||
        2 * std::int64_t(strips) * steps < 7 * std::int64_t(shares)) {
        const int strip = ((share + 1) * strips - 1) / shares;
        const int first = strip * shares / strips, each = (strip + 1) * shares / strips - first;
        const int begin = (share - first) * steps / each;
        return {strip, begin, (share - first + 1) * steps / each - begin, 0};
    }
    const int from = blurStepsBefore(share, shares, strips, steps, before);
    const int to = blurStepsBefore(share + 1, shares, strips, steps, before);
    const int strip = from / steps, begin = from % steps;
    const int count = std::min(to - from, steps - begin);
    return {strip, begin, count, to - from - count};
}

// One step of a block's way.
struct BlurStep {
    int strip;
    int row;     // of the image's steps, before which it filters along rows: -before and more
    int output;  // of the share's own, below 0 where rows are only filtered along rows
};

// The way through a share: `before` steps along rows alone, then as many of both as it has, the
// same once more in the next strip.
struct BlurWay {
    BlurShare share;
    int before;

    constexpr int firstSteps() const { return share.count > 0 ? share.count + before : 0; }
    constexpr int allSteps() const {
        return firstSteps() + (share.second > 0 ? share.second + before : 0);
    }
    constexpr BlurStep at(int step) const {
        const int output = step - before;
        if (step < firstSteps()) return {share.strip, share.begin + output, output};
        const int second = output - firstSteps();
        return {share.strip + 1, second, second};
    }
};

}  // namespace warpscope::cuda
