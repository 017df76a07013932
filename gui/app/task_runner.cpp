#include "gui/app/task_runner.h"

#include <QMetaObject>
#include <exception>

#include "engine/base/log.h"

namespace warpscope::gui {

TaskRunner::TaskRunner(QObject* parent)
    : QObject(parent), m_thread([this](std::stop_token stop) { loop(std::move(stop)); }) {}

TaskRunner::~TaskRunner() {
    m_thread.request_stop();
    m_thread.join();
}

void TaskRunner::run(Work work) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(work));
    }
    m_wake.notify_one();
    if (m_unfinished++ == 0) emit busyChanged(true);
}

void TaskRunner::drain() {
    std::deque<Finish> finished;
    {
        const std::lock_guard lock(m_mutex);
        finished.swap(m_finished);
    }
    m_unfinished -= int(finished.size());
    if (!finished.empty() && m_unfinished == 0) emit busyChanged(false);
    for (const Finish& finish : finished)
        if (finish) finish();
}

void TaskRunner::loop(std::stop_token stop) {
    while (true) {
        Work work;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_waiting.empty(); });
            if (m_waiting.empty()) return;  // stopped, and nothing left to finish
            work = std::move(m_waiting.front());
            m_waiting.pop_front();
        }
        Finish finish;
        try {
            finish = work();
        } catch (const std::exception& e) {
            logMessage(LogLevel::Error, e.what());
        }
        {
            const std::lock_guard lock(m_mutex);
            m_finished.push_back(std::move(finish));
        }
        QMetaObject::invokeMethod(this, "drain", Qt::QueuedConnection);
    }
}

}  // namespace warpscope::gui
