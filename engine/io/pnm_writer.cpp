#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"
#include "engine/io/pnm_header.h"

namespace warpscope::io {
namespace {

void append(std::vector<std::uint8_t>& out, const std::string& text) {
    out.insert(out.end(), text.begin(), text.end());
}

// The white level, or full scale where a sample is above it.
template <class T>
Result<std::uint32_t> chooseMaxval(const Image& image, int channels,
                                   std::vector<std::string>& notices, const std::stop_token& stop) {
    const double white = image.info().whiteLevel;
    const double full = fullScale(image.format());
    if (!(white >= 1 && white < full && white == std::floor(white))) return std::uint32_t(full);
    const View<const T> view = image.view<T>();
    const bool checksAlpha = channels == 4;  // else it is not written
    bool above = false;
    const auto ok = forEachRow(view.height, stop, [&](int y) -> Result<void> {
        const T* row = view.row(y);
        for (int i = 0; !above && i < view.samplesPerRow(); ++i)
            above = row[i] > white && (view.channels != 4 || i % 4 != 3 || checksAlpha);
        return {};
    });
    if (!ok) return fail(ok.error());
    if (!above) return std::uint32_t(white);
    notices.push_back(
        fmt::format("samples are above the white level {:g}, maxval is {:g}", white, full));
    return std::uint32_t(full);
}

template <class T>
Result<void> encodeIntegers(const Image& image, const std::string& header, int channels,
                            std::uint32_t maxval, std::vector<std::uint8_t>& out,
                            const std::stop_token& stop) {
    const bool wide = maxval > 255;
    out.reserve(header.size() +
                std::size_t(image.size().pixels()) * std::size_t(channels * (wide ? 2 : 1)));
    append(out, header);
    const View<const T> view = image.view<T>();
    return forEachRow(view.height, stop, [&](int y) -> Result<void> {
        const T* row = view.row(y);
        for (int x = 0; x < view.width; ++x, row += view.channels) {
            for (int c = 0; c < channels; ++c) {
                const T v = row[view.channels == 1 ? 0 : c];
                if (wide) out.push_back(std::uint8_t(std::uint32_t(v) >> 8));
                out.push_back(std::uint8_t(v));
            }
        }
        return {};
    });
}

std::string headerFor(const Image& image, std::string_view extension, int channels,
                      std::uint32_t maxval) {
    if (extension == "pam") {
        constexpr const char* kTypes[] = {"", "GRAYSCALE", "", "RGB", "RGB_ALPHA"};
        return fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {}\nENDHDR\n",
                           image.width(), image.height(), channels, maxval, kTypes[channels]);
    }
    return fmt::format("P{}\n{} {}\n{}\n", channels == 1 ? 5 : 6, image.width(), image.height(),
                       maxval);
}

// Integers are divided by the white level, floats are kept.
template <class T>
float asFloat(T value, double white) {
    if constexpr (std::is_floating_point_v<T>) {
        return value;
    } else {
        return float(double(value) / white);
    }
}

Result<EncodedImage> encodePfm(const Image& image, const std::stop_token& stop) {
    if (image.format() == PixelFormat::Gray32 || image.format() == PixelFormat::Gray64) {
        return fail(ErrorCode::Unsupported,
                    "sums do not fit into the float samples of PFM; save as TIFF or .npy");
    }
    if (auto ok = refuseAlpha(image, "PFM", stop); !ok) return fail(ok.error());
    EncodedImage encoded;
    const double white = image.info().whiteLevel;
    if (!isFloat(image.format())) {
        encoded.notices.push_back(
            fmt::format("integers became float, divided by the white level {:g}", white));
    }
    const int channels = isColor(image.format()) ? 3 : 1;
    append(encoded.bytes,
           fmt::format("P{}\n{} {}\n{}\n", channels == 3 ? 'F' : 'f', image.width(), image.height(),
                       std::endian::native == std::endian::little ? "-1.0" : "1.0"));
    std::size_t at = encoded.bytes.size();
    encoded.bytes.resize(at + std::size_t(image.size().pixels()) * std::size_t(channels) * 4);
    const auto written = visitSampleType(image.format(), [&]<class T>() {
        const View<const T> view = image.view<T>();
        return forEachRow(view.height, stop, [&](int fromBelow) -> Result<void> {
            const T* row = view.row(view.height - 1 - fromBelow);
            for (int x = 0; x < view.width; ++x, row += view.channels) {
                for (int c = 0; c < channels; ++c, at += 4) {
                    const float v = asFloat(row[c], white);
                    std::memcpy(&encoded.bytes[at], &v, 4);
                }
            }
            return {};
        });
    });
    if (!written) return fail(written.error());
    return encoded;
}

}  // namespace

Result<EncodedImage> encodePnm(const Image& image, std::string_view extension,
                               const std::stop_token& stop) {
    std::vector<std::string> notices;
    Result<EncodedImage> encoded = EncodedImage{};
    if (extension == "pfm") {
        encoded = encodePfm(image, stop);
        if (!encoded) return encoded;
    } else {
        if (extension == "pgm" && isColor(image.format()))
            return fail(ErrorCode::Unsupported,
                        "PGM has no colour; save as PPM, or apply grayscale first");
        if (extension != "pam") {
            if (auto ok = refuseAlpha(image, "PPM", stop); !ok) return fail(ok.error());
        }
        auto prepared = prepareIntegers(image, stop);
        if (!prepared) return fail(prepared.error());
        const Image& source = prepared->image;
        encoded->notices = std::move(prepared->notices);
        const bool gray = !isColor(source.format()) && extension != "ppm";
        const int channels = gray ? 1 : extension == "pam" && writesAlpha(source) ? 4 : 3;
        const auto encode = [&]<class T>() -> Result<void> {
            const auto maxval = chooseMaxval<T>(source, channels, encoded->notices, stop);
            if (!maxval) return fail(maxval.error());
            return encodeIntegers<T>(source, headerFor(source, extension, channels, *maxval),
                                     channels, *maxval, encoded->bytes, stop);
        };
        const auto written = bytesPerSample(source.format()) == 1
                                 ? encode.template operator()<std::uint8_t>()
                                 : encode.template operator()<std::uint16_t>();
        if (!written) return fail(written.error());
    }
    if (image.info().iccProfile)
        encoded->notices.emplace_back(
            "the colour profile was not kept, this format has no place "
            "for it");
    return encoded;
}

Codec pnmCodec() {
    return {{{"PNM", {"pnm", "pgm", "ppm", "pam"}, true, true},
             {"PBM", {"pbm"}, true, false},
             {"PFM", {"pfm"}, true, true}},
            looksLikePnm,
            decodePnm,
            encodePnm};
}

}  // namespace warpscope::io
