// A thread that decodes or makes images and builds their pyramids. One job waits at most; a newer
// one replaces it and stops the one that runs.
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

#include "engine/base/mailbox.h"
#include "engine/worker/render_request.h"

namespace warpscope::gui {

// All functions are for the window's thread.
class ImageLoader {
  public:
    using Make = std::function<Result<PyramidPtr>(std::stop_token)>;  // runs on the loader's thread

    // `wake` is called on the loader's thread when take() may have something.
    explicit ImageLoader(std::function<void()> wake);
    ~ImageLoader();  // stops and joins
    ImageLoader(const ImageLoader&) = delete;
    ImageLoader& operator=(const ImageLoader&) = delete;

    void start(Make make, const QString& title);  // never waits
    void cancel();                                // what runs and what waits
    bool busy() const { return m_awaited != 0; }  // until take() gave what was started last
    // The end of what was started last; nothing before it, and of what was cancelled or replaced.
    std::optional<Result<PyramidPtr>> take();

  private:
    struct Job {
        std::uint64_t number = 0;
        Make make;
        QString title;  // for messages
        std::stop_token stop;
    };
    struct Loaded {
        std::uint64_t number = 0;
        Result<PyramidPtr> pyramid;
    };
    static Result<PyramidPtr> load(const Job& job);

    std::uint64_t m_number = 0;   // of the newest job
    std::uint64_t m_awaited = 0;  // the same while its end is awaited, else 0
    std::stop_source m_jobStop;   // of the newest job
    Mailbox<Job> m_jobs{{}, Mailbox<Job>::always};
    Mailbox<Loaded> m_loaded;
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
