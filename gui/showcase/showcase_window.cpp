#include "gui/showcase/showcase_window.h"

#include <QCloseEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTimer>
#include <algorithm>

#include "gui/base/queued_call.h"
#include "gui/showcase/showcase_overlays.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kToolBarMs = 2500;
constexpr int kIdleDrawMs = 100;  // while no turn ends: preparing, or a long frame

}  // namespace

ShowcaseWindow::ShowcaseWindow(MatchRunner::BackendFactory factory,
                               std::vector<ShowcaseOperation> operations,
                               std::vector<ShowcaseSize> sizes, const ShowcaseStart& start,
                               QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_operations(std::move(operations)),
      m_sizes(std::move(sizes)),
      m_operation(std::size_t(start.operation)),
      m_size(std::size_t(start.size)) {
    setObjectName(QStringLiteral("showcase"));
    setWindowTitle(tr("Side by side"));
    setAccessibleName(tr("CPU and GPU side by side"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(640, 400);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_toolBar = new ShowcaseToolBar(this);
    m_toolBar->setThreadsOffered(false);
    m_toolBar->hide();
    m_hint = new ShowcaseHint(tr("← → operation     ↑ ↓ size     Space pause     H keys     "
                                 "Esc leave"),
                              this);
    m_help = new ShowcaseHelp(this);
    m_help->hide();
    m_toolBarTimer = new QTimer(this);
    m_toolBarTimer->setSingleShot(true);
    connect(m_toolBarTimer, &QTimer::timeout, this, &ShowcaseWindow::hideToolBar);
    connect(m_toolBar, &ShowcaseToolBar::operationStepped, this, &ShowcaseWindow::stepOperation);
    connect(m_toolBar, &ShowcaseToolBar::sizeStepped, this, &ShowcaseWindow::stepSize);
    connect(m_toolBar, &ShowcaseToolBar::pauseToggled, this, [this] { setPaused(!m_paused); });
    connect(m_toolBar, &ShowcaseToolBar::threadsToggled, this, [this] {
        setLeft(m_left == BackendKind::Cpu ? BackendKind::CpuSingle : BackendKind::Cpu);
    });
    connect(m_toolBar, &ShowcaseToolBar::helpToggled, this, &ShowcaseWindow::toggleHelp);
    connect(m_toolBar, &ShowcaseToolBar::leaveAsked, this, &QWidget::close);
    auto* idle = new QTimer(this);
    connect(idle, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    idle->start(kIdleDrawMs);

    m_layout = layoutFor(size());
    // What is drawn is fetched from the runner, which keeps it under its own mutex.
    m_runner = std::make_unique<MatchRunner>(std::move(factory),
                                             [this, wake = queuedCall(this, "redraw")] {
                                                 if (!m_wakePending.exchange(true)) wake();
                                             });
    restart();
}

ShowcaseWindow::~ShowcaseWindow() = default;

void ShowcaseWindow::endRunning() {
    m_runner.reset();
}

void ShowcaseWindow::restart() {
    m_work = m_runner->show({operation().pipeline, imageSize().size, imageSize().image, m_left});
    look();
    update();
}

void ShowcaseWindow::stepOperation(int by) {
    const int count = int(m_operations.size());
    m_operation = std::size_t(((int(m_operation) + by) % count + count) % count);
    restart();
}

void ShowcaseWindow::stepSize(int by) {
    const int size = std::clamp(int(m_size) + by, 0, int(m_sizes.size()) - 1);
    if (size == int(m_size)) return;
    m_size = std::size_t(size);
    restart();
}

void ShowcaseWindow::setPaused(bool paused) {
    m_paused = paused;
    m_runner->setPaused(paused);
    m_toolBar->setPaused(paused);
    update();
}

void ShowcaseWindow::setLeft(BackendKind kind) {
    if (kind == m_left || !m_hasGpu) return;
    m_left = kind;
    restart();
}

void ShowcaseWindow::toggleHelp() {
    m_help->setVisible(!m_help->isVisible());
    m_hint->hide();
    placeOverlays();
}

void ShowcaseWindow::redraw() {
    m_wakePending = false;
    // At once: the next turn waits for it.
    repaint();
}

// What is to be drawn; the number for MatchRunner::drawn.
std::uint64_t ShowcaseWindow::look() {
    const RunnerState state = m_runner->state();
    if (m_hasGpu != state.hasGpu) {
        m_hasGpu = state.hasGpu;
        m_toolBar->setThreadsOffered(m_hasGpu);
        placeOverlays();
    }
    m_content = contentOf(state, m_work, operation(), imageSize(), m_paused);
    return state.drawing;
}

void ShowcaseWindow::paintEvent(QPaintEvent*) {
    const std::uint64_t drawing = m_runner ? look() : 0;
    {
        QPainter painter(this);
        painter.fillRect(rect(), Theme::instance().colors().window);
        paintShowcase(painter, m_layout, m_content);
    }
    if (m_runner) m_runner->drawn(drawing);
}

void ShowcaseWindow::keyPressEvent(QKeyEvent* event) {
    if (!m_runner) return;
    switch (event->key()) {
        case Qt::Key_Left:
            return stepOperation(-1);
        case Qt::Key_Right:
            return stepOperation(1);
        case Qt::Key_Up:
            return stepSize(1);
        case Qt::Key_Down:
            return stepSize(-1);
        case Qt::Key_Space:
            return setPaused(!m_paused);
        case Qt::Key_H:
        case Qt::Key_F1:
            return toggleHelp();
        case Qt::Key_C:
            return setLeft(m_left == BackendKind::Cpu ? BackendKind::CpuSingle : BackendKind::Cpu);
        case Qt::Key_F11:
            setWindowState(windowState() ^ Qt::WindowFullScreen);
            return;
        case Qt::Key_Escape:
            if (m_help->isVisible())
                toggleHelp();
            else
                close();
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void ShowcaseWindow::mouseMoveEvent(QMouseEvent* event) {
    showToolBar();
    QWidget::mouseMoveEvent(event);
}

void ShowcaseWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_layout = layoutFor(size());
    const QSize area = (QSizeF(m_layout.pictures[0].size()) * devicePixelRatioF()).toSize();
    if (m_runner) m_runner->setPictureSize({area.width(), area.height()});
    placeOverlays();
}

void ShowcaseWindow::placeOverlays() {
    QFont large = font();
    large.setPixelSize(std::max(14, 2 * m_layout.unit));
    m_hint->setFont(large);
    m_help->setFont(large);
    const QRect pictures = m_layout.pictures[0].united(m_layout.pictures[1]);
    for (QWidget* overlay : {static_cast<QWidget*>(m_hint), static_cast<QWidget*>(m_help),
                             static_cast<QWidget*>(m_toolBar)}) {
        overlay->adjustSize();
        const QSize size = overlay->size().boundedTo(rect().size());
        QRect place(QPoint(), size);
        place.moveCenter(overlay == m_help ? rect().center() : pictures.center());
        if (overlay == m_hint) place.moveTop(pictures.top() + 2 * m_layout.unit);
        if (overlay == m_toolBar) place.moveBottom(pictures.bottom() - 2 * m_layout.unit);
        overlay->setGeometry(place);
    }
}

void ShowcaseWindow::showToolBar() {
    unsetCursor();
    if (!m_toolBar->isVisible()) {
        m_toolBar->show();
        placeOverlays();
    }
    m_toolBarTimer->start(kToolBarMs);
}

void ShowcaseWindow::hideToolBar() {
    if (m_toolBar->underMouse()) {
        m_toolBarTimer->start(kToolBarMs);
        return;
    }
    m_toolBar->hide();
    setCursor(Qt::BlankCursor);
}

void ShowcaseWindow::closeEvent(QCloseEvent* event) {
    event->accept();
    emit left();
}

}  // namespace warpscope::gui
