// FITS with cfitsio, from memory only: each image of the file, and each plane of a cube, is a page.
// Samples are those that are stored; of BZERO and BSCALE only what makes integers unsigned is
// applied.
#include <fitsio.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/checked.h"
#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

constexpr int kMostAxes = 999;
constexpr std::uint64_t kBlockBytes = 2880;
// Pixels of one compressed tile, which are unpacked together.
constexpr std::uint64_t kMostPixelsInTile = 64 << 20;
// What the library takes for each of them: packed, unpacked, converted.
constexpr std::uint64_t kTileBytesPerPixel = 24;

std::string fitsMessage(int status) {
    char first[FLEN_ERRMSG] = "", text[FLEN_STATUS] = "";
    fits_get_errstatus(status, text);
    if (fits_read_errmsg(first)) fits_clear_errmsg();
    return cleanText(text);
}

class FitsFile {
  public:
    // cfitsio reads whole blocks: past the end of a file whose last one is not filled up, if it
    // were not given a copy that is.
    explicit FitsFile(Bytes bytes)
        : m_memory(const_cast<std::uint8_t*>(bytes.data())), m_size(bytes.size()) {
        if (m_size % kBlockBytes != 0) {
            const std::size_t filled = (m_size / kBlockBytes + 1) * kBlockBytes;
            m_filled.reserve(filled);
            m_filled.assign(bytes.begin(), bytes.end());
            m_filled.resize(filled);
            m_memory = m_filled.data();
            m_size = m_filled.size();
        }
        fits_open_memfile(&m_file, "memory", READONLY, &m_memory, &m_size, 0, nullptr, &m_status);
    }
    ~FitsFile() {
        int status = 0;
        if (m_file) fits_close_file(m_file, &status);
        fits_clear_errmsg();
    }
    FitsFile(const FitsFile&) = delete;
    FitsFile& operator=(const FitsFile&) = delete;

    fitsfile* get() const { return m_file; }
    std::uint64_t copiedBytes() const { return m_filled.size(); }
    int status() const { return m_status; }

    // Of the current header; empty where it is not there.
    std::string text(const char* key) const {
        char value[FLEN_VALUE] = "";
        int status = 0;
        fits_read_key(m_file, TSTRING, key, value, nullptr, &status);
        return status == 0 ? cleanText(value) : "";
    }
    double number(const char* key, double otherwise) const {
        double value = 0;
        int status = 0;
        fits_read_key(m_file, TDOUBLE, key, &value, nullptr, &status);
        return status == 0 ? value : otherwise;
    }

  private:
    fitsfile* m_file = nullptr;
    std::vector<std::uint8_t> m_filled;
    void* m_memory;
    std::size_t m_size;
    int m_status = 0;
};

// An image as its header has it.
struct FitsImage {
    int hdu = 1;
    std::string name;
    int bitpix = 8;
    std::vector<LONGLONG> sides;
    double scale = 1, zero = 0;
    bool compressed = false;
    std::uint64_t tilePixels = 0;

    std::uint64_t width() const { return std::uint64_t(sides[0]); }
    std::uint64_t height() const { return sides.size() > 1 ? std::uint64_t(sides[1]) : 1; }
    std::optional<std::uint64_t> planes() const {
        std::optional<std::uint64_t> count = 1;
        for (std::size_t i = 2; i < sides.size() && count; ++i)
            count = checkedMultiply(*count, std::uint64_t(sides[i]));
        return count;
    }
    bool isUnsigned() const {
        return scale == 1 && (bitpix == 16   ? zero == 32768
                              : bitpix == 32 ? zero == 2147483648.0
                              : bitpix == 64 ? zero == 9223372036854775808.0
                                             : bitpix == 8 && zero == 0);
    }
    PixelFormat format() const {
        if (!isUnsigned()) return PixelFormat::GrayF32;
        return bitpix == 8    ? PixelFormat::Gray8
               : bitpix == 16 ? PixelFormat::Gray16
               : bitpix == 32 ? PixelFormat::Gray32
                              : PixelFormat::Gray64;
    }
    std::string describe() const {
        return fmt::format("FITS, {}{}, gray{}", std::abs(bitpix),
                           bitpix < 0     ? "-bit float"
                           : isUnsigned() ? " bits"
                           : bitpix == 8  ? " bits"
                                          : "-bit signed",
                           compressed ? ", compressed" : "");
    }
};

