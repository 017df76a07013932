#include "support/truth_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "support/truth.h"

namespace warpscope::truth {
namespace {

using Real = long double;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

float sampleAt(const Image& image, int x, int y, int channel) {
    x = std::clamp(x, 0, image.width() - 1);
    y = std::clamp(y, 0, image.height() - 1);
    return image.view<float>().row(y)[x * channelCount(image.format()) + channel];
}

struct Sample {
    Real value = 0;
    Real magnitude = 0;
    void saw(Real of) {
        if (std::isfinite(of)) magnitude = std::max(magnitude, std::abs(of));
    }
};

// value(x, y, channel) for colours, alpha as it was.
Reals mapped(const Image& image, int channels, const std::function<Sample(int, int, int)>& value) {
    Reals made{image.size(), channels, {}, {}};
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                Sample sample;
                if (c == 3)
                    sample.value = sampleAt(image, x, y, c);
                else
                    sample = value(x, y, c);
                sample.saw(sample.value);
                made.value.push_back(sample.value);
                made.magnitude.push_back(sample.magnitude);
            }
    return made;
}
Reals mapped(const Image& image, const std::function<Sample(int, int, int)>& value) {
    return mapped(image, channelCount(image.format()), value);
}

// All samples of the square around a pixel.
std::vector<float> squareAround(const Image& image, int x, int y, int c, int radius) {
    std::vector<float> square;
    for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) square.push_back(sampleAt(image, x + i, y + j, c));
    return square;
}

// As a float, rounded after each step: it chooses a bin.
float lumaOf(const Image& image, int x, int y) {
    if (!isColor(image.format())) return sampleAt(image, x, y, 0);
    volatile float sum = sampleAt(image, x, y, 0) * (19595.0f / 65536.0f);
    volatile float green = sampleAt(image, x, y, 1) * (38470.0f / 65536.0f);
    volatile float blue = sampleAt(image, x, y, 2) * (7471.0f / 65536.0f);
    sum = sum + green;
    return sum + blue;
}

}  // namespace

Reals grayscaleFloat(const Image& image, GrayMethod method) {
    return mapped(image, 1, [&](int x, int y, int) {
        const Real r = sampleAt(image, x, y, 0), g = sampleAt(image, x, y, 1),
                   b = sampleAt(image, x, y, 2);
        Sample made;
        for (const Real v : {r, g, b}) made.saw(v);
        if (method == GrayMethod::Weighted601)
            made.value = (19595 * r + 38470 * g + 7471 * b) / 65536;
        else if (method == GrayMethod::Weighted709)
            made.value = (13933 * r + 46871 * g + 4732 * b) / 65536;
        else if (method == GrayMethod::Average)
            made.value = (r + g + b) / 3;
        else
            made.value =
                std::isnan(r) || std::isnan(g) || std::isnan(b) ? kNan : std::max({r, g, b});
        return made;
    });
}

Reals invertFloat(const Image& image) {
    return mapped(image, [&](int x, int y, int c) {
        Sample made;
        made.saw(sampleAt(image, x, y, c));
        made.saw(1);
        made.value = 1 - Real(sampleAt(image, x, y, c));
        return made;
    });
}

Reals addNoiseFloat(const Image& image, NoiseKind kind, double amount, double sigma,
                    std::uint32_t seed) {
    const auto threshold = std::uint64_t(std::floor(amount * 4294967296.0 + 0.5));
    const Real exact = std::floor(sigma * 256.0 + 0.5) / 256;
    return mapped(image, [&](int x, int y, int c) {
        const std::uint64_t index =
            std::uint64_t(y) * std::uint64_t(image.width()) + std::uint64_t(x);
        std::uint32_t words[4];
        philox({{seed, 0}, {std::uint32_t(index), std::uint32_t(index >> 32), 0, 0}}, words);
        const Real v = sampleAt(image, x, y, c);
        Sample made;
        made.value = v;
        if (kind == NoiseKind::SaltPepper) {
            if (words[0] < threshold) made.value = words[1] % 2;
            return made;
        }
        const Real noise = kNormalQuantiles[words[c] >> 20] / Real(4096) * exact / 255;
        made.saw(v);
        made.saw(noise);
        made.value = v + noise;
        return made;
    });
}

