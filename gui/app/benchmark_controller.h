// Opens the benchmark window, and keeps the main window still while it measures.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "gui/benchmark/benchmark_thread.h"

namespace warpscope::gui {

class BenchmarkWindow;
class MainWindow;
class Settings;

class BenchmarkController : public QObject {
    Q_OBJECT
  public:
    // Everything is borrowed and must outlive this. `factory` is called once a run, on its thread.
    BenchmarkController(MainWindow& window, Settings& settings,
                        BenchmarkThread::BackendFactory factory);
    ~BenchmarkController() override;  // cancels a run and joins it

    // The window with these result files beside what it has.
    void open(const QStringList& files = {});
    void close();  // the window, and ends what it computes
    BenchmarkWindow* window() const { return m_benchmark.get(); }  // null before the first open

  private:
    void make();
    void onRunning(bool running);

    MainWindow& m_window;
    Settings& m_settings;
    const BenchmarkThread::BackendFactory m_factory;
    std::unique_ptr<BenchmarkWindow> m_benchmark;
    QString m_message;         // of the run: why the main window waits
    bool m_wasPaused = false;  // live update, before the run
};

}  // namespace warpscope::gui