// The current header; nothing where it holds a table, or no samples.
Result<std::optional<FitsImage>> readHeader(const FitsFile& file, int hdu) {
    int status = 0, type = 0, axes = 0;
    FitsImage image;
    image.hdu = hdu;
    fits_get_hdu_type(file.get(), &type, &status);
    if (status == 0 && type != IMAGE_HDU) return std::nullopt;
    fits_get_img_dim(file.get(), &axes, &status);
    if (status == 0 && axes == 0) return std::nullopt;
    if (axes < 0 || axes > kMostAxes) return damagedHeader("the number of its sides is wrong");
    image.sides.resize(std::size_t(axes));
    fits_get_img_type(file.get(), &image.bitpix, &status);
    fits_get_img_sizell(file.get(), axes, image.sides.data(), &status);
    if (status != 0) return damagedHeader(fitsMessage(status));
    for (const LONGLONG side : image.sides) {
        if (side < 0) return damagedHeader("a side is negative");
        if (side == 0) return std::nullopt;
    }
    image.scale = file.number("BSCALE", 1);
    image.zero = file.number("BZERO", 0);
    image.compressed = fits_is_compressed_image(file.get(), &status) != 0;
    if (image.compressed) {
        std::optional<std::uint64_t> pixels = 1;
        for (int i = 1; i <= axes && pixels; ++i) {
            const double side = file.number(fmt::format("ZTILE{}", i).c_str(),
                                            i == 1 ? double(image.sides[0]) : 1.0);
            if (!(side >= 1 && side < 4e18)) return damagedHeader("a tile has no size");
            pixels = checkedMultiply(*pixels, std::uint64_t(side));
        }
        image.tilePixels = pixels.value_or(~std::uint64_t(0));
    }
    image.name = file.text("EXTNAME");
    if (image.name.empty()) image.name = fmt::format("HDU {}", hdu);
    return image;
}

struct FitsPage {
    FitsImage image;
    std::uint64_t plane = 0;
    PageInfo info;
};

Result<std::vector<FitsPage>> pagesOf(const FitsFile& file, const std::stop_token& stop) {
    std::vector<FitsPage> pages;
    for (int hdu = 1; pages.size() < std::size_t(kMostPages); ++hdu) {
        if (stop.stop_requested()) return cancelled();
        int status = 0;
        if (hdu > 1) fits_movabs_hdu(file.get(), hdu, nullptr, &status);
        if (status == END_OF_FILE || status == BAD_HDU_NUM) break;
        auto image = status != 0
                         ? Result<std::optional<FitsImage>>(damagedHeader(fitsMessage(status)))
                         : readHeader(file, hdu);
        if (!image) {
            // Nothing behind it can be found.
            pages.push_back({{}, 0, {fmt::format("HDU {}", hdu), {}, {}, image.error().message}});
            break;
        }
        if (!*image) continue;
        const std::uint64_t planes = (*image)->planes().value_or(~std::uint64_t(0));
        for (std::uint64_t plane = 0; plane < planes && pages.size() < std::size_t(kMostPages);
             ++plane) {
            FitsPage page{**image, plane, {}};
            page.info.name =
                planes > 1 ? fmt::format("{} [{}]", page.image.name, plane + 1) : page.image.name;
            if (auto ok = checkSides(page.image.width(), page.image.height()); !ok) {
                page.info.problem = ok.error().message;
            } else {
                page.info.size = {int(page.image.width()), int(page.image.height())};
                page.info.format = page.image.format();
            }
            pages.push_back(std::move(page));
        }
    }
    if (pages.empty())
        return fail(ErrorCode::Unsupported, "the FITS file holds no image, only tables or headers");
    return pages;
}

// Signed samples with the offset that makes them unsigned, which turns their highest bit over.
template <class T>
void toUnsigned(const std::vector<std::uint8_t>& row, T* to, int width) {
    std::memcpy(to, row.data(), sizeof(T) * std::size_t(width));
    if constexpr (sizeof(T) > 1)
        for (int x = 0; x < width; ++x) to[x] = T(to[x] ^ (T(1) << (8 * sizeof(T) - 1)));
}

