// A TIFF in memory, opened with libtiff. Errors and warnings are caught per handle, so that several
// threads can read at once.
#pragma once

#include <tiffio.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/io/codec.h"

namespace warpscope::io {

class TiffHandle {
  public:
    // Reading the directory at `directory` of the file, the first if it is 0; `bytes` must outlive
    // the handle. No single piece of memory that libtiff takes is
    // larger than `maxPieceBytes`; of `skippedTags`, which libtiff must not know, nothing is read.
    // get() is null if it could not be opened.
    TiffHandle(Bytes bytes, std::uint64_t maxPieceBytes,
               const std::vector<std::uint16_t>& skippedTags, std::uint64_t directory = 0);
    // Writing into takeOutput(); `big` for files beyond 4 GiB.
    explicit TiffHandle(bool big);
    ~TiffHandle();
    TiffHandle(const TiffHandle&) = delete;
    TiffHandle& operator=(const TiffHandle&) = delete;

    TIFF* get() const { return m_tiff; }
    void close();  // writes what is still open

    // Both since the last call; of several errors the first, which is the cause of the others.
    std::string takeError() { return std::exchange(m_firstError, {}); }
    std::vector<std::string> takeWarnings() { return std::exchange(m_warnings, {}); }
    bool outOfMemory() const { return m_outOfMemory; }
    std::vector<std::uint8_t> takeOutput() { return std::move(m_output); }

    template <class T>
    T field(std::uint32_t tag, T otherwise) const {
        T value{};
        return TIFFGetFieldDefaulted(m_tiff, tag, &value) ? value : otherwise;
    }

  private:
    void open(const char* mode, std::uint64_t maxPieceBytes);
    static TIFFExtendProc nextExtender();
    static int onError(TIFF*, void* self, const char* module, const char* format, va_list args);
    static int onWarning(TIFF*, void* self, const char* module, const char* format, va_list args);
    static tmsize_t onRead(thandle_t self, void* to, tmsize_t size);
    static tmsize_t onWrite(thandle_t self, void* from, tmsize_t size);
    static toff_t onSeek(thandle_t self, toff_t offset, int whence);
    static toff_t onSize(thandle_t self);
    static int onMap(thandle_t self, void** base, toff_t* size);

    TIFF* m_tiff = nullptr;
    Bytes m_input;
    std::vector<TIFFFieldInfo> m_skipped;
    std::vector<std::uint8_t> m_output;
    bool m_writing = false, m_outOfMemory = false;
    std::uint64_t m_position = 0;
    std::string m_firstError;
    std::vector<std::string> m_warnings;
};

// What is looked at without libtiff. Its own count of pages takes time that grows with the square,
// and it reads every tag whole, so that tags which share their bytes become any amount of memory.
struct TiffOutline {
    // Where in the file the directories of a classic or big TIFF are, along their chain.
    std::vector<std::uint64_t> directories;
    // The count stopped at kMostPages.
    bool more = false;
    // The chain ends outside the file or in a loop.
    bool damaged = false;
};
TiffOutline outlineTiff(Bytes bytes);

struct TiffTags {
    // Private tags that libtiff does not know: layers of a photo editor, ...
    std::vector<std::uint16_t> foreign;
    // Bytes of those that it knows, and that may rightly be many: the memory decides.
    std::uint64_t layerBytes = 0;
};
// Of one of TiffOutline::directories. Errors: LimitExceeded where its tags take too much.
Result<TiffTags> tiffTags(Bytes bytes, std::uint64_t directory);

}  // namespace warpscope::io
