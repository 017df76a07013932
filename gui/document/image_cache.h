// Images that were read and may be wanted again: the one that is open, those that stay open, and
// the neighbours of the first. A file that has changed is read again.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/io/image_reader.h"
#include "engine/worker/render_request.h"
#include "gui/base/file_stamp.h"

namespace warpscope::gui {

// A file, or one page of it.
struct ImageFile {
    QString path;
    int page = 0;

    friend bool operator==(const ImageFile&, const ImageFile&) = default;
};
inline std::size_t qHash(const ImageFile& file, std::size_t seed = 0) {
    return qHashMulti(seed, file.path, file.page);
}

// Errors: as buildPyramid.
Result<PyramidPtr> pyramidFrom(Result<Image> image, const std::stop_token& stop);

// Thread-safe.
class ImageCache {
  public:
    // What may be kept, the most wanted first, and how much in all; everything else goes. Images
    // that somebody else holds as well count too.
    void retain(const std::vector<ImageFile>& files, std::uint64_t bytes);
    // From memory, or read, with its reduced copies. Waits for a thread that is reading it. `keep`:
    // wanted first of all from now on. Errors: as readImage.
    Result<PyramidPtr> load(const ImageFile& file, ReadOptions options, bool keep = false);
    // Of the file when these pixels were read, whether they are kept or not; nothing of pixels that
    // come from no file.
    std::optional<FileStamp> stampRead(const PyramidPtr& pixels) const;
    bool holds(const ImageFile& file) const;     // as it was when it was read
    bool underWay(const ImageFile& file) const;  // a thread is reading it
    std::uint64_t byteCount() const;

  private:
    struct Kept {
        FileStamp stamp;
        PyramidPtr pyramid;
    };
    struct Read {
        std::weak_ptr<const Pyramid> pixels;
        FileStamp stamp;
    };
    void trim();
    void remember(const PyramidPtr& pixels, const FileStamp& stamp);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_finished;
    std::vector<ImageFile> m_wanted;
    std::uint64_t m_bytes = 0;
    QHash<ImageFile, Kept> m_kept;
    std::vector<Read> m_read;  // what somebody may still hold
    QSet<ImageFile> m_underWay;
};

}  // namespace warpscope::gui
