// TIFF files made with libtiff itself, in memory.
#pragma once

#include <tiffio.h>

#include <algorithm>

#include "tests/io/io_helpers.h"

namespace io_test {

struct TiffMemory {
    ByteBuffer bytes;
    std::uint64_t position = 0;

    static TiffMemory& of(thandle_t h) { return *static_cast<TiffMemory*>(h); }
    static tmsize_t read(thandle_t h, void* to, tmsize_t n) {
        auto& m = of(h);
        if (m.position >= m.bytes.size()) return 0;
        const auto count = std::min<std::uint64_t>(std::uint64_t(n), m.bytes.size() - m.position);
        std::memcpy(to, m.bytes.data() + m.position, count);
        m.position += count;
        return tmsize_t(count);
    }
    static tmsize_t write(thandle_t h, void* from, tmsize_t n) {
        auto& m = of(h);
        const auto end = m.position + std::uint64_t(n);
        if (end > m.bytes.size()) m.bytes.resize(end);
        std::memcpy(m.bytes.data() + m.position, from, std::size_t(n));
        m.position = end;
        return n;
    }
    static toff_t seek(thandle_t h, toff_t offset, int whence) {
        auto& m = of(h);
        if (whence == SEEK_CUR) offset += m.position;
        if (whence == SEEK_END) offset += m.bytes.size();
        return m.position = offset;
    }
    static toff_t size(thandle_t h) { return of(h).bytes.size(); }

    TIFF* open(const char* mode) {
        position = 0;
        return TIFFClientOpen(
            "memory", mode, this, read, write, seek, [](thandle_t) { return 0; }, size,
            [](thandle_t, void**, toff_t*) { return 0; }, [](thandle_t, void*, toff_t) {});
    }
};

inline constexpr int kTiffWidth = 37, kTiffHeight = 23;

struct TiffSpec {
    std::uint32_t width = kTiffWidth, height = kTiffHeight;
    int bits = 8, channels = 1;
    int sampleFormat = SAMPLEFORMAT_UINT;
    int photometric = PHOTOMETRIC_MINISBLACK;
    int compression = COMPRESSION_NONE;
    int predictor = 0;
    bool separate = false;
    std::uint32_t tile = 0;          // side of a tile, 0 for strips
    std::uint32_t rowsPerStrip = 5;  // not a divisor of most heights
    int extraSample = -1;
    int orientation = 0;
    int pages = 1;
    int inkSet = 0;
    const char* mode = "w";  // "wb" big-endian, "w8" big TIFF
    std::vector<std::uint16_t> red = {}, green = {}, blue = {};
    ByteBuffer profile = {};
};

// `planes` holds one buffer of packed rows for each plane (one if channels are together).
inline void writeTiffPage(TIFF* tiff, const TiffSpec& spec, const std::vector<ByteBuffer>& planes) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, spec.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, spec.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, spec.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, spec.channels);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, spec.sampleFormat);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, spec.photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
                 spec.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, spec.compression);
    if (spec.predictor) TIFFSetField(tiff, TIFFTAG_PREDICTOR, spec.predictor);
    if (spec.orientation) TIFFSetField(tiff, TIFFTAG_ORIENTATION, spec.orientation);
    if (spec.inkSet) TIFFSetField(tiff, TIFFTAG_INKSET, spec.inkSet);
    if (spec.extraSample >= 0) {
        const auto kind = std::uint16_t(spec.extraSample);
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    if (!spec.red.empty())
        TIFFSetField(tiff, TIFFTAG_COLORMAP, spec.red.data(), spec.green.data(), spec.blue.data());
    if (!spec.profile.empty())
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, std::uint32_t(spec.profile.size()),
                     spec.profile.data());
    if (spec.compression == COMPRESSION_JPEG && spec.photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (spec.tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, spec.tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, spec.tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, spec.rowsPerStrip);
    }
    for (std::size_t p = 0; p < planes.size(); ++p) {
        const std::size_t rowBytes = planes[p].size() / spec.height;
        if (!spec.tile) {
            for (std::uint32_t y = 0; y < spec.height; y += spec.rowsPerStrip) {
                const std::uint32_t rows = std::min(spec.rowsPerStrip, spec.height - y);
                ByteBuffer strip(planes[p].begin() + long(rowBytes * y),
                                 planes[p].begin() + long(rowBytes * (y + rows)));
                TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, std::uint16_t(p)),
                                      strip.data(), tmsize_t(strip.size()));
            }
            continue;
        }
        const auto tileRow = std::size_t(TIFFTileRowSize(tiff));
        for (std::uint32_t y = 0; y < spec.height; y += spec.tile) {
            for (std::uint32_t x = 0; x < spec.width; x += spec.tile) {
                ByteBuffer tile(std::size_t(TIFFTileSize(tiff)), 0);
                const std::size_t at = tileRow * (x / spec.tile);
                for (std::uint32_t r = 0; r < spec.tile && y + r < spec.height; ++r)
                    std::memcpy(tile.data() + tileRow * r,
                                planes[p].data() + rowBytes * (y + r) + at,
                                std::min(tileRow, rowBytes - at));
                TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, std::uint16_t(p)),
                                     tile.data(), tmsize_t(tile.size()));
            }
        }
    }
    TIFFWriteDirectory(tiff);
}

inline ByteBuffer makeTiff(const TiffSpec& spec, const std::vector<ByteBuffer>& planes) {
    TiffMemory memory;
    TIFF* tiff = memory.open(spec.mode);
    for (int page = 0; page < spec.pages; ++page) writeTiffPage(tiff, spec, planes);
    TIFFClose(tiff);
    return memory.bytes;
}

// Interleaved samples to the packed rows that makeTiff wants, in the byte order of this machine.
inline std::vector<ByteBuffer> tiffPlanes(const std::vector<std::uint32_t>& samples, int width,
                                          int channels, int bits, bool separate) {
    if (!separate) return {packRows(samples, width * channels, bits, Order::Little)};
    std::vector<ByteBuffer> planes;
    for (int c = 0; c < channels; ++c) {
        std::vector<std::uint32_t> plane;
        for (std::size_t i = std::size_t(c); i < samples.size(); i += std::size_t(channels))
            plane.push_back(samples[i]);
        planes.push_back(packRows(plane, width, bits, Order::Little));
    }
    return planes;
}

// Any arithmetic type as the bytes of this machine.
template <class T>
ByteBuffer rawBytes(const std::vector<T>& values) {
    ByteBuffer bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

}  // namespace io_test
