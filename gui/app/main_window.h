// The window: puts document, bridge, canvas, panels, actions and bars together. What each of them
// does stands in its own class.
#pragma once

#include <QMainWindow>
#include <memory>

#include "engine/backend/gpu_choice.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

class Actions;
class BenchmarkController;
class Canvas;
class CommandPalette;
class CompareController;
class DemoMenu;
class DemoPanel;
class DemoRunner;
class DisplaySettings;
class DropCorner;
class Docks;
class Document;
class EngineBridge;
class FileController;
class FileWatcher;
class FirstHints;
class FolderStrip;
class HandlesController;
class HistogramPanel;
class InspectorPanel;
class KeptSteps;
class LatencyMeter;
class LogPanel;
class MessageBar;
class OpenImages;
class PictureAlone;
class ScopesPanel;
class SessionActions;
class Settings;
class Showcase;
class StatusBar;
class StepsPanel;
class TestStrip;
class TimingsPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    // The factory makes backends on the GPU that `gpu` names. Null: it knows one way only.
    MainWindow(RenderWorker::BackendFactory factory, Settings& settings,
               std::shared_ptr<GpuChoice> gpu = nullptr, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return *m_document; }
    EngineBridge& bridge() { return *m_bridge; }
    FileController& files() { return *m_files; }
    Actions& actions() { return *m_actions; }
    Canvas& canvas() { return *m_canvas; }
    MessageBar& messages() { return *m_messages; }
    StatusBar& status() { return *m_status; }
    Docks& docks() { return *m_docks; }
    DemoRunner& demos() { return *m_demos; }
    Showcase& showcase() { return *m_showcase; }
    KeptSteps& keptSteps() { return *m_keptSteps; }
    BenchmarkController& benchmark() { return *m_benchmark; }
    DisplaySettings& display() { return *m_display; }
    FolderStrip& strip() { return *m_strip; }
    OpenImages& openImages() { return *m_open; }
    FirstHints& hints() { return *m_hints; }
    PictureAlone& pictureAlone() { return *m_pictureAlone; }
    TestStrip& testStrip() { return *m_testStrip; }
    CompareController& comparing() { return *m_compare; }
    SessionActions& session() { return *m_session; }

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    QSize sizeHint() const override;

  private:
    void buildPanels(const RenderWorker::BackendFactory& factory);
    void buildScopes();
    void buildTestStrip();
    void buildBars(std::shared_ptr<GpuChoice> gpu);
    void connectFileActions();
    void connectFolder();
    void connectOpenImages();
    void connectWatching();
    void connectEditActions();
    void connectViewActions();
    void connectDisplay();
    void connectComputeActions();
    void connectDemos();
    void connectHelpActions();
    void connectPictures();
    void connectWork();
    void restore();

    void showSource();
    void updateTitle();
    void updateStepActions();
    void updateWork();
    void cancelWork();
    void chooseTheme(bool dark);
    void chooseBackend(BackendChoice choice);

    Settings& m_settings;
    std::unique_ptr<DisplaySettings> m_display;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<FileController> m_files;
    std::unique_ptr<OpenImages> m_open;
    std::unique_ptr<CompareController> m_compare;
    std::unique_ptr<HandlesController> m_handles;
    std::unique_ptr<FileWatcher> m_watcher;
    std::unique_ptr<DemoRunner> m_demos;
    std::unique_ptr<Showcase> m_showcase;
    std::unique_ptr<BenchmarkController> m_benchmark;
    std::unique_ptr<PictureAlone> m_pictureAlone;
    std::unique_ptr<FirstHints> m_hints;
    std::unique_ptr<SessionActions> m_session;

    Canvas* m_canvas = nullptr;
    DropCorner* m_dropCorner = nullptr;
    MessageBar* m_messages = nullptr;
    StatusBar* m_status = nullptr;
    StepsPanel* m_steps = nullptr;
    HistogramPanel* m_histogram = nullptr;
    InspectorPanel* m_inspector = nullptr;
    ScopesPanel* m_scopes = nullptr;
    TimingsPanel* m_timings = nullptr;
    TestStrip* m_testStrip = nullptr;
    LogPanel* m_log = nullptr;
    FolderStrip* m_strip = nullptr;
    DemoPanel* m_demoPanel = nullptr;
    DemoMenu* m_demoMenu = nullptr;
    Docks* m_docks = nullptr;
    Actions* m_actions = nullptr;
    CommandPalette* m_palette = nullptr;
    LatencyMeter* m_latency = nullptr;
    KeptSteps* m_keptSteps = nullptr;
    bool m_restored = false;
    QDockWidget* m_beforeStrip = nullptr;  // whose tab was in front when the test strip was opened
    int m_heightBeforeStrip = 0;           // its height
    bool m_closeAsked = false;             // while a save was unfinished
    bool m_benchmarkCloseAsked = false;    // while one ran
};

}  // namespace warpscope::gui
