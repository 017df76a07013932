#include "gui/base/task_runner.h"

#include <exception>

#include "engine/base/log.h"
#include "gui/base/queued_call.h"

namespace warpscope::gui {
namespace {

TaskRunner::Finish doneBy(const TaskRunner::Work& work) {
    try {
        return work();
    } catch (const std::exception& e) {
        logMessage(LogLevel::Error, std::string("unexpected error: ") + e.what());
        return {};
    }
}

}  // namespace

TaskRunner::TaskRunner(QObject* parent)
    : QObject(parent),
      m_finished(queuedCall(this, "drain")),
      m_thread([this](std::stop_token stop) {
          while (const auto work = m_waiting.wait(stop)) m_finished.post(doneBy(*work));
      }) {}

void TaskRunner::run(Work work) {
    m_waiting.post(std::move(work));
    if (m_unfinished++ == 0) emit busyChanged(true);
}

void TaskRunner::drain() {
    const auto finished = m_finished.take();
    m_unfinished -= int(finished.size());
    if (!finished.empty() && m_unfinished == 0) emit busyChanged(false);
    for (const Finish& finish : finished)
        if (finish) finish();
}

}  // namespace warpscope::gui
