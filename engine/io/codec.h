// What a codec is to the rest of engine/io. Private to this folder: programs use image_reader.h and
// image_writer.h. Exceptions other than std::bad_alloc, and every longjmp, stay inside a codec.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/io/image_reader.h"
#include "engine/io/image_writer.h"

namespace warpscope::io {

using Bytes = std::span<const std::uint8_t>;

struct Codec {
    std::vector<FormatInfo> formats;
    // By the first bytes; true also for a file that turns out to be cut.
    bool (*recognizes)(Bytes bytes);
    // Messages carry no file name; the registry puts it in front.
    Result<Image> (*decode)(Bytes bytes, const ReadOptions& options);
    // `extension` is one of formats[].extensions, lower case; the token is looked at several times
    // a second. Null where no format is written.
    Result<EncodedImage> (*encode)(const Image& image, std::string_view extension,
                                   const std::stop_token& stop);
    // Null where a file holds one image; `decode` sees no other page than 0 then.
    Result<std::vector<PageInfo>> (*pages)(Bytes bytes, const ReadOptions& options) = nullptr;
};

Codec pngCodec();
Codec jpegCodec();
Codec tiffCodec();
Codec webpCodec();
Codec bmpCodec();
Codec pnmCodec();
Codec npyCodec();
Codec exrCodec();
Codec fitsCodec();
Codec jxlCodec();
Codec heifCodec();
Codec rawCodec();

// Readers and writers live in files of their own.
Result<Image> decodePng(Bytes bytes, const ReadOptions& options);
Result<Image> decodeJpeg(Bytes bytes, const ReadOptions& options);
Result<Image> decodeTiff(Bytes bytes, const ReadOptions& options);
Result<Image> decodeWebp(Bytes bytes, const ReadOptions& options);
Result<Image> decodeBmp(Bytes bytes, const ReadOptions& options);
Result<Image> decodePnm(Bytes bytes, const ReadOptions& options);
Result<Image> decodeNpy(Bytes bytes, const ReadOptions& options);
Result<Image> decodeFits(Bytes bytes, const ReadOptions& options);
Result<Image> decodeJxl(Bytes bytes, const ReadOptions& options);
Result<Image> decodeHeif(Bytes bytes, const ReadOptions& options);
Result<Image> decodeRaw(Bytes bytes, const ReadOptions& options);
Result<Image> decodeExr(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listFitsPages(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listJxlPages(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listHeifPages(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listExrPages(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listTiffPages(Bytes bytes, const ReadOptions& options);
Result<std::vector<PageInfo>> listWebpPages(Bytes bytes, const ReadOptions& options);
Result<EncodedImage> encodePng(const Image& image, std::string_view extension,
                               const std::stop_token& stop);
Result<EncodedImage> encodeJpeg(const Image& image, std::string_view extension,
                                const std::stop_token& stop);
Result<EncodedImage> encodeTiff(const Image& image, std::string_view extension,
                                const std::stop_token& stop);
Result<EncodedImage> encodeWebp(const Image& image, std::string_view extension,
                                const std::stop_token& stop);
Result<EncodedImage> encodeBmp(const Image& image, std::string_view extension,
                               const std::stop_token& stop);
Result<EncodedImage> encodePnm(const Image& image, std::string_view extension,
                               const std::stop_token& stop);
Result<EncodedImage> encodeNpy(const Image& image, std::string_view extension,
                               const std::stop_token& stop);

}  // namespace warpscope::io
