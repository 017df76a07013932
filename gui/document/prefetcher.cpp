#include "gui/document/prefetcher.h"

#include <exception>

#include "gui/base/step_back.h"

namespace warpscope::gui {

Prefetcher::Prefetcher(ImageCache& cache)
    : m_cache(cache), m_thread([this](std::stop_token stop) {
          stepBack();
          while (const auto job = m_jobs.wait(stop)) work(*job);
      }) {}

Prefetcher::~Prefetcher() {
    cancel();
}

void Prefetcher::fetch(const std::vector<ImageFile>& files, const ReadLimits& limits) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_jobs.post({files, limits, m_stop.get_token()});
}

void Prefetcher::work(const Job& job) {
    for (const ImageFile& file : job.files) {
        if (job.stop.stop_requested()) return;
        ReadOptions options;
        options.limits = job.limits;
        options.stop = job.stop;
        try {
            (void)m_cache.load(file, options);
        } catch (const std::exception&) {
            return;  // no memory: it is read when it is opened, and then said
        }
    }
}

}  // namespace warpscope::gui
