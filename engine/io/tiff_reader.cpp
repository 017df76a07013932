// TIFF with libtiff: strips and tiles, planes together and apart, every compression it was built
// with. Samples are unpacked here, because libtiff's own conversion to RGBA cuts them to 8 bits.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/base/checked.h"
#include "engine/io/decode_support.h"
#include "engine/io/exif.h"
#include "engine/io/orientation.h"
#include "engine/io/tiff_samples.h"

namespace warpscope::io {
namespace {

using Color = TiffLayout::Color;
using Alpha = TiffLayout::Alpha;

// Strips up to here are unpacked in one piece: faster, and the checksum of deflate is looked at.
constexpr std::uint64_t kWholeStripBytes = 32 << 20;
constexpr std::uint64_t kSmallestPieceLimit = 256 << 20;

// Bytes that one stored byte can become; 0 where there is no bound to speak of.
std::uint64_t largestRatio(const TiffLayout& layout) {
    switch (layout.compression) {
        case COMPRESSION_NONE:
            return 1;
        case COMPRESSION_PACKBITS:
            return 64;
        case COMPRESSION_LZW:
            return 4096;
        case COMPRESSION_ADOBE_DEFLATE:
        case COMPRESSION_DEFLATE:
            return 1032;
        case COMPRESSION_JPEG:  // a bit for a block of 64
            return 4096;
        case COMPRESSION_PIXARLOG:  // deflate of 2 bytes for a float of 4
            return 2064;
        case COMPRESSION_CCITTRLE:
        case COMPRESSION_CCITTRLEW:
        case COMPRESSION_CCITTFAX3:
        case COMPRESSION_CCITTFAX4:  // a bit for a row
            return 8 * layout.rowBytes;
        case COMPRESSION_LZMA:
        case COMPRESSION_ZSTD:
            return 65536;
        default:
            return 0;
    }
}

// One row of a block, as far as it lies in the image, in the widest samples that there are.
std::uint64_t unpackedRowBytes(const TiffLayout& layout) {
    return std::uint64_t(std::min(layout.blockWidth, layout.width)) *
           std::uint64_t(layout.channelsInRow()) * sizeof(std::uint32_t);
}

class TiffDecoder {
  public:
    TiffDecoder(TiffHandle& tiff, const TiffLayout& layout, MutableImage& image,
                const ReadOptions& options)
        : m_tiff(tiff), m_layout(layout), m_image(image), m_options(options) {
        m_samples.resize(std::size_t(unpackedRowBytes(layout)));
        m_deflate = layout.compression == COMPRESSION_ADOBE_DEFLATE ||
                    layout.compression == COMPRESSION_DEFLATE;
        if (m_deflate) m_predictor = tiff.field<std::uint16_t>(TIFFTAG_PREDICTOR, PREDICTOR_NONE);
    }

    Result<void> decode() {
        const bool byRow = !m_layout.tiled && m_layout.blockBytes > kWholeStripBytes;
        m_block.reset(
            new std::uint8_t[std::size_t(byRow ? m_layout.rowBytes : m_layout.blockBytes)]);
        for (int plane = 0; plane < m_layout.planes(); ++plane) {
            for (int y = 0; y < m_image.height();) {
                if (m_options.stop.stop_requested()) return cancelled();
                const int left = m_image.height() - y;
                const int rows = byRow ? std::min(left, kRowsPerChunk)
                                       : int(std::min(std::uint32_t(left), m_layout.blockHeight));
                auto ok = m_layout.tiled ? tileRow(plane, y, rows)
                          : byRow        ? scanlines(plane, y, rows)
                                         : strip(plane, y, rows);
                if (!ok) return ok;
                y += rows;
            }
        }
        return {};
    }

    bool strayBytes() const { return m_strayBytes; }

  private:
    // False where a block of deflate holds more than it should: libtiff decodes what it likes of it
    // and calls that good; its end stays as it was then, whatever that was.
    template <class Read>
    Result<bool> isFilled(tmsize_t wanted, int y, Read read) {
        std::uint8_t* const end = m_block.get() + wanted;
        const auto readOver = [&](std::uint8_t mark) {
            // As long as a sample, whose bytes may be turned round.
            std::fill(end - std::min<tmsize_t>(wanted, 8), end, mark);
            return read() == wanted;
        };
        constexpr std::uint8_t kMark = 0xA5, kOtherMark = 0x5A;
        if (!readOver(kMark)) return damage(y);
        if (!m_deflate || !mayBeMark(end, kMark)) return true;
        // What the file holds is the same once more.
        const std::uint64_t last = sampleBefore(end);
        if (!readOver(kOtherMark)) return damage(y);
        return sampleBefore(end) == last;
    }

