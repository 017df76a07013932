// A PNG whose checksums are wrong is refused at once: most changed ones get theirs corrected, so
// that what lies behind is reached.
#include <zlib.h>

#include <algorithm>
#include <cstdint>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 8 == 0) return size;
    constexpr std::size_t kSignature = 8, kFrame = 12;  // length, type and checksum of a chunk
    for (std::size_t at = kSignature; at + kFrame <= size;) {
        std::uint64_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | data[at + i];
        const std::size_t room = size - at - kFrame;
        // One that claims more than there is gets what there is, most of the time.
        if (length > room) {
            if (seed % 8 == 1) break;
            length = room;
            for (std::size_t i = 0; i < 4; ++i) data[at + i] = std::uint8_t(length >> 8 * (3 - i));
        }
        const std::size_t end = at + 8 + std::size_t(length);
        const auto sum = std::uint32_t(crc32(0, data + at + 4, uInt(4 + length)));
        for (std::size_t i = 0; i < 4; ++i) data[end + i] = std::uint8_t(sum >> 8 * (3 - i));
        at = end + 4;
    }
    return size;
}
