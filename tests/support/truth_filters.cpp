#include "support/truth_filters.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/truth.h"

namespace warpscope::truth {
namespace {

using Wide = __int128;

MutableImage create(PixelFormat format, Size size) {
    auto image = MutableImage::create(format, size);
    if (!image) throw std::runtime_error(image.error().message);
    return std::move(*image);
}

bool isWide(const Image& image) {
    return bytesPerSample(image.format()) == 2;
}

Wide sampleAt(const Image& image, int x, int y, int channel) {
    x = std::clamp(x, 0, image.width() - 1);
    y = std::clamp(y, 0, image.height() - 1);
    const int index = x * channelCount(image.format()) + channel;
    return isWide(image) ? Wide(image.view<std::uint16_t>().row(y)[index])
                         : Wide(image.view<std::uint8_t>().row(y)[index]);
}

// An image of the same shape; value(x, y, channel) for colours, alpha as it was.
template <class Value>
Image mapped(const Image& image, const Value& value) {
    MutableImage out = create(image.format(), image.size());
    const int channels = channelCount(image.format());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                const Wide v = c == 3 ? sampleAt(image, x, y, c) : Wide(value(x, y, c));
                if (isWide(image))
                    out.view<std::uint16_t>().row(y)[x * channels + c] = std::uint16_t(v);
                else
                    out.view<std::uint8_t>().row(y)[x * channels + c] = std::uint8_t(v);
            }
    return std::move(out).freezeLike(image);
}

}  // namespace

Image integralImage(const Image& image) {
    const Image gray = grayscale(image, GrayMethod::Weighted601);
    const Wide most = Wide(isWide(image) ? 65535 : 255) * image.width() * image.height();
    const bool fits = most < (Wide(1) << 32);
    MutableImage out = create(fits ? PixelFormat::Gray32 : PixelFormat::Gray64, image.size());
    std::vector<Wide> above(std::size_t(image.width()), 0);
    for (int y = 0; y < image.height(); ++y) {
        Wide row = 0;
        for (int x = 0; x < image.width(); ++x) {
            row += sampleAt(gray, x, y, 0);
            above[std::size_t(x)] += row;
            if (fits)
                out.view<std::uint32_t>().row(y)[x] = std::uint32_t(above[std::size_t(x)]);
            else
                out.view<std::uint64_t>().row(y)[x] = std::uint64_t(above[std::size_t(x)]);
        }
    }
    return std::move(out).freezeLike(image);
}

Image boxMean(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        Wide sum = 0;
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i) sum += sampleAt(image, x + i, y + j, c);
        const Wide n = Wide(2 * radius + 1) * (2 * radius + 1);
        return (2 * sum + n) / (2 * n);
    });
}

Image median(const Image& image, int radius) {
    return mapped(image, [&](int x, int y, int c) {
        std::vector<Wide> square;
        for (int j = -radius; j <= radius; ++j)
            for (int i = -radius; i <= radius; ++i)
                square.push_back(sampleAt(image, x + i, y + j, c));
        std::sort(square.begin(), square.end());
        return square[square.size() / 2];
    });
}

void philox(const Philox& input, std::uint32_t (&words)[4]) {
    constexpr std::uint64_t kLow = 0xFFFFFFFFu;
    std::uint64_t c[4] = {input.counter[0], input.counter[1], input.counter[2], input.counter[3]};
    std::uint64_t k[2] = {input.key[0], input.key[1]};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = 0xD2511F53u * c[0];
        const std::uint64_t second = 0xCD9E8D57u * c[2];
        const std::uint64_t next[4] = {(second >> 32) ^ c[1] ^ k[0], second & kLow,
                                       (first >> 32) ^ c[3] ^ k[1], first & kLow};
        std::copy_n(next, 4, c);
        k[0] = (k[0] + 0x9E3779B9u) & kLow;
        k[1] = (k[1] + 0xBB67AE85u) & kLow;
    }
    for (int i = 0; i < 4; ++i) words[i] = std::uint32_t(c[i]);
}

Image addNoise(const Image& image, NoiseKind kind, double amount, double sigma, std::uint32_t seed,
               Rect place, int wholeWidth) {
    const Wide white = isWide(image) ? 65535 : 255;
    const auto threshold = std::uint64_t(std::floor(amount * 4294967296.0 + 0.5));
    const Wide sigma256 = Wide(std::floor(sigma * 256.0 + 0.5));
    return mapped(image, [&](int x, int y, int c) -> Wide {
        const std::uint64_t index =
            std::uint64_t(place.y + y) * std::uint64_t(wholeWidth) + std::uint64_t(place.x + x);
        std::uint32_t words[4];
        philox({{seed, 0}, {std::uint32_t(index), std::uint32_t(index >> 32), 0, 0}}, words);
        const Wide v = sampleAt(image, x, y, c);
        if (kind == NoiseKind::SaltPepper) {
            if (words[0] >= threshold) return v;
            return words[1] % 2 == 1 ? white : 0;
        }
        const Wide product =
            Wide(kNormalQuantiles[words[c] / 1048576]) * sigma256 * (isWide(image) ? 257 : 1);
        // Floor of the quotient plus one half, for negative numbers too.
        Wide noise = (product + 524288) / 1048576;
        if (noise * 1048576 > product + 524288) --noise;
        return std::clamp<Wide>(v + noise, 0, white);
    });
}

}  // namespace warpscope::truth
