// HEIF and AVIF with libheif: every image of the file that stands for itself. Gray is read as it is
// coded; colours become RGB of as many bits as are coded, which is exact only where they are coded
// as RGB. Turns and mirrors of the file are applied by the library.
#include <fmt/format.h>
#include <libheif/heif.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/io/decode_support.h"
#include "engine/io/exif.h"

namespace warpscope::io {
namespace {

// What the library and its decoder hold of a pixel: frames, planes, the interleaved copy.
constexpr std::uint64_t kSamplesPerPixel = 12;
// Images that one file may hold.
constexpr int kMostImages = 4096;

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* object) const {
        Free(object);
    }
};
using ContextPtr = std::unique_ptr<heif_context, Freed<heif_context_free>>;
using HandlePtr = std::unique_ptr<heif_image_handle, Freed<heif_image_handle_release>>;
using PicturePtr = std::unique_ptr<heif_image, Freed<heif_image_release>>;

tl::unexpected<Error> heifError(const heif_error& error) {
    const std::string why = cleanText(error.message ? error.message : "");
    switch (error.code) {
        case heif_error_Memory_allocation_error:
            return fail(ErrorCode::LimitExceeded,
                        fmt::format("beyond a limit of libheif: {}", why));
        case heif_error_Unsupported_filetype:
        case heif_error_Unsupported_feature:
        case heif_error_Plugin_loading_error:
            return fail(ErrorCode::Unsupported,
                        fmt::format("this build's libheif does not read it: {}", why));
        default:
            return damagedHeader(why);
    }
}

Result<ContextPtr> openHeif(Bytes bytes) {
    ContextPtr context(heif_context_alloc());
    if (!context) throw std::bad_alloc();
    heif_context_set_maximum_image_size_limit(context.get(), kMaxSide);
    const auto error = heif_context_read_from_memory_without_copy(context.get(), bytes.data(),
                                                                  bytes.size(), nullptr);
    if (error.code != heif_error_Ok) return heifError(error);
    return context;
}

// The primary image first.
Result<std::vector<heif_item_id>> imagesOf(heif_context* context) {
    const int count = heif_context_get_number_of_top_level_images(context);
    if (count > kMostImages)
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("{} images are more than the limit of {}", count, kMostImages));
    std::vector<heif_item_id> ids(std::size_t(std::max(count, 0)));
    if (count > 0) heif_context_get_list_of_top_level_image_IDs(context, ids.data(), count);
    heif_item_id primary = 0;
    if (heif_context_get_primary_image_ID(context, &primary).code == heif_error_Ok) {
        const auto found = std::find(ids.begin(), ids.end(), primary);
        if (found != ids.end()) std::rotate(ids.begin(), found, found + 1);
    }
    if (ids.empty()) return damagedHeader("there is no image in it");
    return ids;
}

struct HeifLayout {
    int width = 0, height = 0, bits = 8;
    bool alpha = false, premultiplied = false, gray = false;

    // Alpha makes gray colour.
    PixelFormat format() const {
        if (gray && !alpha) return bits > 8 ? PixelFormat::Gray16 : PixelFormat::Gray8;
        return bits > 8 ? PixelFormat::Rgba16 : PixelFormat::Rgba8;
    }
};

Result<HeifLayout> layoutOf(const heif_image_handle* handle) {
    HeifLayout layout;
    layout.width = heif_image_handle_get_width(handle);
    layout.height = heif_image_handle_get_height(handle);
    if (layout.width < 0 || layout.height < 0) return damagedHeader("its sides are wrong");
    if (auto ok = checkSides(std::uint64_t(layout.width), std::uint64_t(layout.height)); !ok)
        return fail(ok.error());
    layout.bits = heif_image_handle_get_luma_bits_per_pixel(handle);
    layout.alpha = heif_image_handle_has_alpha_channel(handle) != 0;
    layout.premultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0;
    if (layout.bits < 8 || layout.bits > 16)
        return fail(ErrorCode::Unsupported,
                    fmt::format("HEIF with samples of {} bits is not read", layout.bits));
    return layout;
}

