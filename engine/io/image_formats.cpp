// The list of formats, and the way from bytes to an image and back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "engine/io/codec.h"
#include "engine/io/decode_support.h"

namespace warpscope {
namespace {

using io::Bytes;
using io::Codec;

const std::vector<Codec>& codecs() {
    static const std::vector<Codec> all{io::pngCodec(),  io::jpegCodec(), io::tiffCodec(),
                                        io::webpCodec(), io::bmpCodec(),  io::pnmCodec(),
                                        io::npyCodec(),  io::exrCodec(),  io::jxlCodec(),
                                        io::heifCodec(), io::fitsCodec(), io::rawCodec()};
    return all;
}

// The later ones first: most RAW files are TIFF files too.
const Codec* codecOf(Bytes bytes) {
    const auto found = std::find_if(codecs().rbegin(), codecs().rend(),
                                    [&](const Codec& one) { return one.recognizes(bytes); });
    return found == codecs().rend() ? nullptr : &*found;
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string readableFormats() {
    std::vector<std::string> names;
    for (const auto& format : imageFormats())
        if (format.reads) names.push_back(format.name);
    return joined(names);
}

std::string writableExtensions() {
    std::vector<std::string> names;
    for (const auto& format : imageFormats())
        if (format.writes)
            names.insert(names.end(), format.extensions.begin(), format.extensions.end());
    return joined(names);
}

// What a person may have taken for an image of ours.
std::string guessContent(Bytes bytes) {
    struct Known {
        std::size_t at;
        std::string_view magic, what;
    };
    using namespace std::string_view_literals;
    static constexpr std::array kKnown{
        Known{0, "GIF8"sv, "a GIF"sv},
        Known{4, "jP  "sv, "a JPEG 2000 image"sv},
        Known{0, "8BPS"sv, "a Photoshop document"sv},
        Known{0, "%PDF"sv, "a PDF document"sv},
        Known{0, "PK\x03\x04"sv, "a ZIP archive"sv},
        Known{0, "\x1F\x8B"sv, "gzip data"sv},
        Known{0,
              "\x7F"
              "ELF"sv,
              "a program"sv},
        Known{0, "DDS "sv, "a DDS texture"sv},
        Known{0, "qoif"sv, "a QOI image"sv},
        Known{0, "#?RADIANCE"sv, "a Radiance HDR image"sv},
    };
    if (bytes.empty()) return "the file is empty";
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const auto& known : kKnown)
        if (text.size() >= known.at + known.magic.size() &&
            text.substr(known.at, known.magic.size()) == known.magic)
            return fmt::format("it is {}", known.what);
    const std::string_view front = text.substr(0, 256);
    if (front.find("<svg") != front.npos) return "it is an SVG drawing";
    const bool isText = std::all_of(front.begin(), front.end(), [](unsigned char c) {
        return c == '\n' || c == '\r' || c == '\t' || (c >= 0x20 && c < 0x7F);
    });
    if (isText) return fmt::format("it is text, \"{}\"", io::cleanText(front.substr(0, 24)));
    std::string hex;
    for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(8, bytes.size())))
        hex += fmt::format(" {:02x}", byte);
    return fmt::format("it begins with the bytes{}", hex);
}

tl::unexpected<Error> named(const std::string& name, Error error) {
    if (error.code != ErrorCode::Cancelled)
        error.message = fmt::format("{}: {}", io::cleanText(name, 4096), error.message);
    return fail(std::move(error));
}

// The seam where exceptions of codecs become errors.
template <class Call>
auto guarded(Call&& call) -> decltype(call()) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory");
    } catch (const std::length_error&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory");
    } catch (const std::exception& e) {
        return fail(ErrorCode::Internal, io::cleanText(e.what()));
    }
}

}  // namespace

