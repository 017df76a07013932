// Formats that are read with a library of their own. A build may lack one: files of the format are
// then recognized all the same, and refused by the library's name.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/io/codec.h"

namespace warpscope::io {
namespace {

bool hasAt(Bytes bytes, std::size_t at, std::string_view magic) {
    return bytes.size() >= at + magic.size() &&
           std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

constexpr const char* kExr[] = {"OpenEXR", "OpenEXR"};
constexpr const char* kFits[] = {"FITS", "cfitsio"};
constexpr const char* kJxl[] = {"JPEG XL", "libjxl"};
constexpr const char* kHeif[] = {"HEIF and AVIF", "libheif"};
constexpr const char* kRaw[] = {"camera RAW", "LibRaw"};

// Whether a TIFF is what a camera's sensor gave: a DNG, or with a camera's name and samples of a
// colour filter array in one of its first directories or those below them.
bool hasSensorSamples(Bytes bytes) {
    constexpr std::uint64_t kMostDirectories = 32, kMostEntries = 512;
    constexpr std::uint32_t kMake = 271, kPhotometric = 262, kBelow = 330, kDngVersion = 50706;
    constexpr std::uint32_t kFilterArray = 32803;
    const auto number = [&](std::uint64_t at, int size) -> std::uint32_t {
        std::uint32_t value = 0;
        if (at > bytes.size() || bytes.size() - at < std::uint64_t(size)) return 0;
        for (int i = 0; i < size; ++i)
            value = value << 8 |
                    bytes[std::size_t(at) + std::size_t(bytes[0] == 'M' ? i : size - 1 - i)];
        return value;
    };
    bool fromCamera = false, filtered = false;
    std::vector<std::uint32_t> directories{number(4, 4)};
    for (std::size_t i = 0; i < directories.size() && i < kMostDirectories; ++i) {
        const std::uint64_t first = directories[i] + std::uint64_t(2);
        const std::uint64_t entries =
            std::min<std::uint64_t>(number(directories[i], 2), kMostEntries);
        if (directories[i] == 0) continue;
        for (std::uint64_t at = first; at < first + 12 * entries; at += 12) {
            const std::uint32_t tag = number(at, 2), count = number(at + 4, 4);
            if (tag == kDngVersion) return true;
            fromCamera = fromCamera || tag == kMake;
            filtered = filtered || (tag == kPhotometric && number(at + 8, 2) == kFilterArray);
            if (tag == kBelow && count == 1) directories.push_back(number(at + 8, 4));
            if (tag == kBelow && count > 1)
                for (std::uint32_t k = 0; k < std::min(count, 8u); ++k)
                    directories.push_back(number(number(at + 8, 4) + 4 * std::uint64_t(k), 4));
        }
        directories.push_back(number(first + 12 * entries, 4));
    }
    return fromCamera && filtered;
}

template <const auto& Names>
[[maybe_unused]] Result<Image> missing(Bytes, const ReadOptions&) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: this build has no {}", Names[0], Names[1]));
}

using namespace std::string_view_literals;

}  // namespace

#define WARPSCOPE_MISSING(names) missing<names>, nullptr, nullptr

Codec exrCodec() {
    const auto recognizes = [](Bytes bytes) { return hasAt(bytes, 0, "\x76\x2F\x31\x01"sv); };
#if WARPSCOPE_OPENEXR
    return {{{kExr[0], {"exr"}, true, false}}, recognizes, decodeExr, nullptr, listExrPages};
#else
    return {{{kExr[0], {"exr"}, false, false}}, recognizes, WARPSCOPE_MISSING(kExr)};
#endif
}

Codec fitsCodec() {
    const auto recognizes = [](Bytes bytes) { return hasAt(bytes, 0, "SIMPLE  ="sv); };
#if WARPSCOPE_CFITSIO
    return {{{kFits[0], {"fits", "fit", "fts"}, true, false}},
            recognizes,
            decodeFits,
            nullptr,
            listFitsPages};
#else
    return {
        {{kFits[0], {"fits", "fit", "fts"}, false, false}}, recognizes, WARPSCOPE_MISSING(kFits)};
#endif
}

Codec jxlCodec() {
    const auto recognizes = [](Bytes bytes) {
        return hasAt(bytes, 0, "\xFF\x0A"sv) || hasAt(bytes, 0, "\0\0\0\x0CJXL \x0D\x0A\x87\x0A"sv);
    };
#if WARPSCOPE_JXL
    return {{{kJxl[0], {"jxl"}, true, false}}, recognizes, decodeJxl, nullptr, listJxlPages};
#else
    return {{{kJxl[0], {"jxl"}, false, false}}, recognizes, WARPSCOPE_MISSING(kJxl)};
#endif
}

Codec heifCodec() {
    const auto recognizes = [](Bytes bytes) {
        if (!hasAt(bytes, 4, "ftyp"sv)) return false;
        for (const auto brand : {"avif"sv, "avis"sv, "heic"sv, "heix"sv, "hevc"sv, "hevx"sv,
                                 "heim"sv, "heis"sv, "mif1"sv, "mif2"sv, "msf1"sv})
            if (hasAt(bytes, 8, brand)) return true;
        return false;
    };
#if WARPSCOPE_HEIF
    return {{{"HEIF", {"heic", "heif"}, true, false}, {"AVIF", {"avif"}, true, false}},
            recognizes,
            decodeHeif,
            nullptr,
            listHeifPages};
#else
    return {{{"HEIF", {"heic", "heif"}, false, false}, {"AVIF", {"avif"}, false, false}},
            recognizes,
            WARPSCOPE_MISSING(kHeif)};
#endif
}

// Before TIFF, which most of them are: what tells them apart is a DNG's version, or samples of a
// colour filter array.
Codec rawCodec() {
    const auto recognizes = [](Bytes bytes) {
        for (const auto magic :
             {"FUJIFILMCCD-RAW"sv, "IIRO"sv, "IIRS"sv, "MMOR"sv, "IIU\0"sv, "FOVb"sv, "\0MRM"sv})
            if (hasAt(bytes, 0, magic)) return true;
        return hasAt(bytes, 4, "ftypcrx "sv) || hasAt(bytes, 6, "HEAPCCDR"sv) ||
               ((hasAt(bytes, 0, "II*\0"sv) || hasAt(bytes, 0, "MM\0*"sv)) &&
                (hasAt(bytes, 8, "CR\2"sv) || hasSensorSamples(bytes)));
    };
    const std::vector<std::string> extensions{"dng", "cr2", "cr3", "nef", "arw",
                                              "raf", "orf", "rw2", "pef", "srw"};
#if WARPSCOPE_RAW
    return {{{kRaw[0], extensions, true, false}}, recognizes, decodeRaw, nullptr, nullptr};
#else
    return {{{kRaw[0], extensions, false, false}}, recognizes, WARPSCOPE_MISSING(kRaw)};
#endif
}

}  // namespace warpscope::io