// Whether a description of a coded picture says that it is gray. An alpha channel is one, too, so
// that it takes decoding to know.
bool mayBeGray(Bytes bytes) {
    const Bytes front = bytes.first(std::min<std::size_t>(bytes.size(), 1 << 20));
    const auto anyBox = [&](std::string_view name, std::size_t at, std::uint8_t mask,
                            std::uint8_t value) {
        for (auto it = front.begin();; ++it) {
            it = std::search(it, front.end(), name.begin(), name.end());
            if (std::size_t(front.end() - it) <= 4 + at) return false;
            if ((it[std::ptrdiff_t(4 + at)] & mask) == value) return true;
        }
    };
    return anyBox("av1C", 2, 0x10, 0x10) || anyBox("hvcC", 16, 3, 0);
}

Result<PicturePtr> decodePicture(const heif_image_handle* handle, Bytes bytes, HeifLayout& layout) {
    if (mayBeGray(bytes)) {
        heif_image* decoded = nullptr;
        const auto error = heif_decode_image(handle, &decoded, heif_colorspace_undefined,
                                             heif_chroma_undefined, nullptr);
        PicturePtr picture(decoded);
        if (error.code != heif_error_Ok) return heifError(error);
        layout.gray = heif_image_get_colorspace(picture.get()) == heif_colorspace_monochrome;
        if (layout.gray && !layout.alpha) return picture;
    }
    const heif_chroma chroma = layout.bits > 8 ? (layout.alpha ? heif_chroma_interleaved_RRGGBBAA_LE
                                                               : heif_chroma_interleaved_RRGGBB_LE)
                                               : (layout.alpha ? heif_chroma_interleaved_RGBA
                                                               : heif_chroma_interleaved_RGB);
    heif_image* decoded = nullptr;
    const auto error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, nullptr);
    PicturePtr picture(decoded);
    if (error.code != heif_error_Ok) return heifError(error);
    return picture;
}

Result<void> copyRows(const heif_image* picture, const HeifLayout& layout, MutableImage& image,
                      const std::stop_token& stop) {
    const bool plane = !isColor(layout.format());
    const heif_channel channel = plane ? heif_channel_Y : heif_channel_interleaved;
    int stride = 0;
    const std::uint8_t* from = heif_image_get_plane_readonly(picture, channel, &stride);
    const int channels = plane ? 1 : layout.alpha ? 4 : 3;
    // The headers of the file and of the picture in it may differ.
    if (!from || heif_image_get_width(picture, channel) != image.width() ||
        heif_image_get_height(picture, channel) != image.height() ||
        heif_image_get_bits_per_pixel_range(picture, channel) != layout.bits)
        return damagedHeader("the picture is not what the file says");
    return forEachRow(image.height(), stop, [&](int y) -> Result<void> {
        visitSampleType(layout.format(), [&]<class T>() {
            if constexpr (sizeof(T) <= 2) {
                T* to = image.view<T>().row(y);
                std::memcpy(to, from + std::ptrdiff_t(stride) * y,
                            sizeof(T) * std::size_t(image.width() * channels));
                if (channels > 1) widenToRgba(to, image.width(), channels);
            }
        });
        return {};
    });
}

void readMetadata(const heif_image_handle* handle, ImageInfo& info) {
    heif_item_id id = 0;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) == 1) {
        const std::size_t size = heif_image_handle_get_metadata_size(handle, id);
        std::vector<std::uint8_t> block(size <= kMaxProfileBytes ? size : 0);
        if (block.size() > 4 &&
            heif_image_handle_get_metadata(handle, id, block.data()).code == heif_error_Ok) {
            const std::size_t skip =
                4 + (std::size_t(block[0]) << 24 | std::size_t(block[1]) << 16 |
                     std::size_t(block[2]) << 8 | block[3]);
            // The orientation in it is for others: the file has turns of its own.
            if (skip < block.size()) addExif(info, Bytes(block).subspan(skip));
        }
    }
    const auto kind = heif_image_handle_get_color_profile_type(handle);
    const std::size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    if ((kind == heif_color_profile_type_prof || kind == heif_color_profile_type_rICC) &&
        size > 0 && size <= kMaxProfileBytes) {
        std::vector<std::uint8_t> profile(size);
        if (heif_image_handle_get_raw_color_profile(handle, profile.data()).code == heif_error_Ok)
            setProfile(info, profile);
    }
    heif_color_profile_nclx* nclx = nullptr;
    const bool known =
        heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok;
    // It is there after some failures too.
    const std::unique_ptr<heif_color_profile_nclx, Freed<heif_nclx_color_profile_free>> owned(nclx);
    if (known && nclx) {
        addMetadata(info, "colours",
                    fmt::format("primaries {}, transfer {}, matrix {} (ITU-T H.273)",
                                int(nclx->color_primaries), int(nclx->transfer_characteristics),
                                int(nclx->matrix_coefficients)));
    }
}

