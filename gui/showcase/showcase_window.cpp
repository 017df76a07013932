#include "gui/showcase/showcase_window.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <algorithm>

#include "engine/image/synthetic.h"
#include "gui/base/queued_call.h"
#include "gui/showcase/screen_picture.h"
#include "gui/showcase/showcase_overlays.h"
#include "gui/widgets/engine_text.h"
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
    m_hint = new ShowcaseHint(tr("← → operation     ↑ ↓ size     O opponent     Space pause     "
                                 "H keys     Esc leave"),
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
    connect(m_toolBar, &ShowcaseToolBar::opponentAsked, this,
            [this] { openMenu(m_toolBar->mapToGlobal(QPoint(0, 0))); });
    connect(m_toolBar, &ShowcaseToolBar::helpToggled, this, &ShowcaseWindow::toggleHelp);
    connect(m_toolBar, &ShowcaseToolBar::leaveAsked, this, &QWidget::close);
    auto* idle = new QTimer(this);
    connect(idle, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    idle->start(kIdleDrawMs);

    m_layout = layoutFor(size());
    const Image first =
        imageSize().image.isNull()
            ? makeScene({480, 270}, !sceneIsGray(), 1, CpuContext{}).value_or(Image())
            : screenPicture(imageSize().image, {960, 540},
                            {imageSize().look.look, imageSize().image.format()})
                  .value_or(Image());
    m_kept = {first, first};
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
    MatchWork work{operation().pipeline, imageSize().size, imageSize().image, m_left,
                   sceneIsGray()};
    work.look = imageSize().look.look;
    if (m_opponent) {
        work.recorded = opponentOf(*m_opponent, work.pipeline, frameFormat(), imageSize().size);
        work.recorded->note = recordedNote().toStdString();
    }
    m_offered.reset();
    if (m_opponent && !work.recorded->problem.empty())
        m_offered = asRecorded(*m_opponent, work.pipeline, frameFormat(), imageSize().size);
    if (m_offered)
        work.recorded->problem +=
            ' ' + tr("N races with the nearest of these values.").toStdString();
    m_work = m_runner->show(std::move(work));
    look();
    update();
}

void ShowcaseWindow::raceAsRecorded() {
    if (!m_offered) return;
    QStringList steps;
    for (const Step& step : m_offered->steps)
        if (step.enabled) steps << parametersText(step);
    steps.removeAll(QString());
    ShowcaseOperation recorded{operation().id, tr("%1, as recorded").arg(operation().label),
                               steps.join(QStringLiteral(" → ")), *m_offered};
    ++m_operation;
    m_operations.insert(m_operations.begin() + std::ptrdiff_t(m_operation), std::move(recorded));
    takeRecordedSize();
    restart();
}

void ShowcaseWindow::stepOperation(int by) {
    const int count = int(m_operations.size());
    // Past those that do nothing to such a picture or cannot take it.
    for (int i = 0; i < count; ++i) {
        m_operation = std::size_t(((int(m_operation) + by) % count + count) % count);
        if (planChain(operation().pipeline, frameFormat(), imageSize().size)) break;
    }
    takeRecordedSize();
    restart();
}

void ShowcaseWindow::stepSize(int by) {
    const int size = std::clamp(int(m_size) + by, 0, int(m_sizes.size()) - 1);
    if (size == int(m_size)) return;
    m_size = std::size_t(size);
    m_leftSize = {};
    restart();
}

void ShowcaseWindow::setPaused(bool paused) {
    m_paused = paused;
    m_runner->setPaused(paused);
    m_toolBar->setPaused(paused);
    update();
}

void ShowcaseWindow::setLeft(BackendKind kind) {
    if (kind == m_left || !(m_hasGpu || m_opponent)) return;
    m_left = kind;
    restart();
}

bool ShowcaseWindow::sceneIsGray() const {
    if (m_opponent && recordedInGray(*m_opponent, operation().pipeline)) return true;
    // As the image at hand, whose neighbours the sizes are.
    for (const ShowcaseSize& size : m_sizes)
        if (!size.image.isNull()) return !isColor(size.image.format());
    return false;
}

PixelFormat ShowcaseWindow::frameFormat(const ShowcaseSize& size) const {
    if (!size.image.isNull()) return size.image.format();
    return sceneIsGray() ? PixelFormat::Gray8 : PixelFormat::Rgba8;
}

void ShowcaseWindow::setOpponent(std::shared_ptr<const RecordedRun> recording) {
    m_opponent = std::move(recording);
    takeRecordedSize();
    m_toolBar->setThreadsOffered(m_hasGpu || m_opponent);
    restart();
}

void ShowcaseWindow::takeRecordedSize() {
    m_leftSize = {};
    if (!m_opponent) return;
    std::vector<Size> sizes;
    std::vector<PixelFormat> formats;
    for (const ShowcaseSize& size : m_sizes) {
        sizes.push_back(size.size);
        formats.push_back(frameFormat(size));
    }
    const Size before = imageSize().size;
    const Pipeline& pipeline = operation().pipeline;
    if (opponentOf(*m_opponent, pipeline, frameFormat(), before).problem.empty()) return;
    const int nearest = nearestRecorded(*m_opponent, pipeline, sizes, formats, before);
    if (nearest < 0) return;
    m_size = std::size_t(nearest);
    m_leftSize = before;
}

QString ShowcaseWindow::recordedNote() const {
    QStringList notes;
    if (imageSize().image.isNull() && recordedInGray(*m_opponent, operation().pipeline))
        notes << tr("The picture is gray: %1 was not recorded in colour.").arg(operation().label);
    if (!m_leftSize.empty())
        notes << tr("%1 was not recorded, %2 was.")
                     .arg(sizeText(m_leftSize), sizeText(imageSize().size));
    return notes.join(QLatin1Char(' '));
}

void ShowcaseWindow::openRecording() {
    auto* dialog = new QFileDialog(this, tr("Open a recording"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters({tr("Results (*.json)"), tr("All files (*)")});
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        auto read = readRecording(path);
        if (!read) {
            QToolTip::showText(mapToGlobal(rect().center()), engineText(read.error().message),
                               this);
            return;
        }
        m_recordings.push_back(std::make_shared<const RecordedRun>(std::move(*read)));
        setOpponent(m_recordings.back());
    });
    dialog->open();
}

std::vector<BackendKind> ShowcaseWindow::racingHere() const {
    std::vector<BackendKind> kinds;
    if (!m_runner) return kinds;
    const RunnerState state = m_runner->state();
    if (state.left) kinds.push_back(state.left->kind);
    if (state.right && !m_opponent) kinds.push_back(state.right->kind);
    return kinds;
}

void ShowcaseWindow::openMenu(const QPoint& at) {
    if (m_recordings.empty())
        for (RecordedRun& recording : shippedRecordings())
            m_recordings.push_back(std::make_shared<const RecordedRun>(std::move(recording)));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("showcaseMenu"));
    menu->addSection(tr("Against"));
    const auto add = [&](const QString& text, std::shared_ptr<const RecordedRun> recording) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(recording == m_opponent);
        connect(action, &QAction::triggered, this, [this, recording] { setOpponent(recording); });
    };
    add(m_hasGpu ? tr("this machine's GPU") : tr("all cores of this machine"), nullptr);
    for (const auto& recording : m_recordings)
        add(tr("recorded: %1").arg(recording->name()), recording);
    menu->addAction(tr("Open a recording…"), this, &ShowcaseWindow::openRecording);
    if (m_offered)
        menu->addAction(tr("Race with recorded values (N)"), this, &ShowcaseWindow::raceAsRecorded);
    menu->addSeparator();
    const QString command = raceCommand(operation(), imageSize(), sceneIsGray(), racingHere());
    QAction* copy = menu->addAction(tr("Copy the command"), this,
                                    [command] { QGuiApplication::clipboard()->setText(command); });
    copy->setObjectName(QStringLiteral("copyCommand"));
    copy->setEnabled(!command.isEmpty());
    addPictureActions(*menu, this, [this] { return picture(); });
    unsetCursor();
    menu->popup(at);
}

