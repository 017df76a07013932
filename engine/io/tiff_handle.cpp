#include "engine/io/tiff_handle.h"

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/base/checked.h"
#include "engine/io/decode_support.h"

namespace warpscope::io {
namespace {

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

TiffHandle::TiffHandle(Bytes bytes, std::uint64_t maxPieceBytes,
                       const std::vector<std::uint16_t>& skippedTags, std::uint64_t directory)
    : m_input(bytes) {
    constexpr unsigned short kIgnored = 0;  // libtiff's FIELD_IGNORE, in none of its public headers
    static char name[] = "skipped";
    for (const std::uint16_t tag : skippedTags)
        m_skipped.push_back(
            {tag, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_NOTYPE, kIgnored, 1, 1, name});
    // "h": the first directory stays unread.
    open(directory == 0 ? "r" : "rh", maxPieceBytes);
    if (m_tiff && directory != 0 && !TIFFSetSubDirectory(m_tiff, directory)) close();
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
    nextExtender();
    m_tiff = TIFFClientOpenExt(
        "memory", mode, this, &onRead, &onWrite, &onSeek, [](thandle_t) { return 0; }, &onSize,
        &onMap, [](thandle_t, void*, toff_t) {}, options.get());
}

// libtiff has one extender for the whole process; this one knows its own handles by their
// functions.
TIFFExtendProc TiffHandle::nextExtender() {
    static const TIFFExtendProc next = TIFFSetTagExtender([](TIFF* tiff) {
        if (TIFFGetReadProc(tiff) == &onRead) {
            const auto& fields = handle(TIFFClientdata(tiff)).m_skipped;
            if (!fields.empty())
                TIFFMergeFieldInfo(tiff, fields.data(), std::uint32_t(fields.size()));
        } else if (nextExtender()) {
            nextExtender()(tiff);
        }
    });
    return next;
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

namespace {

constexpr std::uint64_t kMaxTagBytes = 16 << 20;
// libtiff refuses a directory of more.
constexpr std::uint64_t kMostEntries = 4096;

// Private tags that libtiff reads; the others are kept from it.
bool isKnownPrivateTag(std::uint16_t tag) {
    static const auto known = [] {
        TiffHandle writer(false);
        std::bitset<65536> tags;
        for (std::uint32_t i = 32768; writer.get() && i < 65536; ++i)
            tags[i] = TIFFFindField(writer.get(), i, TIFF_ANY) != nullptr;
        tags[TIFFTAG_LERC_PARAMETERS] = true;  // known once a file is found to need it
        return tags;
    }();
    return known[tag];
}

class Outliner {
  public:
    explicit Outliner(Bytes bytes)
        : m_bytes(bytes), m_bigEndian(bytes[0] == 'M'), m_big(number(2, 2) == 43) {}

    TiffOutline outline() const {
        TiffOutline outline;
        const std::uint64_t countSize = this->countSize(), entrySize = this->entrySize();
        const std::uint64_t size = m_bytes.size(), offsetSize = m_big ? 8 : 4;
        std::unordered_set<std::uint64_t> seen;
        for (std::uint64_t at = number(m_big ? 8 : 4, offsetSize); at != 0;) {
            if (int(outline.directories.size()) == kMostPages) {
                outline.more = true;
                break;
            }
            outline.damaged = !seen.insert(at).second || at > size || size - at < countSize;
            if (outline.damaged) break;
            const std::uint64_t directory = at;
            const std::uint64_t entries = number(at, countSize);
            at += countSize;
            const std::uint64_t room = size - at;
            outline.damaged = entries > room / entrySize || room - entries * entrySize < offsetSize;
            if (outline.damaged) break;
            outline.directories.push_back(directory);
            at = number(at + entries * entrySize, offsetSize);
        }
        return outline;
    }

    Result<TiffTags> tags(std::uint64_t directory) const {
        TiffTags tags;
        const std::uint64_t entries = std::min(number(directory, countSize()), kMostEntries);
        if (auto ok = addTags(directory + countSize(), entries, tags); !ok) return fail(ok.error());
        return tags;
    }

  private:
    std::uint64_t countSize() const { return m_big ? 8 : 2; }
    std::uint64_t entrySize() const { return m_big ? 20 : 12; }

    std::uint64_t number(std::uint64_t at, std::uint64_t size) const {
        std::uint64_t value = 0;
        for (std::uint64_t i = 0; i < size; ++i)
            value = value << 8 | m_bytes[std::size_t(at + (m_bigEndian ? i : size - 1 - i))];
        return value;
    }

    // Bytes outside the entry that it names; 0 if they are not there, libtiff leaves it out then.
    std::uint64_t valueBytes(std::uint64_t at) const {
        constexpr std::uint64_t kTypeBytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4,
                                                8, 4, 8, 4, 0, 0, 8, 8, 8};
        const std::uint64_t type = number(at + 2, 2), offsetSize = m_big ? 8 : 4;
        if (type >= std::size(kTypeBytes)) return 0;
        const auto bytes = checkedMultiply(number(at + 4, offsetSize), kTypeBytes[type]);
        return !bytes || *bytes <= offsetSize || *bytes > m_bytes.size() ? 0 : *bytes;
    }

    Result<void> addTags(std::uint64_t at, std::uint64_t entries, TiffTags& tags) const {
        std::uint64_t claimed = 0, read = 0, largest = 0, largestTag = 0;
        for (std::uint64_t i = 0; i < entries; ++i, at += entrySize()) {
            const auto tag = std::uint16_t(number(at, 2));
            const std::uint64_t bytes = valueBytes(at);
            claimed += bytes;
            // Lists of strips and tiles grow with the image, and libtiff bounds them by it.
            if (tag == TIFFTAG_STRIPOFFSETS || tag == TIFFTAG_STRIPBYTECOUNTS ||
                tag == TIFFTAG_TILEOFFSETS || tag == TIFFTAG_TILEBYTECOUNTS)
                continue;
            if (tag >= 32768 && !isKnownPrivateTag(tag)) {
                tags.foreign.push_back(tag);
                continue;
            }
            // Layers of Photoshop, the raw file that a DNG was made from, data of the camera.
            if (tag == 37724 || tag == 50828 || tag == 50740) {
                tags.layerBytes += bytes;
                continue;
            }
            read += bytes;
            if (bytes > largest) {
                largest = bytes;
                largestTag = tag;
            }
        }
        auto& foreign = tags.foreign;
        std::sort(foreign.begin(), foreign.end());
        foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
        const auto mib = [](std::uint64_t bytes) { return (bytes + (1 << 20) - 1) >> 20; };
        if (claimed > kMaxTagBytes && claimed > m_bytes.size()) {
            return fail(ErrorCode::LimitExceeded,
                        fmt::format("its tags claim {} MiB where the file has {} MiB; above the "
                                    "limit of {} MiB they may not share their bytes",
                                    mib(claimed), mib(m_bytes.size()), mib(kMaxTagBytes)));
        }
        if (read <= kMaxTagBytes) return {};
        return fail(
            ErrorCode::LimitExceeded,
            fmt::format("its tags take {} MiB, more than the limit of {} MiB; the largest "
                        "is {}",
                        mib(read), mib(kMaxTagBytes),
                        largestTag == TIFFTAG_ICCPROFILE ? std::string("the colour profile")
                                                         : fmt::format("tag {}", largestTag)));
    }

    Bytes m_bytes;
    bool m_bigEndian, m_big;
};

}  // namespace

TiffOutline outlineTiff(Bytes bytes) {
    return bytes.size() < 16 ? TiffOutline{} : Outliner(bytes).outline();
}

Result<TiffTags> tiffTags(Bytes bytes, std::uint64_t directory) {
    return Outliner(bytes).tags(directory);
}

}  // namespace warpscope::io
