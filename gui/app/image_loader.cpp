#include "gui/app/image_loader.h"

#include <exception>
#include <new>

namespace warpscope::gui {
namespace {

Result<PyramidPtr> load(const ImageLoader::Job& job, const std::stop_token& stop) {
    try {
        Result<Image> image = job.make(stop);
        if (!image) return fail(image.error());
        Result<Pyramid> pyramid =
            buildPyramid(*image, CpuContext{Threading::AllCores, stop, ProgressSink{}});
        if (!pyramid) return fail(pyramid.error());
        return std::make_shared<const Pyramid>(std::move(*pyramid));
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory, "not enough memory for " + job.title.toStdString());
    } catch (const std::exception& e) {
        return fail(ErrorCode::Internal, job.title.toStdString() + ": " + e.what());
    }
}

}  // namespace

ImageLoader::ImageLoader(std::function<void()> onLoaded)
    : m_onLoaded(std::move(onLoaded)),
      m_thread([this](std::stop_token stop) { loop(std::move(stop)); }) {}

ImageLoader::~ImageLoader() {
    stop();
}

void ImageLoader::stop() {
    m_thread.request_stop();
    cancel();
}

std::uint64_t ImageLoader::start(Job job) {
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_jobStop.request_stop();
        m_jobStop = std::stop_source();
        m_waiting = std::move(job);
        m_loaded.reset();
        number = ++m_number;
    }
    m_wake.notify_one();
    return number;
}

void ImageLoader::cancel() {
    const std::lock_guard lock(m_mutex);
    m_jobStop.request_stop();
    m_waiting.reset();
    m_loaded.reset();
    ++m_number;  // what runs is nobody's any more
}

std::optional<ImageLoader::Loaded> ImageLoader::take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_loaded, std::nullopt);
}

void ImageLoader::loop(std::stop_token stop) {
    while (true) {
        Job job;
        std::uint64_t number = 0;
        std::stop_token jobStop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting.has_value(); })) return;
            job = std::move(*m_waiting);
            m_waiting.reset();
            number = m_number;
            jobStop = m_jobStop.get_token();
        }
        Loaded loaded{number, job.filePath, job.title, load(job, jobStop)};
        {
            const std::lock_guard lock(m_mutex);
            if (number != m_number) continue;
            m_loaded = std::move(loaded);
        }
        m_onLoaded();
    }
}

}  // namespace warpscope::gui
