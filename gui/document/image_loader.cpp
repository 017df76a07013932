#include "gui/document/image_loader.h"

#include <exception>
#include <new>

namespace warpscope::gui {

ImageLoader::ImageLoader(std::function<void()> wake)
    : m_loaded(std::move(wake), Mailbox<Loaded>::always), m_thread([this](std::stop_token stop) {
          while (const auto job = m_jobs.wait(stop)) m_loaded.post({job->number, load(*job)});
      }) {}

ImageLoader::~ImageLoader() {
    cancel();
}

void ImageLoader::start(Make make, const QString& title) {
    cancel();
    m_jobStop = std::stop_source();
    m_awaited = ++m_number;
    m_jobs.post({m_number, std::move(make), title, m_jobStop.get_token()});
}

void ImageLoader::cancel() {
    m_jobStop.request_stop();
    m_jobs.clear();
    m_loaded.clear();
    m_awaited = 0;
}

std::optional<Result<PyramidPtr>> ImageLoader::take() {
    for (Loaded& loaded : m_loaded.take()) {
        if (loaded.number != m_awaited) continue;
        m_awaited = 0;
        return std::move(loaded.pyramid);
    }
    return std::nullopt;
}

Result<PyramidPtr> ImageLoader::load(const Job& job) {
    try {
        return job.make(job.stop);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory for " + job.title.toStdString());
    } catch (const std::exception& e) {
        return fail(ErrorCode::Internal, job.title.toStdString() + ": " + e.what());
    }
}

}  // namespace warpscope::gui
