#include "engine/io/tiff_handle.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

constexpr int kMostPages = 65535;
constexpr std::size_t kMostWarnings = 16;

TiffHandle& handle(thandle_t client) {
    return *static_cast<TiffHandle*>(client);
}

std::string formatted(const char* format, va_list args) {
    char buffer[512] = "";
    std::vsnprintf(buffer, sizeof buffer, format, args);
    return cleanText(buffer);
}

}  // namespace

TiffHandle::TiffHandle(Bytes bytes, std::uint64_t maxPieceBytes) : m_input(bytes) {
    open("r", maxPieceBytes);
}

TiffHandle::TiffHandle(bool big) : m_writing(true) {
    open(big ? "w8" : "w", 0);
}

TiffHandle::~TiffHandle() {
    close();
}

void TiffHandle::close() {
    if (m_tiff) TIFFClose(std::exchange(m_tiff, nullptr));
}

void TiffHandle::open(const char* mode, std::uint64_t maxPieceBytes) {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
        TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
    if (!options) throw std::bad_alloc();
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &onError, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &onWarning, this);
    if (maxPieceBytes > 0) {
        const auto most = std::uint64_t(std::numeric_limits<tmsize_t>::max());
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), tmsize_t(std::min(maxPieceBytes, most)));
    }
    m_tiff = TIFFClientOpenExt(
        "memory", mode, this, &onRead, &onWrite, &onSeek, [](thandle_t) { return 0; }, &onSize,
        &onMap, [](thandle_t, void*, toff_t) {}, options.get());
}

// Called from C: nothing may be thrown.
int TiffHandle::onError(TIFF*, void* self, const char*, const char* format, va_list args) {
    auto& tiff = *static_cast<TiffHandle*>(self);
    try {
        if (tiff.m_firstError.empty()) tiff.m_firstError = formatted(format, args);
    } catch (const std::exception&) {
        tiff.m_outOfMemory = true;
    }
    return 1;  // handled: the process-wide handlers are not called
}

int TiffHandle::onWarning(TIFF*, void* self, const char*, const char* format, va_list args) {
    auto& tiff = *static_cast<TiffHandle*>(self);
    try {
        if (tiff.m_warnings.size() < kMostWarnings)
            tiff.m_warnings.push_back(formatted(format, args));
    } catch (const std::exception&) {
        tiff.m_outOfMemory = true;
    }
    return 1;
}

tmsize_t TiffHandle::onRead(thandle_t self, void* to, tmsize_t size) {
    auto& tiff = handle(self);
    const Bytes source = tiff.m_writing ? Bytes(tiff.m_output) : tiff.m_input;
    if (size <= 0 || tiff.m_position >= source.size()) return 0;
    const std::size_t count =
        std::min(std::size_t(size), source.size() - std::size_t(tiff.m_position));
    std::memcpy(to, source.data() + tiff.m_position, count);
    tiff.m_position += count;
    return tmsize_t(count);
}

tmsize_t TiffHandle::onWrite(thandle_t self, void* from, tmsize_t size) {
    auto& tiff = handle(self);
    if (!tiff.m_writing || size < 0) return -1;
    try {
        const std::size_t end = std::size_t(tiff.m_position) + std::size_t(size);
        if (end > tiff.m_output.size()) tiff.m_output.resize(end);
        if (size > 0) std::memcpy(tiff.m_output.data() + tiff.m_position, from, std::size_t(size));
        tiff.m_position = end;
        return size;
    } catch (const std::exception&) {
        tiff.m_outOfMemory = true;
        return -1;
    }
}

toff_t TiffHandle::onSeek(thandle_t self, toff_t offset, int whence) {
    auto& tiff = handle(self);
    if (whence == SEEK_CUR) offset += tiff.m_position;
    if (whence == SEEK_END) offset += onSize(self);
    return tiff.m_position = offset;
}

toff_t TiffHandle::onSize(thandle_t self) {
    auto& tiff = handle(self);
    return tiff.m_writing ? tiff.m_output.size() : tiff.m_input.size();
}

int TiffHandle::onMap(thandle_t self, void** base, toff_t* size) {
    auto& tiff = handle(self);
    if (tiff.m_writing) return 0;
    *base = const_cast<std::uint8_t*>(tiff.m_input.data());  // read only, libtiff does not say so
    *size = tiff.m_input.size();
    return 1;
}

TiffPages countTiffPages(Bytes bytes) {
    TiffPages pages;
    if (bytes.size() < 16) return pages;
    const bool bigEndian = bytes[0] == 'M';
    const auto number = [&](std::uint64_t at, int size) -> std::uint64_t {
        std::uint64_t value = 0;
        for (int i = 0; i < size; ++i)
            value = value << 8 | bytes[std::size_t(at) + std::size_t(bigEndian ? i : size - 1 - i)];
        return value;
    };
    const bool big = number(2, 2) == 43;
    const int offsetSize = big ? 8 : 4, countSize = big ? 8 : 2, entrySize = big ? 20 : 12;
    std::unordered_set<std::uint64_t> seen;
    for (std::uint64_t at = number(big ? 8 : 4, offsetSize); at != 0;) {
        if (pages.count == kMostPages) {
            pages.more = true;
            break;
        }
        const std::uint64_t size = bytes.size();
        pages.damaged =
            !seen.insert(at).second || at > size || size - at < std::uint64_t(countSize);
        if (pages.damaged) break;
        const std::uint64_t entries = number(at, countSize);
        const std::uint64_t room = size - at - std::uint64_t(countSize);
        pages.damaged = entries > room / std::uint64_t(entrySize) ||
                        room - entries * std::uint64_t(entrySize) < std::uint64_t(offsetSize);
        if (pages.damaged) break;
        ++pages.count;
        at = number(at + std::uint64_t(countSize) + entries * std::uint64_t(entrySize), offsetSize);
    }
    return pages;
}

}  // namespace warpscope::io
