// Chunks of OpenEXR files as they are stored: rows, or tiles. Only for what reads OpenEXR.
#pragma once

#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfPixelType.h>

#include <cstdint>
#include <future>
#include <stop_token>

#include "engine/base/result.h"
#include "engine/io/codec.h"

namespace warpscope::io {

// A file in memory, which must stay where it is. Throws std::runtime_error where it ends early.
class ExrStream final : public Imf::IStream {
  public:
    explicit ExrStream(Bytes bytes) : Imf::IStream("memory"), m_bytes(bytes) {}
    bool read(char to[], int count) override;
    uint64_t tellg() override { return m_at; }
    void seekg(uint64_t at) override { m_at = at; }

  private:
    Bytes m_bytes;
    std::uint64_t m_at = 0;
};

// Bytes of a sample.
inline std::uint64_t bytesOf(Imf::PixelType type) {
    return type == Imf::HALF ? 2 : 4;
}
// Sides of a box in pixels; one that ends before it begins is refused by the library.
inline std::uint64_t widthOf(const Imath::Box2i& box) {
    return std::uint64_t(std::int64_t(box.max.x) - box.min.x + 1);
}
inline std::uint64_t heightOf(const Imath::Box2i& box) {
    return std::uint64_t(std::int64_t(box.max.y) - box.min.y + 1);
}

// Whether each chunk of a part holds all of its samples. The library takes what an uncompressed,
// RLE, ZIPS or ZIP chunk has too little of from what was in its memory before. Chunks that must be
// unpacked for this are, beside the decoding, on a thread of their own.
class ExrChunkCheck {
  public:
    // Begins; `bytes` must live as long as this. `header` is that of the part.
    ExrChunkCheck(Bytes bytes, int part, const Imf::Header& header, const std::stop_token& stop);
    // Ends it where it is.
    ~ExrChunkCheck() { m_end.request_stop(); }
    ExrChunkCheck(const ExrChunkCheck&) = delete;
    ExrChunkCheck& operator=(const ExrChunkCheck&) = delete;
    // Waits for the end: ErrorCode::Damaged names the first row of a chunk that is too short,
    // Cancelled after a stop. What the library itself cannot read is its own to report: no error.
    Result<void> result();

  private:
    struct End {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };
    std::stop_source m_end;
    std::stop_callback<End> m_whenStopped;
    std::future<Result<void>> m_result;
};

}  // namespace warpscope::io
