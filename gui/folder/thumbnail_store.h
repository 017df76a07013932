// Small pictures of files, made by threads of their own with the readers that open images, and
// kept up to a number of bytes. What is looked at comes first.
#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/base/mailbox.h"
#include "engine/io/image_reader.h"

namespace warpscope::gui {

struct Thumbnail {
    QImage picture;   // null: the file cannot be shown
    QString problem;  // and why
};

// Reads and reduces: for a thread. No side is longer than `side`. What is not of 8 bits is shown
// by percentiles.
Thumbnail makeThumbnail(const QString& path, int side, const ReadOptions& options);
// The same by way of the cache on disk: read from there, or made and kept there.
Thumbnail keptThumbnail(const QString& path, int side, const ReadOptions& options);

// All functions are for the window's thread.
class ThumbnailStore : public QObject {
    Q_OBJECT
  public:
    static constexpr std::uint64_t kBytes = std::uint64_t(96) << 20;

    explicit ThumbnailStore(QObject* parent = nullptr, std::uint64_t bytes = kBytes);
    ~ThumbnailStore() override;  // stops and joins

    // What one file may take, as ReadLimits::maxDecodedBytes.
    void setMemoryBudget(std::uint64_t bytes);
    // Uses the cache that all programs share, from the next thumbnail on. Off at first.
    void setOnDisk(bool on);
    // Another size of pictures begins anew.
    void setSide(int pixels);
    // In this order; what waited before and is not wanted any more is not made.
    void want(const QStringList& paths);
    // Null while there is none. The pointer holds until want, forget or a signal.
    const Thumbnail* find(const QString& path) const;
    void forget(const QString& path);  // the file has changed
    std::uint64_t byteCount() const { return m_byteCount; }

  signals:
    void ready(const QStringList& paths);

  private:
    struct Made {
        QString path;
        int generation = 0;
        Thumbnail thumbnail;
    };
    struct Kept {
        Thumbnail thumbnail;
        std::uint64_t wanted = 0;  // number of the want() that named it last
    };
    Q_INVOKABLE void drain();
    void work(const std::stop_token& stop);
    void startThreads();
    void makeRoom();

    const std::uint64_t m_bytes;
    QHash<QString, Kept> m_kept;
    std::uint64_t m_byteCount = 0;
    std::uint64_t m_wants = 0;
    std::stop_source m_stop;
    Mailbox<Made> m_made;
    std::mutex m_mutex;
    std::condition_variable_any m_waiting;
    // Guarded by m_mutex.
    std::deque<QString> m_queue;
    QStringList m_underWay;
    std::uint64_t m_memoryBudget = ReadLimits{}.maxDecodedBytes;
    bool m_onDisk = false;
    int m_side = 128;
    int m_generation = 0;
    std::vector<std::jthread> m_threads;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
