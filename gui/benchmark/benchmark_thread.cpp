#include "gui/benchmark/benchmark_thread.h"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <utility>

namespace warpscope::gui {

BenchmarkThread::BenchmarkThread(BackendFactory factory, QObject* parent)
    : QObject(parent), m_factory(std::move(factory)) {}

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
            post(Error{ErrorCode::Internal, e.what()});
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
            post(*images);
        else if (images.error().code == ErrorCode::Cancelled)
            post(Finished{false});
        else
            post(images.error());
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
    BenchmarkRunner runner(backends, reportHead(backends), std::move(peers));
    {
        const std::lock_guard lock(m_mutex);
        m_runner = &runner;
        if (m_pauseWanted) runner.pause();
    }
    BenchmarkCallbacks callbacks;
    callbacks.onHead = [this](const TimingReport& head) { post(head); };
    callbacks.onRow = [this](const StepTiming& row) { post(row); };
    callbacks.onProgress = [this](const BenchmarkProgress& progress) { post(progress); };
    const auto result = runner.run(plan, stop, callbacks);
    {
        const std::lock_guard lock(m_mutex);
        m_runner = nullptr;
    }
    if (result)
        post(Finished{result->complete});
    else
        post(result.error());
}

void BenchmarkThread::post(News news) {
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        // Only the newest progress matters.
        if (std::holds_alternative<BenchmarkProgress>(news) && !m_mailbox.empty() &&
            std::holds_alternative<BenchmarkProgress>(m_mailbox.back()))
            m_mailbox.back() = std::move(news);
        else
            m_mailbox.push_back(std::move(news));
        wake = !std::exchange(m_wakePending, true);
    }
    if (wake) QMetaObject::invokeMethod(this, "drain", Qt::QueuedConnection);
}

void BenchmarkThread::drain() {
    std::vector<News> mailbox;
    {
        const std::lock_guard lock(m_mutex);
        mailbox.swap(m_mailbox);
        m_wakePending = false;
    }
    for (const News& news : mailbox) {
        if (const auto* head = std::get_if<TimingReport>(&news)) emit headReady(*head);
        if (const auto* row = std::get_if<StepTiming>(&news)) emit rowReady(*row);
        if (const auto* progress = std::get_if<BenchmarkProgress>(&news))
            emit progressed(*progress);
        const auto* end = std::get_if<Finished>(&news);
        const auto* images = std::get_if<RowImages>(&news);
        const auto* error = std::get_if<Error>(&news);
        if (!end && !images && !error) continue;
        m_running = m_paused = false;
        if (end)
            emit finished(end->complete);
        else if (images)
            emit compared(*images);
        else
            emit failed(QString::fromStdString(error->message));
    }
}

}  // namespace warpscope::gui
