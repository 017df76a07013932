#include "gui/benchmark/benchmark_thread.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/report/bench_command.h"
#include "gui/base/queued_call.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

BenchmarkThread::BenchmarkThread(BackendFactory factory, QObject* parent)
    : QObject(parent),
      m_factory(std::move(factory)),
      // Only the newest progress matters.
      m_news(queuedCall(this, "drain"), [](const News& waiting, const News& newer) {
          return std::holds_alternative<BenchmarkProgress>(waiting) &&
                 std::holds_alternative<BenchmarkProgress>(newer);
      }) {}

BenchmarkThread::~BenchmarkThread() {
    m_thread.request_stop();
    if (m_thread.joinable()) m_thread.join();
}

void BenchmarkThread::begin(Work work) {
    if (m_running) return;
    if (m_thread.joinable()) m_thread.join();  // it has reported its end
    m_running = true;
    m_paused = false;
    {
        const std::lock_guard lock(m_mutex);
        m_pauseWanted = false;
    }
    m_thread = std::jthread([this, work = std::move(work)](const std::stop_token& stop) {
        try {
            work(stop);
        } catch (const std::exception& e) {
            m_news.post(Error{ErrorCode::Internal, e.what()});
        }
    });
}

void BenchmarkThread::start(BenchmarkPlan plan, PeerSet peers) {
    begin([this, plan = std::move(plan), peers = std::move(peers)](const std::stop_token& stop) {
        work(plan, peers, stop);
    });
}

void BenchmarkThread::compare(const StepTiming& row, const Image& imageAtHand, PeerSet peers) {
    begin([this, row, imageAtHand, peers = std::move(peers)](const std::stop_token& stop) {
        const auto images = imagesOfRow(m_factory(), peers, row, imageAtHand, RunContext{stop, {}});
        if (images)
            m_news.post(*images);
        else if (images.error().code == ErrorCode::Cancelled)
            m_news.post(Finished{false});
        else
            m_news.post(images.error());
    });
}

void BenchmarkThread::setPaused(bool paused) {
    if (!m_running || paused == m_paused) return;
    m_paused = paused;
    const std::lock_guard lock(m_mutex);
    m_pauseWanted = paused;
    if (!m_runner) return;
    if (paused)
        m_runner->pause();
    else
        m_runner->resume();
}

void BenchmarkThread::cancel() {
    if (m_running) m_thread.request_stop();
}

void BenchmarkThread::work(const BenchmarkPlan& plan, PeerSet peers, const std::stop_token& stop) {
    const BackendSet backends = m_factory();
    TimingReport head = reportHead(backends);
    head.command = benchCommand(plan);
    BenchmarkRunner runner(backends, std::move(head), std::move(peers));
    {
        const std::lock_guard lock(m_mutex);
        m_runner = &runner;
        if (m_pauseWanted) runner.pause();
    }
    const struct Forget {  // also when something throws
        BenchmarkThread& thread;
        ~Forget() {
            const std::lock_guard lock(thread.m_mutex);
            thread.m_runner = nullptr;
        }
    } forget{*this};
    BenchmarkCallbacks callbacks;
    callbacks.onHead = [this](const TimingReport& begun) { m_news.post(begun); };
    callbacks.onRow = [this](std::size_t index, const StepTiming& row) {
        m_news.post(Row{index, row});
    };
    callbacks.onProgress = [this](const BenchmarkProgress& progress) { m_news.post(progress); };
    if (const auto result = runner.run(plan, stop, callbacks))
        m_news.post(Finished{result->report.complete, result->report});
    else
        m_news.post(result.error());
}

void BenchmarkThread::drain() {
    for (const News& news : m_news.take()) {
        if (const auto* head = std::get_if<TimingReport>(&news)) emit headReady(*head);
        if (const auto* row = std::get_if<Row>(&news)) emit rowReady(row->index, row->timing);
        if (const auto* progress = std::get_if<BenchmarkProgress>(&news))
            emit progressed(*progress);
        const auto* end = std::get_if<Finished>(&news);
        const auto* images = std::get_if<RowImages>(&news);
        const auto* error = std::get_if<Error>(&news);
        if (!end && !images && !error) continue;
        m_running = m_paused = false;
        if (end && end->report) emit reportReady(*end->report);
        if (end)
            emit finished(end->complete);
        else if (images)
            emit compared(*images);
        else
            emit failed(engineText(error->message));
    }
}

}  // namespace warpscope::gui