const std::vector<FormatInfo>& imageFormats() {
    static const std::vector<FormatInfo> all = [] {
        std::vector<FormatInfo> list;
        for (const auto& codec : codecs())
            list.insert(list.end(), codec.formats.begin(), codec.formats.end());
        return list;
    }();
    return all;
}

std::string lowerExtension(const std::filesystem::path& name) {
    std::string extension = name.extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
    return extension;
}

Result<const FormatInfo*> formatForSaving(const std::filesystem::path& name) {
    const std::string extension = lowerExtension(name);
    for (const FormatInfo& format : imageFormats()) {
        const auto& known = format.extensions;
        if (format.writes && std::find(known.begin(), known.end(), extension) != known.end())
            return &format;
    }
    return named(
        name.string(),
        {ErrorCode::Unsupported,
         extension.empty()
             ? fmt::format("the name has no extension; use one of {}", writableExtensions())
             : fmt::format("the extension \"{}\" is not one this program writes; use one "
                           "of {}",
                           io::cleanText(extension, 40), writableExtensions())});
}

Result<void> io::checkContent(Bytes front, const ReadOptions& options) {
    if (const Codec* codec = codecOf(front)) {
        const ReadLimits& limits = options.limits;
        if (limits.bytesInUse <= limits.maxDecodedBytes) return {};
        // The header is looked at before memory is taken, and nothing is left to take.
        const auto image = guarded([&] { return codec->decode(front, options); });
        if (!image && image.error().code == ErrorCode::LimitExceeded) return fail(image.error());
        return fail(beyondMemory("the bytes of the file alone", limits.bytesInUse, limits));
    }
    return fail(ErrorCode::Unsupported, fmt::format("not an image this program reads: {}; it reads "
                                                    "{}",
                                                    guessContent(front), readableFormats()));
}

Result<Image> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name,
                          const ReadOptions& options) {
    if (bytes.size() > options.limits.maxFileBytes) {
        return named(name, {ErrorCode::LimitExceeded,
                            fmt::format("{} bytes are more than the limit of {} bytes for a file",
                                        bytes.size(), options.limits.maxFileBytes)});
    }
    if (options.stop.stop_requested()) return cancelled();
    if (auto ok = io::checkContent(bytes, options); !ok) return named(name, ok.error());
    const Codec* codec = codecOf(bytes);
    if (!codec->pages)
        if (auto ok = io::checkPage(options.page, 1, "page"); !ok) return named(name, ok.error());
    auto image = guarded([&] { return codec->decode(bytes, options); });
    return image ? std::move(image) : named(name, image.error());
}

Result<std::vector<PageInfo>> listPagesOf(std::span<const std::uint8_t> bytes,
                                          const std::string& name, const ReadOptions& options) {
    if (options.stop.stop_requested()) return cancelled();
    if (auto ok = io::checkContent(bytes, options); !ok) return named(name, ok.error());
    const Codec* codec = codecOf(bytes);
    if (!codec->pages) return std::vector<PageInfo>(1);
    auto pages = guarded([&] { return codec->pages(bytes, options); });
    if (!pages) return named(name, pages.error());
    return pages;
}

Result<EncodedImage> encodeImage(const Image& image, const std::filesystem::path& name,
                                 const std::stop_token& stop) {
    if (stop.stop_requested()) return cancelled();
    if (image.isNull()) return fail(ErrorCode::InvalidArgument, "there is no image to save");
    const auto format = formatForSaving(name);
    if (!format) return fail(format.error());
    const auto writes = [&](const io::Codec& codec) {
        return std::any_of(codec.formats.begin(), codec.formats.end(),
                           [&](const FormatInfo& one) { return one.name == (*format)->name; });
    };
    const auto codec = std::find_if(codecs().begin(), codecs().end(), writes);  // there is one
    auto encoded = guarded([&] { return codec->encode(image, lowerExtension(name), stop); });
    return encoded ? std::move(encoded)
                   : Result<EncodedImage>(named(name.string(), encoded.error()));
}

}  // namespace warpscope
