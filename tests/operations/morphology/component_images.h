// Images with components, and which ones they have.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "operations/edges/luma_truth.h"

namespace warpscope::test {

// Values of an image's luma, row by row; labels are their own.
inline std::vector<double> lumaOf(const Image& image) {
    std::vector<double> values;
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x)
                if constexpr (std::is_same_v<T, std::uint32_t>)
                    values.push_back(double(view.row(y)[x]));
                else if constexpr (sizeof(T) <= 4)
                    values.push_back(double(lumaTruth(view, x, y)));
    });
    return values;
}

// The definition: from every pixel that has no label yet, in raster order, over all that touch.
inline std::vector<double> labelsOf(const Image& image, int connectivity, std::size_t minArea) {
    const std::vector<double> values = lumaOf(image);
    const int width = image.width(), height = image.height();
    std::vector<double> labels(values.size(), 0.0);
    std::vector<bool> seen(values.size());
    double count = 0;
    for (std::size_t start = 0; start < values.size(); ++start) {
        if (seen[start] || values[start] == 0) continue;
        std::vector<std::size_t> members{start};
        seen[start] = true;
        for (std::size_t k = 0; k < members.size(); ++k) {
            const int x = int(members[k]) % width, y = int(members[k]) / width;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    if (connectivity == 4 && dx != 0 && dy != 0) continue;
                    const int i = x + dx, j = y + dy;
                    if (i < 0 || j < 0 || i >= width || j >= height) continue;
                    const std::size_t next = std::size_t(j) * unsigned(width) + unsigned(i);
                    if (seen[next] || values[next] == 0) continue;
                    seen[next] = true;
                    members.push_back(next);
                }
        }
        if (members.size() < minArea) continue;
        ++count;
        for (const std::size_t member : members) labels[member] = count;
    }
    return labels;
}

inline TextParameters componentRule(int connectivity, std::size_t minArea) {
    return {{"connectivity", std::to_string(connectivity)}, {"min_area", std::to_string(minArea)}};
}

// About `share` of all pixels are not zero: of colour images all channels of the others are zero,
// and of float some are NaN, infinite, negative or the smallest that there is.
inline Image speckle(PixelFormat format, Size size, double share, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<double> samples;
    const int channels = channelCount(format);
    for (std::int64_t i = 0; i < size.pixels(); ++i) {
        const bool set = double(random() % 10000) < share * 10000;
        for (int c = 0; c < channels; ++c) {
            double value = set ? 1 + random() % unsigned(format == PixelFormat::Gray8 ||
                                                                 format == PixelFormat::Rgba8
                                                             ? 255
                                                             : 65535)
                               : 0;
            if (isFloat(format)) {
                value /= 65535;
                const unsigned kind = random() % 20;
                if (set && kind == 0) value = std::numeric_limits<double>::quiet_NaN();
                if (set && kind == 1) value = -value;
                if (set && kind == 2) value = std::numeric_limits<double>::infinity();
                if (set && kind == 3 && channels == 1)
                    value = double(std::numeric_limits<float>::denorm_min());
                if (!set && kind < 10) value = -0.0;
            }
            samples.push_back(c == 3 ? double(random() % 2) : value);
        }
    }
    return makeImage(format, size, samples);
}

}  // namespace warpscope::test