    tmsize_t sampleBytes() const { return std::max(m_layout.bits / 8, 1); }

    std::uint64_t sampleBefore(const std::uint8_t* end) const {
        std::uint64_t sample = 0;
        std::memcpy(&sample, end - sampleBytes(), std::size_t(sampleBytes()));
        return sample;
    }

    // Whether the last byte that is stored of a block may be `mark`, in whatever order the bytes of
    // a sample are. Where differences are stored that is asked of the last one.
    bool mayBeMark(const std::uint8_t* end, std::uint8_t mark) const {
        const tmsize_t pixel = sampleBytes() * m_layout.channelsInRow();
        const bool alone = m_layout.rowBytes < 2 * std::uint64_t(pixel);
        std::uint64_t stored = sampleBefore(end);
        if (m_predictor == PREDICTOR_FLOATINGPOINT) {
            // Its lowest byte comes last, as a difference to that of the sample before.
            return alone || std::uint8_t(stored - sampleBefore(end - pixel)) == mark;
        }
        if (m_predictor == PREDICTOR_HORIZONTAL && !alone) stored -= sampleBefore(end - pixel);
        for (tmsize_t i = 0; i < sampleBytes(); ++i, stored >>= 8)
            if (std::uint8_t(stored) == mark) return true;
        return false;
    }

    // Some programs store as many rows in the last strip as in the others. Asked for all of them,
    // libtiff decodes them in order.
    bool readsWhole(std::uint32_t strip) {
        // More than deflate can take; the file may name any size.
        const std::uint64_t most = 2 * m_layout.blockBytes + 4096;
        std::vector<std::uint8_t> stored(
            std::size_t(std::min(TIFFRawStripSize64(m_tiff.get(), strip), most)));
        const auto count = tmsize_t(stored.size());
        return TIFFReadRawStrip(m_tiff.get(), strip, stored.data(), count) == count &&
               TIFFReadFromUserBuffer(m_tiff.get(), strip, stored.data(), count, m_block.get(),
                                      tmsize_t(m_layout.blockBytes)) == 1;
    }

    Result<void> strip(int plane, int y, int rows) {
        const std::uint32_t index =
            TIFFComputeStrip(m_tiff.get(), std::uint32_t(y), std::uint16_t(plane));
        const auto wanted = tmsize_t(m_layout.rowBytes * std::uint64_t(rows));
        const auto filled = isFilled(wanted, y, [&] {
            return TIFFReadEncodedStrip(m_tiff.get(), index, m_block.get(), wanted);
        });
        if (!filled) return fail(filled.error());
        const bool isLower = std::uint32_t(rows) < m_layout.blockHeight;
        if (!*filled && !(isLower && readsWhole(index))) return holdsMore(y);
        if (auto ok = checkWarnings(y); !ok) return ok;
        return rowsFromBlock(plane, 0, m_image.width(), y, rows);
    }

    Result<void> scanlines(int plane, int y, int rows) {
        for (int row = y; row < y + rows; ++row) {
            if (TIFFReadScanline(m_tiff.get(), m_block.get(), std::uint32_t(row),
                                 std::uint16_t(plane)) != 1)
                return damage(row);
            if (auto ok = checkWarnings(row); !ok) return ok;
            if (auto ok = rowsFromBlock(plane, 0, m_image.width(), row, 1); !ok) return ok;
        }
        return {};
    }

    Result<void> tileRow(int plane, int y, int rows) {
        for (std::uint32_t x = 0; x < m_layout.width; x += m_layout.blockWidth) {
            if (m_options.stop.stop_requested()) return cancelled();
            const std::uint32_t index =
                TIFFComputeTile(m_tiff.get(), x, std::uint32_t(y), 0, std::uint16_t(plane));
            const auto wanted = tmsize_t(m_layout.blockBytes);
            const auto filled = isFilled(wanted, y, [&] {
                return TIFFReadEncodedTile(m_tiff.get(), index, m_block.get(), wanted);
            });
            if (!filled) return fail(filled.error());
            if (!*filled) return holdsMore(y);
            if (auto ok = checkWarnings(y); !ok) return ok;
            const int columns = int(std::min(m_layout.blockWidth, m_layout.width - x));
            if (auto ok = rowsFromBlock(plane, int(x), columns, y, rows); !ok) return ok;
        }
        return {};
    }

