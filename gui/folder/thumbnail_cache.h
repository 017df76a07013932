// Thumbnails on disk, where all programs of a desktop keep them (freedesktop.org, "Thumbnail
// Managing Standard"): PNG files named by the MD5 sum of the file's URI, which say of which state
// of the file they are. What is damaged, old or another program's guess is as good as not there.
// For threads.
#pragma once

#include <QImage>
#include <QString>
#include <cstdint>
#include <optional>

namespace warpscope::gui {

class ThumbnailCache {
  public:
    // The state of a file of which a thumbnail is, or is to be.
    struct State {
        QByteArray uri;
        std::int64_t changed = 0;  // seconds since 1970
        std::uint64_t bytes = 0;
    };
    // Nothing for files that are not there, lie in the cache themselves, or changed a moment ago:
    // the cache tells no two states of one second apart.
    static std::optional<State> stateOf(const QString& path);

    // No side longer than `side`, the longer one as long, as far as the kept one reaches; nothing
    // where there is none of that state.
    static std::optional<QImage> load(const State& state, int side);
    // Keeps `picture`, reduced to what the cache holds for such sides. Failing does no harm.
    static void save(const State& state, const QImage& picture, int side);
    // The longer side of what is kept for that one; 0: larger than anything that is kept.
    static int keptSide(int side);

    static QString folder();  // of all sizes
    static QString fileOf(const State& state, int side);
    static QByteArray uriOf(const QString& path);
};

}  // namespace warpscope::gui
