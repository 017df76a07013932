#include "engine/io/exr_chunks.h"

#include <ImfChannelList.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfTiledInputPart.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>

#include "engine/io/decode_support.h"

namespace warpscope::io {

bool ExrStream::read(char to[], int count) {
    if (count < 0 || m_at > m_bytes.size() || std::size_t(count) > m_bytes.size() - m_at)
        throw std::runtime_error("the file ends early");
    std::memcpy(to, m_bytes.data() + m_at, std::size_t(count));
    m_at += std::uint64_t(count);
    return m_at < m_bytes.size();
}

namespace {

// Bytes of a row of a part, uncompressed.
std::uint64_t rowBytes(const Imf::Header& header, std::int64_t y) {
    const auto& window = header.dataWindow();
    // Multiples of a sampling up to here, from where all are positive.
    const auto below = [](std::int64_t x, std::int64_t step) {
        return x >= 0 ? x / step : -((-x + step - 1) / step);
    };
    std::uint64_t bytes = 0;
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
        const Imf::Channel& channel = it.channel();
        if (y % channel.ySampling != 0) continue;
        bytes += bytesOf(channel.type) *
                 std::uint64_t(below(window.max.x, channel.xSampling) -
                               below(std::int64_t(window.min.x) - 1, channel.xSampling));
    }
    return bytes;
}

// How many bytes zlib data becomes, up to where it is damaged or no more are asked for.
class Inflater {
  public:
    Inflater() {
        if (inflateInit(&m_stream) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&m_stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    std::uint64_t bytesOf(Bytes packed, std::uint64_t most) {
        inflateReset(&m_stream);
        m_stream.next_in = const_cast<Bytef*>(packed.data());
        m_stream.avail_in = uInt(packed.size());
        int status = Z_OK;
        while (status == Z_OK && m_stream.total_out < most) {
            m_stream.next_out = m_out.data();
            m_stream.avail_out = uInt(m_out.size());
            status = inflate(&m_stream, Z_NO_FLUSH);
        }
        return m_stream.total_out;
    }

  private:
    z_stream m_stream{};
    // Nobody reads it. It stays within the caches.
    std::array<Bytef, 32768> m_out;
};

// How many bytes run lengths become: below zero come that many bytes as they are, otherwise one
// byte, once more than said.
std::uint64_t bytesOfRuns(Bytes packed) {
    std::uint64_t bytes = 0;
    for (std::size_t at = 0; at < packed.size();) {
        const int count = std::int8_t(packed[at]);
        bytes += count < 0 ? std::uint64_t(-count) : std::uint64_t(count) + 1;
        at += count < 0 ? std::size_t(1 - count) : 2;
    }
    return bytes;
}

class Checker {
  public:
    explicit Checker(Imf::Compression compression) : m_compression(compression) {
        if (isZip()) m_inflater = std::make_unique<Inflater>();
    }
    int rowsOfChunk() const { return m_compression == Imf::ZIP_COMPRESSION ? 16 : 1; }

    // A chunk that compression would not have made smaller stands uncompressed.
    bool isTooShort(const char* data, int size, std::uint64_t wanted) {
        if (size < 0) return true;
        const Bytes stored(reinterpret_cast<const std::uint8_t*>(data), std::size_t(size));
        if (stored.size() >= wanted) return false;
        if (isZip()) return m_inflater->bytesOf(stored, wanted) < wanted;
        return m_compression != Imf::RLE_COMPRESSION || bytesOfRuns(stored) < wanted;
    }

  private:
    bool isZip() const {
        return m_compression == Imf::ZIP_COMPRESSION || m_compression == Imf::ZIPS_COMPRESSION;
    }
    const Imf::Compression m_compression;
    std::unique_ptr<Inflater> m_inflater;
};

Result<void> checkTiles(Imf::MultiPartInputFile& file, int part, Checker& checker,
                        const std::stop_token& stop) {
    Imf::TiledInputPart tiles(file, part);
    const auto& window = tiles.header().dataWindow();
    const std::uint64_t pixel = rowBytes(tiles.header(), 0) / widthOf(window);
    for (int dy = 0; dy < tiles.numYTiles(0); ++dy) {
        for (int dx = 0; dx < tiles.numXTiles(0); ++dx) {
            if (stop.stop_requested()) return cancelled();
            const auto box = tiles.dataWindowForTile(dx, dy);
            const char* data = nullptr;
            int x = dx, y = dy, level = 0, levelY = 0, size = 0;
            tiles.rawTileData(x, y, level, levelY, data, size);
            if (checker.isTooShort(data, size, pixel * widthOf(box) * heightOf(box)))
                return fail(damagedAfterRow(box.min.y - window.min.y, int(heightOf(window)),
                                            "a tile has too few bytes"));
        }
    }
    return {};
}

Result<void> checkRows(Imf::MultiPartInputFile& file, int part, Checker& checker,
                       const std::stop_token& stop) {
    Imf::InputPart rows(file, part);
    const auto& window = rows.header().dataWindow();
    const int height = int(heightOf(window)), step = checker.rowsOfChunk();
    for (int row = 0; row < height; row += step) {
        if (row % kRowsPerChunk == 0 && stop.stop_requested()) return cancelled();
        std::uint64_t wanted = 0;
        for (int y = row; y < std::min(row + step, height); ++y)
            wanted += rowBytes(rows.header(), std::int64_t(window.min.y) + y);
        const char* data = nullptr;
        int size = 0;
        rows.rawPixelData(window.min.y + row, data, size);
        if (checker.isTooShort(data, size, wanted))
            return fail(damagedAfterRow(row, height, "a row has too few bytes"));
    }
    return {};
}

Result<void> checkPart(Bytes bytes, int part, const std::stop_token& stop) {
    try {
        ExrStream stream(bytes);
        Imf::MultiPartInputFile file(stream, 0, false);
        const Imf::Header& header = file.header(part);
        Checker checker(header.compression());
        return header.hasTileDescription() ? checkTiles(file, part, checker, stop)
                                           : checkRows(file, part, checker, stop);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

ExrChunkCheck::ExrChunkCheck(Bytes bytes, int part, const Imf::Header& header,
                             const std::stop_token& stop)
    : m_whenStopped(stop, End{m_end}) {
    const auto compression = header.compression();
    // The others say themselves that they are short.
    if (compression > Imf::ZIP_COMPRESSION) return;
    const auto check = [bytes, part, end = m_end.get_token()] {
        return checkPart(bytes, part, end);
    };
    const auto policy =
        compression == Imf::NO_COMPRESSION ? std::launch::deferred : std::launch::async;
    try {
        m_result = std::async(policy, check);
    } catch (const std::system_error&) {  // no more threads
        m_result = std::async(std::launch::deferred, check);
    }
}

Result<void> ExrChunkCheck::result() {
    return m_result.valid() ? m_result.get() : Result<void>{};
}

}  // namespace warpscope::io
