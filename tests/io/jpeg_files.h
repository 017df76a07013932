// JPEG files made with libjpeg itself, and read back with it for comparison.
#pragma once

#include <cstdio>

#include <jpeglib.h>

#include <cstdlib>

#include "tests/io/io_helpers.h"

namespace io_test {

struct JpegSpec {
    int width = 0, height = 0, channels = 3;
    J_COLOR_SPACE input = JCS_RGB, stored = JCS_YCbCr;
    bool progressive = false;
    bool adobeMarker = false;
    bool subsampled = false;
    ByteBuffer exif = {};
    std::string comment = {};
    ByteBuffer profile = {};
    std::vector<jpeg_scan_info> scans = {};  // instead of the usual ones
};

inline ByteBuffer makeJpeg(const JpegSpec& spec, const ByteBuffer& rows) {
    jpeg_compress_struct jpeg;
    jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = JDIMENSION(spec.width);
    jpeg.image_height = JDIMENSION(spec.height);
    jpeg.input_components = spec.channels;
    jpeg.in_color_space = spec.input;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, spec.stored);
    jpeg_set_quality(&jpeg, 90, TRUE);
    if (spec.subsampled) jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 2;
    if (spec.progressive) jpeg_simple_progression(&jpeg);
    if (!spec.scans.empty()) {
        jpeg.scan_info = spec.scans.data();
        jpeg.num_scans = int(spec.scans.size());
    }
    if (spec.channels == 4) jpeg.write_Adobe_marker = spec.adobeMarker ? TRUE : FALSE;
    jpeg_start_compress(&jpeg, TRUE);
    if (!spec.exif.empty()) {
        ByteBuffer block = fromText(std::string_view("Exif\0\0", 6));
        block.insert(block.end(), spec.exif.begin(), spec.exif.end());
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, block.data(), unsigned(block.size()));
    }
    if (!spec.comment.empty())
        jpeg_write_marker(&jpeg, JPEG_COM, reinterpret_cast<const JOCTET*>(spec.comment.data()),
                          unsigned(spec.comment.size()));
    if (!spec.profile.empty())
        jpeg_write_icc_profile(&jpeg, spec.profile.data(), unsigned(spec.profile.size()));
    for (int y = 0; y < spec.height; ++y) {
        auto* row = const_cast<JSAMPLE*>(rows.data() + std::size_t(y * spec.width * spec.channels));
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    ByteBuffer out(memory, memory + size);
    std::free(memory);
    return out;
}

// Packed samples as libjpeg gives them.
inline ByteBuffer jpegSamples(const ByteBuffer& file, J_COLOR_SPACE output) {
    jpeg_decompress_struct jpeg;
    jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, file.data(), static_cast<unsigned long>(file.size()));
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = output;
    jpeg_start_decompress(&jpeg);
    const std::size_t rowBytes =
        std::size_t(jpeg.output_width) * std::size_t(jpeg.output_components);
    ByteBuffer out(rowBytes * jpeg.output_height);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPLE* row = out.data() + rowBytes * jpeg.output_scanline;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return out;
}

// Smooth, so that compression keeps it close.
inline ByteBuffer smoothRows(int width, int height, int channels) {
    ByteBuffer rows;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                rows.push_back(std::uint8_t((x * (c + 2) + y * (4 - c)) & 255));
    return rows;
}

}  // namespace io_test
