#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jerror.h>
#include <jpeglib.h>

#include "engine/io/decode_support.h"
#include "engine/io/encode_support.h"

namespace warpscope::io {
namespace {

constexpr int kQuality = 95;
constexpr std::size_t kBufferBytes = 64 * 1024;

// Owns libjpeg's structure; see JpegSource for the rules that longjmp makes.
class JpegSink {
  public:
    JpegSink() {
        std::memset(&m_jpeg, 0, sizeof m_jpeg);
        m_jpeg.err = jpeg_std_error(&m_errors);
        m_jpeg.client_data = this;
        m_errors.error_exit = [](j_common_ptr jpeg) {
            jpeg->err->format_message(jpeg, self(jpeg).m_text);
            std::longjmp(self(jpeg).m_jump, 1);
        };
        m_errors.output_message = [](j_common_ptr) {};
        m_target.init_destination = [](j_compress_ptr jpeg) { self(jpeg).rewind(); };
        m_target.empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
            self(jpeg).take(kBufferBytes);
            return TRUE;
        };
        m_target.term_destination = [](j_compress_ptr jpeg) {
            self(jpeg).take(kBufferBytes - self(jpeg).m_target.free_in_buffer);
        };
    }
    ~JpegSink() { jpeg_destroy_compress(&m_jpeg); }
    JpegSink(const JpegSink&) = delete;
    JpegSink& operator=(const JpegSink&) = delete;

    bool write(const Image& image, Bytes profile, const std::stop_token& stop) {
        if (setjmp(m_jump)) return false;
        jpeg_create_compress(&m_jpeg);
        m_jpeg.dest = &m_target;
        m_jpeg.image_width = JDIMENSION(image.width());
        m_jpeg.image_height = JDIMENSION(image.height());
        m_jpeg.input_components = channelCount(image.format());
        m_jpeg.in_color_space = isColor(image.format()) ? JCS_EXT_RGBX : JCS_GRAYSCALE;
        jpeg_set_defaults(&m_jpeg);
        jpeg_set_quality(&m_jpeg, kQuality, TRUE);
        for (int i = 0; i < m_jpeg.num_components; ++i) {
            m_jpeg.comp_info[i].h_samp_factor = 1;
            m_jpeg.comp_info[i].v_samp_factor = 1;
        }
        jpeg_start_compress(&m_jpeg, TRUE);
        if (!profile.empty())
            jpeg_write_icc_profile(&m_jpeg, profile.data(), unsigned(profile.size()));
        while (m_jpeg.next_scanline < m_jpeg.image_height) {
            // libjpeg takes rows as non-const and does not write to them.
            auto* row = reinterpret_cast<JSAMPROW>(
                const_cast<std::byte*>(image.rowBytes(int(m_jpeg.next_scanline))));
            jpeg_write_scanlines(&m_jpeg, &row, 1);
            if (stop.stop_requested()) return false;
        }
        jpeg_finish_compress(&m_jpeg);
        return true;
    }

    std::vector<std::uint8_t> bytes;
    bool outOfMemory() const { return m_outOfMemory; }
    const char* text() const { return m_text; }

  private:
    template <class Pointer>
    static JpegSink& self(Pointer jpeg) {
        return *static_cast<JpegSink*>(jpeg->client_data);
    }
    void rewind() {
        m_target.next_output_byte = m_buffer;
        m_target.free_in_buffer = kBufferBytes;
    }
    void take(std::size_t count) {
        try {
            bytes.insert(bytes.end(), m_buffer, m_buffer + count);
        } catch (const std::exception&) {
            m_outOfMemory = true;
        }
        if (m_outOfMemory) std::longjmp(m_jump, 1);
        rewind();
    }

    jpeg_compress_struct m_jpeg;
    jpeg_error_mgr m_errors;
    jpeg_destination_mgr m_target{};
    std::jmp_buf m_jump;
    JOCTET m_buffer[kBufferBytes];
    char m_text[JMSG_LENGTH_MAX] = "";
    bool m_outOfMemory = false;
};

}  // namespace

Result<EncodedImage> encodeJpeg(const Image& image, std::string_view, const std::stop_token& stop) {
    if (auto ok = refuseSides(image, "JPEG", JPEG_MAX_DIMENSION); !ok) return fail(ok.error());
    if (auto ok = refuseAlpha(image, "JPEG", stop); !ok) return fail(ok.error());
    auto prepared = prepareEightBit(image, stop);
    if (!prepared) return fail(prepared.error());
    std::vector<std::string> notices = std::move(prepared->notices);
    noteWhiteLevel(prepared->image, "JPEG", notices);
    const Bytes profile = usableProfile(prepared->image, notices);
    const auto sink = std::make_unique<JpegSink>();
    if (!sink->write(prepared->image, profile, stop)) {
        if (stop.stop_requested()) return cancelled();
        return fail(sink->outOfMemory() ? ErrorCode::OutOfMemory : ErrorCode::Internal,
                    fmt::format("JPEG could not be written: {}", cleanText(sink->text())));
    }
    return EncodedImage{std::move(sink->bytes), std::move(notices)};
}

Codec jpegCodec() {
    return {{{"JPEG", {"jpg", "jpeg", "jpe", "jfif"}, true, true}},
            [](Bytes bytes) {
                return bytes.size() >= 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 &&
                       bytes[2] == 0xFF;
            },
            decodeJpeg,
            encodeJpeg};
}

}  // namespace warpscope::io