int typeOf(int bitpix) {
    return bitpix == 8     ? TBYTE
           : bitpix == 16  ? TSHORT
           : bitpix == 32  ? TINT
           : bitpix == 64  ? TLONGLONG
           : bitpix == -32 ? TFLOAT
                           : TDOUBLE;
}

bool convertRow(const FitsImage& image, const std::vector<std::uint8_t>& row, MutableImage& to,
                int y) {
    const int width = to.width();
    const auto count = std::size_t(width);
    switch (to.format()) {
        case PixelFormat::Gray8:
            toUnsigned(row, to.view<std::uint8_t>().row(y), width);
            return true;
        case PixelFormat::Gray16:
            toUnsigned(row, to.view<std::uint16_t>().row(y), width);
            return true;
        case PixelFormat::Gray32:
            toUnsigned(row, to.view<std::uint32_t>().row(y), width);
            return true;
        case PixelFormat::Gray64:
            toUnsigned(row, to.view<std::uint64_t>().row(y), width);
            return true;
        default:
            break;
    }
    float* out = to.view<float>().row(y);
    switch (image.bitpix) {
        case 8:
            return toFloat<std::uint8_t>(row.data(), count, out);
        case 16:
            return toFloat<std::int16_t>(row.data(), count, out);
        case 32:
            return toFloat<std::int32_t>(row.data(), count, out);
        case 64: {
            bool exact = true;
            for (std::size_t i = 0; i < count; ++i) {
                std::int64_t value;
                std::memcpy(&value, row.data() + 8 * i, 8);
                out[i] = float(value);
                // 2^63 is no int64.
                exact = exact && out[i] < 9.2e18f && std::int64_t(out[i]) == value;
            }
            return exact;
        }
        case -32:
            std::memcpy(out, row.data(), 4 * count);
            return true;
        default:
            return toFloat<double>(row.data(), count, out);
    }
}

// Of the current image. The library reads zeros behind the end of the file.
Result<void> checkStored(const FitsFile& file, const FitsImage& image, Bytes bytes) {
    LONGLONG dataAt = 0, dataEnd = 0;
    int status = 0;
    fits_get_hduaddrll(file.get(), nullptr, &dataAt, &dataEnd, &status);
    if (status != 0 || dataAt < 0 || dataEnd < dataAt) return damagedHeader(fitsMessage(status));
    const std::uint64_t size = bytes.size();
    const std::uint64_t available = size - std::min(size, std::uint64_t(dataAt));
    if (image.compressed) {
        // The last block may lack what fills it up.
        if (std::uint64_t(dataEnd) >= size + kBlockBytes)
            return fail(tooFewBytes(size, std::uint64_t(dataEnd)));
        if (image.tilePixels <= kMostPixelsInTile) return {};
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("its tiles have more than {} million pixels", kMostPixelsInTile >> 20));
    }
    const auto pixels =
        checkedMultiply(image.width() * image.height(), image.planes().value_or(~std::uint64_t(0)));
    const auto needed =
        pixels ? checkedMultiply(*pixels, std::uint64_t(std::abs(image.bitpix) / 8)) : std::nullopt;
    if (!needed || *needed > available)
        return fail(tooFewBytes(available, needed.value_or(~std::uint64_t(0))));
    return {};
}

void describe(const FitsFile& file, const FitsPage& page, ImageInfo& info) {
    const FitsImage& image = page.image;
    info.whiteLevel = image.bitpix < 0 ? 1.0
                      : image.isUnsigned() || image.bitpix == 8
                          ? std::ldexp(1.0, image.bitpix) - 1
                          : std::ldexp(1.0, image.bitpix - 1) - 1;
    info.sourceFormat = image.describe();
    addNotice(info, "the first row of the file is the lowest, as FITS has it");
    if (!image.isUnsigned() && (image.scale != 1 || image.zero != 0))
        addNotice(info, fmt::format("samples are as stored; the file says value = {} + {} * sample",
                                    image.zero, image.scale));
    if (const std::string blank = file.text("BLANK"); !blank.empty() && image.bitpix > 0)
        addNotice(info, fmt::format("stored samples of {} stand for no value", blank));
    if (image.compressed && image.bitpix < 0)
        addNotice(info, "float samples were compressed, in most files with loss");
    addMetadata(info, "image", page.info.name);
    constexpr std::pair<const char*, const char*> kKeys[] = {
        {"OBJECT", "object"},   {"TELESCOP", "telescope"}, {"INSTRUME", "instrument"},
        {"FILTER", "filter"},   {"EXPTIME", "exposure"},   {"DATE-OBS", "date"},
        {"OBSERVER", "author"}, {"BUNIT", "unit"}};
    for (const auto& [key, name] : kKeys) addMetadata(info, name, file.text(key));
}