void ShowcaseWindow::contextMenuEvent(QContextMenuEvent* event) {
    openMenu(event->globalPos());
}

Picture ShowcaseWindow::picture() const {
    const QSize size = this->size();
    ShowcaseContent content = m_content;
    content.notice.clear();
    QString name = QStringLiteral("%1 %2").arg(content.operation, content.size);
    name.replace(QLatin1Char('/'), QLatin1Char(' '));
    return {name, tr("CPU and GPU side by side"),
            QStringLiteral("%1; %2; %3").arg(name, content.factor, content.agreement), size,
            [size, content](QPainter& painter) {
                painter.fillRect(QRect(QPoint(), size), Theme::instance().colors().window);
                paintShowcase(painter, layoutFor(size), content);
            }};
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
        m_toolBar->setThreadsOffered(m_hasGpu || m_opponent);
        placeOverlays();
    }
    m_content = contentOf(state, m_work, operation(), imageSize(), m_paused);
    keepPictures();
    return state.drawing;
}

void ShowcaseWindow::keepPictures() {
    for (std::size_t i = 0; i < 2; ++i) {
        SideContent& side = m_content.sides[i];
        if (!side.picture.isNull()) {
            m_kept[i] = side.picture;
            continue;
        }
        side.picture = m_kept[i];
        side.pictureIsSource = true;
    }
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
    if (event->matches(QKeySequence::Copy)) return copyPicture(picture());
    if (event->matches(QKeySequence::Save)) return savePicture(this, picture());
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
        case Qt::Key_N:
            return raceAsRecorded();
        case Qt::Key_O:
        case Qt::Key_Menu:
            return openMenu(mapToGlobal(m_layout.names[1].topLeft()));
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
        // Lines that are too long for the window are broken.
        if (overlay == m_help) m_help->setWordWrap(false);
        overlay->adjustSize();
        if (overlay == m_help && overlay->width() > width()) {
            m_help->setWordWrap(true);
            m_help->resize(width(), m_help->heightForWidth(width()));
        }
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