    tl::unexpected<Error> damage(int row) {
        std::string reason = m_tiff.takeError();
        if (m_tiff.outOfMemory())
            return fail(ErrorCode::OutOfMemory, "not enough memory to decode the TIFF");
        if (reason.empty()) reason = "a strip or tile is shorter than it should be";
        return fail(damagedAfterRow(row, m_image.height(), reason));
    }

    tl::unexpected<Error> holdsMore(int row) {
        return fail(
            damagedAfterRow(row, m_image.height(), "a strip or tile holds more than it should"));
    }

    // A decoder that warns has guessed.
    Result<void> checkWarnings(int row) {
        for (const auto& warning : m_tiff.takeWarnings()) {
            if (warning.find("extraneous bytes before marker") == std::string::npos)
                return fail(damagedAfterRow(row, m_image.height(), warning));
            m_strayBytes = true;
        }
        return {};
    }

    Result<void> rowsFromBlock(int plane, int x, int columns, int y, int rows) {
        for (int row = 0; row < rows; ++row) {
            const std::uint8_t* from = m_block.get() + m_layout.rowBytes * std::uint64_t(row);
            const bool exact = visitSampleType(m_layout.format, [&]<class T>() {
                return storeRow<T>(from, plane, x, columns, y + row);
            });
            if (!exact) {
                return fail(ErrorCode::Unsupported,
                            fmt::format("row {} has {}-bit samples that 32-bit float cannot hold "
                                        "exactly",
                                        y + row, m_layout.bits));
            }
        }
        return {};
    }

    template <class T>
    bool storeRow(const std::uint8_t* from, int plane, int x, int columns, int y) {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            return false;  // no layout gives Gray64
        } else {
            if (m_layout.color == Color::Palette) return storeIndices<T>(from, x, columns, y);
            T* samples = reinterpret_cast<T*>(m_samples.data());
            const int stored = m_layout.channelsInRow();
            const std::size_t count = std::size_t(columns) * std::size_t(stored);
            const bool exact = unpackRow(m_layout, from, count, samples);
            if (m_layout.minIsWhite && plane == 0) {
                const T white = T(m_layout.whiteLevel);
                for (std::size_t i = 0; i < count; i += std::size_t(stored))
                    samples[i] = T(white - samples[i]);
            }
            if (!isColor(m_layout.format)) {
                std::copy_n(samples, columns, m_image.view<T>().row(y) + x);
            } else if (m_layout.separatePlanes) {
                storePlane(samples, plane, m_image.view<T>().row(y) + 4 * std::ptrdiff_t(x),
                           columns);
            } else {
                T* to = m_image.view<T>().row(y) + 4 * std::ptrdiff_t(x);
                std::copy_n(samples, count, to);
                widenToRgba(to, columns, stored);
            }
            return exact;
        }
    }

    template <class T>
    void storePlane(const T* samples, int plane, T* to, int columns) const {
        const bool grayAlpha = m_layout.color == Color::Gray;
        const int first = grayAlpha && plane == 1 ? 3 : plane;
        const int last = grayAlpha && plane == 0 ? 2 : first;
        for (std::ptrdiff_t x = 0; x < columns; ++x) {
            for (int c = first; c <= last; ++c) to[4 * x + c] = samples[x];
            if (plane == 0 && m_layout.channels == 3) to[4 * x + 3] = opaqueValue<T>();
        }
    }

    // Palette entries are in the format's own samples, T.
    template <class T>
    bool storeIndices(const std::uint8_t* from, int x, int columns, int y) {
        auto* indices = reinterpret_cast<std::uint16_t*>(m_samples.data());
        if (m_layout.bits <= 8) {
            auto* narrow = m_samples.data();
            unpackRow(m_layout, from, std::size_t(columns), narrow);
            for (std::ptrdiff_t i = columns - 1; i >= 0; --i) indices[i] = narrow[i];
        } else {
            unpackRow(m_layout, from, std::size_t(columns), indices);
        }
        T* to = m_image.view<T>().row(y) + 4 * std::ptrdiff_t(x);
        for (int i = 0; i < columns; ++i, to += 4) {
            const auto& entry = m_layout.palette[indices[i]];
            for (std::size_t c = 0; c < 3; ++c) to[c] = T(entry[c]);
            to[3] = opaqueValue<T>();
        }
        return true;
    }