Result<Image> decodePage(const FitsFile& file, const FitsPage& page, Bytes bytes,
                         const ReadOptions& options) {
    const FitsImage& image = page.image;
    int status = 0;
    fits_movabs_hdu(file.get(), image.hdu, nullptr, &status);
    if (auto ok = checkStored(file, image, bytes); !ok) return fail(ok.error());
    std::vector<std::uint8_t> row;
    const std::uint64_t rowBytes = image.width() * std::uint64_t(std::abs(image.bitpix) / 8);
    auto made = createImage(image.format(), image.width(), image.height(), options.limits,
                            rowBytes + image.tilePixels * kTileBytesPerPixel + file.copiedBytes());
    if (!made) return fail(made.error());
    row.resize(std::size_t(rowBytes));
    fits_set_bscale(file.get(), 1.0, 0.0, &status);
    std::vector<LONGLONG> first(std::max<std::size_t>(image.sides.size(), 2), 1);
    std::uint64_t plane = page.plane;
    for (std::size_t i = 2; i < image.sides.size(); ++i) {
        first[i] = LONGLONG(plane % std::uint64_t(image.sides[i])) + 1;
        plane /= std::uint64_t(image.sides[i]);
    }
    auto done = forEachRow(made->height(), options.stop, [&](int y) -> Result<void> {
        first[1] = y + 1;
        int any = 0;
        fits_read_pixll(file.get(), typeOf(image.bitpix), first.data(), LONGLONG(image.width()),
                        nullptr, row.data(), &any, &status);
        if (status != 0) return fail(damagedAfterRow(y, made->height(), fitsMessage(status)));
        if (convertRow(image, row, *made, made->height() - 1 - y)) return {};
        return fail(ErrorCode::Unsupported,
                    fmt::format("row {} of the file has {}-bit samples that 32-bit float cannot "
                                "hold exactly",
                                y, std::abs(image.bitpix)));
    });
    if (!done) return fail(done.error());
    ImageInfo info;
    describe(file, page, info);
    return std::move(*made).freeze(std::move(info));
}

}  // namespace

Result<Image> decodeFits(Bytes bytes, const ReadOptions& options) {
    const FitsFile file(bytes);
    if (file.status() != 0) return damagedHeader(fitsMessage(file.status()));
    const auto pages = pagesOf(file, options.stop);
    if (!pages) return fail(pages.error());
    if (auto ok = checkPage(options.page, pages->size(), "page"); !ok) return fail(ok.error());
    const FitsPage& page = (*pages)[std::size_t(options.page)];
    if (page.image.sides.empty()) return fail(ErrorCode::Damaged, page.info.problem);
    if (auto ok = checkSides(page.image.width(), page.image.height()); !ok) return fail(ok.error());
    auto image = decodePage(file, page, bytes, options);
    if (!image) return image;
    ImageInfo info = image->info();
    addPageNotice(info, options.page, pages->size(), "page");
    return image->withInfo(std::move(info));
}

Result<std::vector<PageInfo>> listFitsPages(Bytes bytes, const ReadOptions& options) {
    const FitsFile file(bytes);
    if (file.status() != 0) return damagedHeader(fitsMessage(file.status()));
    auto pages = pagesOf(file, options.stop);
    if (!pages) return fail(pages.error());
    std::vector<PageInfo> infos;
    for (FitsPage& page : *pages) infos.push_back(std::move(page.info));
    return infos;
}

}  // namespace warpscope::io
