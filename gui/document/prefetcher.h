// Reads images that are likely to be opened next, on a thread that steps back behind all others.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

#include "engine/base/mailbox.h"
#include "gui/document/image_cache.h"

namespace warpscope::gui {

// All functions are for the window's thread.
class Prefetcher {
  public:
    explicit Prefetcher(ImageCache& cache);  // outlives this
    ~Prefetcher();                           // stops and joins
    Prefetcher(const Prefetcher&) = delete;
    Prefetcher& operator=(const Prefetcher&) = delete;

    // In this order. What was asked for before is dropped; what is being read is stopped, unless
    // it is among these. Failures are nobody's business here.
    void fetch(const std::vector<ImageFile>& files, const ReadLimits& limits);
    void cancel() { fetch({}, {}); }

  private:
    struct Job {
        std::vector<ImageFile> files;
        ReadLimits limits;
        std::stop_token stop;
    };
    void work(const Job& job);

    ImageCache& m_cache;
    std::stop_source m_stop;
    Mailbox<Job> m_jobs{{}, Mailbox<Job>::always};
    std::jthread m_thread;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
