#include "gui/base/file_stamp.h"

#include <sys/stat.h>

#include "gui/base/file_name.h"

namespace warpscope::gui {

std::optional<FileStamp> stampOf(const QString& path) {
    struct stat found {};
    if (stat(nameToBytes(path).constData(), &found) != 0) return std::nullopt;
    return FileStamp{std::int64_t(found.st_mtim.tv_sec) * 1'000'000'000 + found.st_mtim.tv_nsec,
                     std::uint64_t(found.st_size), std::uint64_t(found.st_ino)};
}

}  // namespace warpscope::gui