bool isAvif(Bytes bytes) {
    return bytes.size() >= 12 && (std::memcmp(bytes.data() + 8, "avif", 4) == 0 ||
                                  std::memcmp(bytes.data() + 8, "avis", 4) == 0);
}

}  // namespace

Result<Image> decodeHeif(Bytes bytes, const ReadOptions& options) {
    auto context = openHeif(bytes);
    if (!context) return fail(context.error());
    const auto ids = imagesOf(context->get());
    if (!ids) return fail(ids.error());
    if (auto ok = checkPage(options.page, ids->size(), "image"); !ok) return fail(ok.error());
    heif_image_handle* raw = nullptr;
    const auto error =
        heif_context_get_image_handle(context->get(), (*ids)[std::size_t(options.page)], &raw);
    const HandlePtr handle(raw);
    if (error.code != heif_error_Ok) return heifError(error);
    auto layout = layoutOf(handle.get());
    if (!layout) return fail(layout.error());
    const std::uint64_t beside = std::uint64_t(layout->width) * std::uint64_t(layout->height) *
                                 kSamplesPerPixel * std::uint64_t(bytesPerSample(layout->format()));
    if (auto ok = checkShape(layout->format(), std::uint64_t(layout->width),
                             std::uint64_t(layout->height), options.limits, beside);
        !ok)
        return fail(ok.error());
    const auto picture = decodePicture(handle.get(), bytes, *layout);
    if (!picture) return fail(picture.error());
    if (options.stop.stop_requested()) return cancelled();
    auto image = createImage(layout->format(), std::uint64_t(layout->width),
                             std::uint64_t(layout->height), options.limits, beside);
    if (!image) return fail(image.error());
    if (auto ok = copyRows(picture->get(), *layout, *image, options.stop); !ok)
        return fail(ok.error());

    ImageInfo info;
    info.whiteLevel = double((1u << layout->bits) - 1);
    info.hasAlpha = layout->alpha;
    info.sourceFormat = describeSource(isAvif(bytes) ? "AVIF" : "HEIF", layout->bits,
                                       layout->gray    ? (layout->alpha ? "gray and alpha" : "gray")
                                       : layout->alpha ? "RGBA"
                                                       : "RGB");
    if (layout->premultiplied)
        addNotice(info, "colours are as they are stored, multiplied by alpha");
    readMetadata(handle.get(), info);
    addPageNotice(info, options.page, ids->size(), "image");
    return std::move(*image).freeze(std::move(info));
}

Result<std::vector<PageInfo>> listHeifPages(Bytes bytes, const ReadOptions& options) {
    auto context = openHeif(bytes);
    if (!context) return fail(context.error());
    const auto ids = imagesOf(context->get());
    if (!ids) return fail(ids.error());
    std::vector<PageInfo> pages;
    for (const heif_item_id id : *ids) {
        if (options.stop.stop_requested()) return cancelled();
        heif_image_handle* raw = nullptr;
        const auto error = heif_context_get_image_handle(context->get(), id, &raw);
        const HandlePtr handle(raw);
        PageInfo& page = pages.emplace_back();
        if (error.code != heif_error_Ok) {
            page.problem = heifError(error).value().message;
        } else if (const auto layout = layoutOf(handle.get())) {
            // Whether it is gray, decoding tells.
            page.size = {layout->width, layout->height};
        } else {
            page.problem = layout.error().message;
        }
    }
    return pages;
}

}  // namespace warpscope::io
