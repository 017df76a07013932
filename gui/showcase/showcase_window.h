// The demo on the whole screen: CPU against GPU, or one thread against all cores, running without
// end.
#pragma once

#include <QWidget>
#include <atomic>
#include <memory>
#include <vector>

#include "gui/showcase/recordings.h"
#include "gui/showcase/showcase_content.h"
#include "gui/showcase/showcase_painter.h"
#include "gui/widgets/picture.h"

class QTimer;

namespace warpscope::gui {

class ShowcaseHelp;
class ShowcaseHint;
class ShowcaseToolBar;

class ShowcaseWindow : public QWidget {
    Q_OBJECT
  public:
    // `operations` and `sizes` are not empty; the start is within them.
    ShowcaseWindow(MatchRunner::BackendFactory factory, std::vector<ShowcaseOperation> operations,
                   std::vector<ShowcaseSize> sizes, const ShowcaseStart& start,
                   QWidget* parent = nullptr);
    ~ShowcaseWindow() override;  // both sides have ended, the memory of the GPU is free

    const ShowcaseOperation& operation() const { return m_operations[m_operation]; }
    const ShowcaseSize& imageSize() const { return m_sizes[m_size]; }
    bool paused() const { return m_paused; }
    // As it stands on the screen now.
    const ShowcaseContent& content() const { return m_content; }

    void stepOperation(int by);  // around at the ends
    void stepSize(int by);       // stops at the ends
    void setPaused(bool paused);
    void setLeft(BackendKind kind);
    void toggleHelp();
    // Null: this machine's own right side.
    void setOpponent(std::shared_ptr<const RecordedRun> recording);
    const RecordedRun* opponent() const { return m_opponent.get(); }
    // The result screen as it stands, light.
    Picture picture() const;
    // Ends both sides and joins them; the screen stays as it is. For leaving.
    void endRunning();

  signals:
    void left();  // closed by the person

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    Q_INVOKABLE void redraw();  // called by a queued call without payload
    void restart();
    void raceAsRecorded();  // where that is offered
    void openMenu(const QPoint& at);
    std::vector<BackendKind> racingHere() const;
    void openRecording();
    PixelFormat frameFormat() const { return frameFormat(imageSize()); }
    PixelFormat frameFormat(const ShowcaseSize& size) const;
    // Where the recording has no figure for the size, one that it has.
    void takeRecordedSize();
    QString recordedNote() const;
    bool sceneIsGray() const;
    void keepPictures();
    std::uint64_t look();
    void placeOverlays();
    void showToolBar();
    void hideToolBar();

    std::vector<ShowcaseOperation> m_operations;
    std::vector<ShowcaseSize> m_sizes;
    std::size_t m_operation = 0;
    std::size_t m_size = 0;
    BackendKind m_left = BackendKind::Cpu;
    bool m_paused = false;
    std::uint64_t m_work = 0;
    ShowcaseContent m_content;
    ShowcaseLayout m_layout;
    bool m_hasGpu = false;
    std::vector<std::shared_ptr<const RecordedRun>> m_recordings;  // read when first asked for
    std::shared_ptr<const RecordedRun> m_opponent;
    // The operation with values that the recording has, where it has not those that were asked for.
    std::optional<Pipeline> m_offered;
    Size m_leftSize;  // that the recording has no figure for; empty: none was left for its sake
    // What was shown last: the screen is never empty while the next picture is made.
    std::array<Image, 2> m_kept;

    ShowcaseToolBar* m_toolBar = nullptr;
    ShowcaseHint* m_hint = nullptr;
    ShowcaseHelp* m_help = nullptr;
    QTimer* m_toolBarTimer = nullptr;

    std::atomic<bool> m_wakePending{false};
    std::unique_ptr<MatchRunner> m_runner;  // last: its threads call this object
};

}  // namespace warpscope::gui