    TiffHandle& m_tiff;
    const TiffLayout& m_layout;
    MutableImage& m_image;
    const ReadOptions& m_options;
    std::unique_ptr<std::uint8_t[]> m_block;
    std::vector<std::uint8_t> m_samples;  // of one row of a block, unpacked
    bool m_strayBytes = false;
    bool m_deflate = false;
    int m_predictor = PREDICTOR_NONE;
};

// Colour times alpha to colour. Under alpha 0 there is nothing to divide by; the value stays.
template <class T>
Result<void> divideByAlpha(MutableImage& image, double white, ImageInfo& info,
                           const std::stop_token& stop) {
    bool changed = false;
    auto done = forEachRow(image.height(), stop, [&](int y) -> Result<void> {
        T* pixel = image.view<T>().row(y);
        for (int x = 0; x < image.width(); ++x, pixel += 4) {
            const double alpha = double(pixel[3]) / white;
            if (!(alpha > 0) || alpha >= 1) continue;
            for (int c = 0; c < 3; ++c) {
                const T before = pixel[c];
                if constexpr (std::is_floating_point_v<T>) {
                    pixel[c] = T(before / alpha);
                } else {
                    pixel[c] = T(std::min(white, std::floor(before / alpha + 0.5)));
                }
                changed = changed || pixel[c] != before;
            }
        }
        return {};
    });
    if (changed) addNotice(info, "the stored colours were multiplied by alpha; divided, rounded");
    return done;
}

void readMetadata(const TiffHandle& tiff, Bytes bytes, const TiffOutline& outline, int page,
                  ImageInfo& info) {
    if (page == 0) addExif(info, bytes);  // a classic TIFF is what EXIF is made of
    char* text = nullptr;
    if (TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text) && text)
        addMetadata(info, "description", text);
    std::uint32_t size = 0;
    std::uint8_t* profile = nullptr;
    if (TIFFGetField(tiff.get(), TIFFTAG_ICCPROFILE, &size, &profile) && profile)
        setProfile(info, {profile, size});
    addPageNotice(info, page, outline.directories.size(), "page", outline.more);
    if (outline.damaged) addNotice(info, "the list of further pages is damaged");
}

// Inks become RGB, premultiplied alpha is divided out, and both are said.
Result<void> finishColors(const TiffLayout& layout, MutableImage& image, ImageInfo& info,
                          const ReadOptions& options) {
    if (layout.alpha == Alpha::Unstated)
        addNotice(info, "the file does not say what its last channel means; it is taken as alpha");
    if (layout.alpha == Alpha::Premultiplied) {
        auto ok = visitSampleType(layout.format, [&]<class T>() {
            return divideByAlpha<T>(image, isFloat(layout.format) ? 1.0 : layout.whiteLevel, info,
                                    options.stop);
        });
        if (!ok) return ok;
    }
    if (layout.color != Color::Inks) return {};
    return showInks(image, info, layout.whiteLevel, "", options);
}

}  // namespace