Reals equalizeFloat(const Image& image, EqualizeChannels channels, EqualizeMapping mapping) {
    const bool color = isColor(image.format());
    const bool each = color && channels == EqualizeChannels::Each;
    const auto levelAt = [&](int x, int y, int c) {
        return each ? sampleAt(image, x, y, c) : lumaOf(image, x, y);
    };
    Real low[3], high[3];
    std::vector<int> table[3];
    const auto binOf = [&](Real v, int c) {
        if (std::isinf(v)) return v > 0 ? 65535 : 0;
        return int(std::min<Real>(65535, std::floor((v - low[c]) * 65536 / (high[c] - low[c]))));
    };
    for (int c = 0; c < (each ? 3 : 1); ++c) {
        low[c] = std::numeric_limits<Real>::infinity();
        high[c] = -low[c];
        std::vector<Real> finite;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const Real v = levelAt(x, y, c);
                if (!std::isfinite(v)) continue;
                finite.push_back(v);
                low[c] = std::min(low[c], v);
                high[c] = std::max(high[c], v);
            }
        if (!(low[c] < high[c])) continue;
        std::vector<std::uint64_t> counts(65536);
        for (const Real v : finite) ++counts[std::size_t(binOf(v, c))];
        table[c] = levelTable(counts, mapping);
    }
    return mapped(image, [&](int x, int y, int c) {
        const int own = each ? c : 0;
        const Real v = sampleAt(image, x, y, c), level = levelAt(x, y, c);
        Sample made;
        made.value = v;
        if (!(low[own] < high[own])) return made;
        if (std::isnan(level)) {
            made.value = kNan;
            return made;
        }
        const Real wanted = table[own][std::size_t(binOf(level, own))] / Real(65535);
        if (each || !color)
            made.value = wanted;
        else if (std::isinf(level))
            made.value = std::isinf(v) ? wanted : 0;
        else if (level != 0)
            made.value = v * wanted / level;
        return made;
    });
}

Reals boxMeanFloat(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        Sample made;
        const auto square = squareAround(image, x, y, c, radius);
        for (const float v : square) {
            made.saw(v);
            made.value += v;
        }
        made.value /= Real(square.size());
        return made;
    });
}

Reals medianFloat(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        auto square = squareAround(image, x, y, c, radius);
        std::sort(square.begin(), square.end(),
                  [](float a, float b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
        return Sample{square[square.size() / 2], 0};
    });
}

Reals gaussianBlurFloat(const Image& image, double sigma, int size) {
    const int radius = size / 2;
    const auto bell = [&](int i) { return std::exp(-Real(i) * i / (2 * Real(sigma) * sigma)); };
    Real sum = 0;
    for (int i = -radius; i <= radius; ++i) sum += bell(i);
    std::vector<Real> taps;
    Real around = 0;
    for (int i = -radius; i <= radius; ++i) {
        const auto tap = float(bell(i) / sum);
        taps.push_back(tap < std::numeric_limits<float>::min() ? 0 : tap);
        if (i != 0) around += taps.back();
    }
    taps[std::size_t(radius)] = 1 - around;
    return mapped(image, [&](int x, int y, int c) {
        Sample made;
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i) {
                const Real weight = taps[std::size_t(i + radius)] * taps[std::size_t(j + radius)];
                if (taps[std::size_t(i + radius)] == 0 || taps[std::size_t(j + radius)] == 0)
                    continue;
                const Real v = sampleAt(image, x + i, y + j, c);
                made.saw(v);
                made.value += weight * v;
            }
        return made;
    });
}

Reals nlMeansFloat(const Image& image, double h, int patchRadius, int searchRadius) {
    const auto at = [&](int x, int y, int c) -> double {
        const auto mirrored = [](int i, int n) {
            while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
            return i;
        };
        return sampleAt(image, mirrored(x, image.width()), mirrored(y, image.height()), c);
    };
    const int colors = isColor(image.format()) ? 3 : 1;
    const double patch = double(colors) * (2 * patchRadius + 1) * (2 * patchRadius + 1);
    return mapped(image, [&](int x, int y, int c) {
        Sample made;
        double sum = 0, weights = 0;
        for (int qy = y - searchRadius; qy <= y + searchRadius; ++qy)
            for (int qx = x - searchRadius; qx <= x + searchRadius; ++qx) {
                double squares = 0;
                for (int j = -patchRadius; j <= patchRadius; ++j)
                    for (int i = -patchRadius; i <= patchRadius; ++i)
                        for (int k = 0; k < colors; ++k) {
                            const double d = at(x + i, y + j, k) - at(qx + i, qy + j, k);
                            squares += d * d;
                        }
                const double weight = std::exp(-(squares / patch) / (h * h / 255 / 255));
                weights += weight;
                sum += weight * at(qx, qy, c);
                made.saw(at(qx, qy, c));
            }
        made.value = sum / weights;
        return made;
    });
}

std::string beyond(const Reals& truth, const Image& actual, double ulps) {
    if (truth.size != actual.size() || truth.channels != channelCount(actual.format()) ||
        !isFloat(actual.format()))
        return "formats or sizes differ";
    std::size_t i = 0;
    for (int y = 0; y < truth.size.height; ++y)
        for (int s = 0; s < truth.size.width * truth.channels; ++s, ++i) {
            const float got = actual.view<float>().row(y)[s];
            const Real want = truth.value[i];
            if (std::isnan(want) || std::isnan(got) || std::isinf(want)) {
                if (std::isnan(want) == std::isnan(got) && (std::isnan(want) || want == got))
                    continue;
            } else {
                const auto largest = float(truth.magnitude[i]);
                const Real ulp =
                    Real(std::nextafter(largest, std::numeric_limits<float>::infinity())) - largest;
                if (std::abs(want - got) <= ulps * ulp) continue;
            }
            return fmt::format("at ({}, {}) channel {}: expected {}, got {}, largest {}",
                               s / truth.channels, y, s % truth.channels, double(want), got,
                               double(truth.magnitude[i]));
        }
    return {};
}

}  // namespace warpscope::truth
