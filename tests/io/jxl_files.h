// JPEG XL files of libjxl's encoder, without loss.
#pragma once

#include <jxl/encode.h>

#include <memory>

#include "tests/io/io_helpers.h"

namespace io_test {

struct JxlSpec {
    std::uint32_t width = 1, height = 1;
    std::uint32_t bits = 8;
    bool isFloat = false;
    std::uint32_t channels = 1;
    int orientation = 1;
    int frames = 1;
    bool container = false;
};

// Interleaved samples of all frames one after the other: what is coded, integers or the bits of
// floats. Empty if libjxl refuses.
inline ByteBuffer makeJxl(const JxlSpec& spec, const std::vector<std::uint32_t>& samples) {
    const std::unique_ptr<JxlEncoder, decltype(&JxlEncoderDestroy)> encoder(
        JxlEncoderCreate(nullptr), &JxlEncoderDestroy);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = spec.width;
    info.ysize = spec.height;
    info.bits_per_sample = spec.bits;
    info.exponent_bits_per_sample = spec.isFloat ? 8 : 0;
    info.uses_original_profile = JXL_TRUE;
    info.num_color_channels = spec.channels >= 3 ? 3 : 1;
    info.num_extra_channels = spec.channels % 2 == 0 ? 1 : 0;
    info.alpha_bits = info.num_extra_channels > 0 ? spec.bits : 0;
    info.alpha_exponent_bits = info.num_extra_channels > 0 ? info.exponent_bits_per_sample : 0;
    info.orientation = JxlOrientation(spec.orientation);
    info.have_animation = spec.frames > 1;
    if (spec.frames > 1) {
        info.animation.tps_numerator = 1000;
        info.animation.tps_denominator = 1;
    }
    JxlEncoderUseContainer(encoder.get(), spec.container);
    JxlColorEncoding color;
    JxlColorEncodingSetToSRGB(&color, info.num_color_channels == 1);
    if (JxlEncoderSetCodestreamLevel(encoder.get(), 10) != JXL_ENC_SUCCESS ||
        JxlEncoderSetBasicInfo(encoder.get(), &info) != JXL_ENC_SUCCESS ||
        JxlEncoderSetColorEncoding(encoder.get(), &color) != JXL_ENC_SUCCESS)
        return {};
    const std::uint32_t white = spec.isFloat ? 0 : (1u << spec.bits) - 1;
    const std::size_t perFrame = samples.size() / std::size_t(spec.frames);
    for (int i = 0; i < spec.frames; ++i) {
        JxlEncoderFrameSettings* frame = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
        JxlEncoderSetFrameLossless(frame, JXL_TRUE);
        if (spec.frames > 1) {
            JxlFrameHeader header;
            JxlEncoderInitFrameHeader(&header);
            header.duration = 40;
            JxlEncoderSetFrameHeader(frame, &header);
        }
        // libjxl takes integers spread over 8 or 16 bits.
        ByteBuffer bytes;
        for (std::size_t k = perFrame * std::size_t(i); k < perFrame * std::size_t(i + 1); ++k) {
            if (spec.isFloat)
                put32(bytes, samples[k]);
            else if (spec.bits > 8)
                put16(bytes, (samples[k] * 65535 + white / 2) / white);
            else
                bytes.push_back(std::uint8_t((samples[k] * 255 + white / 2) / white));
        }
        const JxlPixelFormat format{spec.channels,
                                    spec.isFloat    ? JXL_TYPE_FLOAT
                                    : spec.bits > 8 ? JXL_TYPE_UINT16
                                                    : JXL_TYPE_UINT8,
                                    JXL_LITTLE_ENDIAN, 0};
        if (JxlEncoderAddImageFrame(frame, &format, bytes.data(), bytes.size()) != JXL_ENC_SUCCESS)
            return {};
    }
    JxlEncoderCloseInput(encoder.get());
    ByteBuffer out(1 << 22);
    std::uint8_t* next = out.data();
    std::size_t left = out.size();
    if (JxlEncoderProcessOutput(encoder.get(), &next, &left) != JXL_ENC_SUCCESS) return {};
    out.resize(out.size() - left);
    return out;
}

}  // namespace io_test