Result<Image> decodeTiff(Bytes bytes, const ReadOptions& given) {
    const TiffOutline outline = outlineTiff(bytes);
    const auto& directories = outline.directories;
    // Of a file without any, libtiff says what is wrong.
    if (!directories.empty() || given.page != 0)
        if (auto ok = checkPage(given.page, directories.size(), "page"); !ok)
            return fail(ok.error());
    const auto tags = directories.empty() ? Result<TiffTags>()
                                          : tiffTags(bytes, directories[std::size_t(given.page)]);
    if (!tags) return fail(tags.error());
    ReadOptions options = given;
    options.limits.bytesInUse += 2 * tags->layerBytes;  // libtiff copies while it reads
    if (tags->layerBytes > 0 && options.limits.bytesInUse > options.limits.maxDecodedBytes)
        return fail(beyondMemory("layers and other data beside the image alone",
                                 options.limits.bytesInUse, options.limits));
    TiffHandle tiff(bytes, std::max(options.limits.maxDecodedBytes, kSmallestPieceLimit),
                    tags->foreign, given.page == 0 ? 0 : directories[std::size_t(given.page)]);
    if (!tiff.get()) {
        const std::string reason = tiff.takeError();
        if (reason.find("different") != std::string::npos &&
            reason.find("per-sample") != std::string::npos)
            return fail(ErrorCode::Unsupported,
                        "TIFF with channels of different sizes or kinds is not read");
        return fail(ErrorCode::Damaged,
                    fmt::format("damaged after row 0: {}",
                                reason.empty() ? "the file ends inside its header" : reason));
    }
    if (auto ok = checkSides(tiff.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0),
                             tiff.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0));
        !ok)
        return fail(ok.error());
    // libtiff does not miss the end of a directory.
    if (directories.empty())
        return fail(ErrorCode::Damaged, "damaged after row 0: the file ends inside its directory");
    const auto layout = readTiffLayout(tiff);
    if (!layout) return fail(layout.error());
    const Size size{int(layout->width), int(layout->height)};
    const auto second = layout->color == Color::Inks ? storageBytes(layout->format, size) : 0;
    const bool byRow = !layout->tiled && layout->blockBytes > kWholeStripBytes;
    const auto block =
        checkedAdd(unpackedRowBytes(*layout), byRow ? layout->rowBytes : layout->blockBytes);
    const auto decoding = checkedAdd(second.value_or(0), block.value_or(~std::uint64_t(0)));
    const std::uint64_t extra =
        std::max(decoding.value_or(~std::uint64_t(0)),
                 uprightBytes(layout->format, size, layout->orientation, second.value_or(0) > 0));
    if (auto ok = checkShape(layout->format, layout->width, layout->height, options.limits, extra);
        !ok)
        return fail(ok.error());
    const std::uint64_t unpacked =
        std::uint64_t(size.pixels()) * std::uint64_t(layout->channels * layout->bits) / 8;
    // Half of a file that is cut is decoded up to where it ends; a promise beyond that is not
    // tried.
    if (const auto ratio = largestRatio(*layout); ratio > 0 && unpacked / ratio / 2 > bytes.size())
        return fail(tooFewBytes(bytes.size(), unpacked / ratio));
    auto image = createImage(layout->format, layout->width, layout->height, options.limits);
    if (!image) return fail(image.error());

    ImageInfo info;
    for (const auto& warning : tiff.takeWarnings())
        if (warning.find("Unknown field") == std::string::npos)  // private tags are common
            addNotice(info, "libtiff: " + warning);
    tiff.takeError();  // of tags that were left out
    TiffDecoder decoder(tiff, *layout, *image, options);
    if (auto ok = decoder.decode(); !ok) return fail(ok.error());
    if (decoder.strayBytes()) addNotice(info, "there are extraneous bytes before a JPEG marker");

    info.whiteLevel = layout->whiteLevel;
    info.hasAlpha = layout->hasAlpha();
    info.sourceFormat = layout->describe();
    readMetadata(tiff, bytes, outline, given.page, info);
    if (auto ok = finishColors(*layout, *image, info, options); !ok) return fail(ok.error());
    return freezeUpright(std::move(*image), std::move(info), layout->orientation, options);
}

Result<std::vector<PageInfo>> listTiffPages(Bytes bytes, const ReadOptions& options) {
    const TiffOutline outline = outlineTiff(bytes);
    std::vector<PageInfo> pages;
    for (const std::uint64_t directory : outline.directories) {
        if (options.stop.stop_requested()) return cancelled();
        PageInfo& page = pages.emplace_back();
        const auto tags = tiffTags(bytes, directory);
        if (!tags) {
            page.problem = tags.error().message;
            continue;
        }
        TiffHandle tiff(bytes, kSmallestPieceLimit, tags->foreign, directory);
        if (!tiff.get()) {
            page.problem = fmt::format("damaged: {}", tiff.takeError());
            continue;
        }
        page.name = cleanText(tiff.field<const char*>(TIFFTAG_PAGENAME, ""));
        const auto layout = readTiffLayout(tiff);
        if (!layout) {
            page.problem = layout.error().message;
        } else if (auto ok = checkSides(layout->width, layout->height); !ok) {
            page.problem = ok.error().message;
        } else {
            page.size = uprightSize({int(layout->width), int(layout->height)}, layout->orientation);
            page.format = layout->format;
        }
    }
    if (pages.empty()) return damagedHeader("the file ends inside its directory");
    return pages;
}

}  // namespace warpscope::io
