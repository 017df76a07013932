// A thread that decodes or makes images and builds their pyramids. One job waits at most; a newer
// one replaces it and stops the one that runs.
#pragma once

#include <QString>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "engine/worker/render_worker.h"

namespace warpscope::gui {

class ImageLoader {
  public:
    struct Job {
        std::function<Result<Image>(std::stop_token)> make;  // runs on the loader's thread
        QString filePath;                                    // empty for clipboard and sample scene
        QString title;
    };
    struct Loaded {
        std::uint64_t number = 0;  // as start() gave it
        QString filePath;
        QString title;
        Result<PyramidPtr> pyramid;
    };

    // `onLoaded` is called on the loader's thread when take() has something.
    explicit ImageLoader(std::function<void()> onLoaded);
    ~ImageLoader();  // stops and joins
    ImageLoader(const ImageLoader&) = delete;
    ImageLoader& operator=(const ImageLoader&) = delete;

    std::uint64_t start(Job job);  // number of the job; never waits
    void cancel();                 // what runs and what waits
    void stop();                   // for good, without waiting for the thread
    std::optional<Loaded> take();

  private:
    void loop(std::stop_token stop);

    std::function<void()> m_onLoaded;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;    // guarded by m_mutex, as all below
    std::uint64_t m_number = 0;      // of the newest job
    std::stop_source m_jobStop;      // of the newest job
    std::optional<Loaded> m_loaded;  // newest that nobody took
    std::jthread m_thread;           // last: joined before the rest goes
};

}  // namespace warpscope::gui
