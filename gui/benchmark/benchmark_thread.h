// The thread that computes for the benchmark window: a benchmark, or both results of one row. Its
// own backends, made for the run and given back after it. News come as signals on the window's
// thread.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

#include "engine/base/mailbox.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/row_images.h"

namespace warpscope::gui {

class BenchmarkThread : public QObject {
    Q_OBJECT
  public:
    using BackendFactory = std::function<BackendSet()>;  // called on the benchmark's thread

    explicit BenchmarkThread(BackendFactory factory, QObject* parent = nullptr);
    ~BenchmarkThread() override;  // cancels and joins: a row band, a launch or one call of a peer

    void start(BenchmarkPlan plan, PeerSet peers);  // nothing happens while something runs
    // imagesOfRow; ends in compared, failed, or finished(false). The same holds for it.
    void compare(const StepTiming& row, const Image& imageAtHand, PeerSet peers);
    bool running() const { return m_running; }
    bool paused() const { return m_paused; }
    void setPaused(bool paused);
    void cancel();  // ends in finished(false); twice does no harm

  signals:
    void headReady(const warpscope::TimingReport& head);  // before the first row
    // Again whenever it is known better.
    void rowReady(std::size_t index, const warpscope::StepTiming& row);
    void progressed(const warpscope::BenchmarkProgress& progress);
    void reportReady(const warpscope::TimingReport& report);  // before finished, of a benchmark
    void finished(bool complete);         // every row that is complete has been reported
    void failed(const QString& message);  // in place of finished
    void compared(const warpscope::RowImages& images);

  private:
    struct Finished {
        bool complete = false;
        std::optional<TimingReport> report{};  // of a benchmark
    };
    struct Row {
        std::size_t index = 0;
        StepTiming timing;
    };
    using News = std::variant<TimingReport, Row, BenchmarkProgress, RowImages, Finished, Error>;
    using Work = std::function<void(const std::stop_token& stop)>;

    Q_INVOKABLE void drain();
    void begin(Work work);
    void work(const BenchmarkPlan& plan, PeerSet peers, const std::stop_token& stop);

    const BackendFactory m_factory;
    bool m_running = false;  // window's thread only
    bool m_paused = false;   // window's thread only

    Mailbox<News> m_news;
    std::mutex m_mutex;
    bool m_pauseWanted = false;           // guarded by m_mutex
    BenchmarkRunner* m_runner = nullptr;  // guarded by m_mutex; set while it exists
    std::jthread m_thread;                // last: joined before the rest goes
};

}  // namespace warpscope::gui
