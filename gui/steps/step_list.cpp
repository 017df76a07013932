#include "gui/steps/step_list.h"

#include <QApplication>
#include <QCursor>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/display/region_words.h"
#include "gui/document/step_levels.h"
#include "gui/steps/image_row.h"
#include "gui/steps/step_card.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

// Drawn over the list while a step is dragged: the line where it will go, and its picture under the
// cursor.
class DropOverlay : public QWidget {
  public:
    explicit DropOverlay(QWidget* parent);

    void start(const QPixmap& picture, const QRect& origin, const QPoint& grabOffset);
    void update(const QPoint& cursor, int lineY);  // widget coordinates

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QPixmap m_picture;
    QRect m_origin;  // where the step lies now
    QPoint m_grabOffset;
    QPoint m_cursor;
    int m_lineY = -1;
};

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::start(const QPixmap& picture, const QRect& origin, const QPoint& grabOffset) {
    m_picture = picture;
    m_origin = origin;
    m_grabOffset = grabOffset;
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropOverlay::update(const QPoint& cursor, int lineY) {
    m_cursor = cursor;
    m_lineY = lineY;
    QWidget::update();
}

void DropOverlay::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = colors.window;
    veil.setAlphaF(0.65f);
    painter.fillRect(m_origin, veil);
    painter.setOpacity(0.93);
    const QPoint at(m_origin.left() + 8, m_cursor.y() - m_grabOffset.y());
    painter.drawPixmap(at, m_picture);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(Qt::NoBrush);
    const QSizeF shown = m_picture.deviceIndependentSize();
    painter.drawRoundedRect(QRectF(at, shown).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setOpacity(1);
    painter.setPen(QPen(colors.accent, 2));
    painter.setBrush(colors.window);
    const double y = m_lineY;
    painter.drawLine(QPointF(10, y), QPointF(width() - 4, y));
    painter.drawEllipse(QPointF(7, y), 3, 3);
}

namespace {

constexpr int kMargin = 8;
constexpr int kSpacing = 4;
constexpr int kScrollZone = 24;
constexpr int kScrollStep = 10;
constexpr int kRevealRetryMs = 40;

QString withKey(const QString& text, const QKeySequence& key) {
    return text + QLatin1Char('\t') + key.toString(QKeySequence::NativeText);
}

// The card itself says which step it is.
QString withoutStepPrefix(const QString& message) {
    const qsizetype colon = message.indexOf(QLatin1String(": "));
    const bool prefixed = message.startsWith(QLatin1String("step ")) && colon > 0;
    return engineText((prefixed ? message.mid(colon + 2) : message).toStdString());
}

}  // namespace

StepList::StepList(Document& document, EngineBridge& bridge, QWidget* parent)
    : QScrollArea(parent), m_document(document), m_bridge(bridge) {
    setObjectName(QStringLiteral("stepList"));
    setAccessibleName(tr("Steps"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);

    m_content = new QWidget;
    m_layout = new QVBoxLayout(m_content);
    m_layout->setContentsMargins(kMargin, kSpacing, kMargin, kMargin);
    m_layout->setSpacing(kSpacing);
    m_empty = new WrapLabel(m_content);
    m_empty->setText(tr("No steps yet. Press A or click Add step."), Tone::Weak);
    m_layout->addWidget(m_empty);
    m_layout->addStretch(1);
    setWidget(m_content);
    m_content->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    viewport()->installEventFilter(this);
    m_overlay = new DropOverlay(m_content);

    connect(&m_document, &Document::pipelineChanged, this, &StepList::onPipelineChanged);
    connect(&m_document, &Document::currentStepChanged, this, &StepList::syncCurrent);
    connect(&m_bridge, &EngineBridge::backendsReady, this, &StepList::syncRuns);
    connect(&m_bridge, &EngineBridge::fullReady, this, &StepList::runChanged);
    connect(&m_bridge, &EngineBridge::stepReportsChanged, this, [this] {
        m_reports = m_bridge.stepReports();
        syncRuns();
    });
    connect(&m_bridge, &EngineBridge::timingsChanged, this, [this] {
        m_timings = m_bridge.timings();
        syncRuns();
    });
    connect(&m_bridge, &EngineBridge::stepHistogramsChanged, this, &StepList::syncHistograms);
    connect(&m_bridge, &EngineBridge::thresholdsChanged, this, &StepList::syncRuns);
    connect(&m_bridge, &EngineBridge::peekChanged, this, &StepList::syncPeek);
    connect(&m_bridge, &EngineBridge::stepFailureChanged, this, &StepList::syncRuns);
    connect(&Theme::instance(), &Theme::changed, this, &StepList::syncRuns);
    m_autoScroll.setInterval(30);
    connect(&m_autoScroll, &QTimer::timeout, this, [this] {
        const int y = viewport()->mapFromGlobal(m_dragPosition).y();
        const int step = y < kScrollZone                          ? -kScrollStep
                         : y > viewport()->height() - kScrollZone ? kScrollStep
                                                                  : 0;
        if (step == 0 || m_dragged < 0) return;
        verticalScrollBar()->setValue(verticalScrollBar()->value() + step);
        dragTo(card(m_dragged), m_dragPosition);
    });
    m_reveal.setSingleShot(true);
    connect(&m_reveal, &QTimer::timeout, this, &StepList::revealCurrent);
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_follows = false; });
    connect(&m_document, &Document::currentStepChanged, this, [this] { m_follows = true; });
    m_reports = m_bridge.stepReports();
    m_timings = m_bridge.timings();
    syncCards();
}

int StepList::heightOfCurrent() const {
    const int index = m_document.currentStep();
    if (index < 0 || index >= count()) return 0;
    return card(index)->heightForWidth(card(index)->width()) + 2 * kMargin;
}

// Cards grow when times and warnings come, and the list may get less room after a step was chosen.
bool StepList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && m_follows && m_dragged < 0 &&
        (watched == m_content || watched == viewport()))
        m_reveal.start(0);
    return QScrollArea::eventFilter(watched, event);
}

int StepList::contentHeight(int width) const {
    if (!m_layout->hasHeightForWidth()) return m_layout->totalSizeHint().height();
    // A scroll bar that is there makes the cards narrower and so higher; without room for that it
    // would never go again.
    const int narrower = width - verticalScrollBar()->sizeHint().width();
    return std::max(m_layout->totalHeightForWidth(width), m_layout->totalHeightForWidth(narrower));
}

void StepList::onPipelineChanged(bool structural) {
    if (structural) {
        finishDrag(false);
        m_follows = true;
        // They speak of the list as it was.
        m_reports.clear();
        m_timings.clear();
    }
    syncCards();
}

StepCard* StepList::makeCard() {
    auto* card = new StepCard(m_content);
    connect(card, &StepCard::pressed, this, [this, card] { choose(indexOf(card)); });
    connect(card, &StepCard::focused, this, [this, card] { choose(indexOf(card)); });
    connect(card, &StepCard::toggled, this,
            [this, card](bool on) { m_document.setStepEnabled(indexOf(card), on); });
    connect(card, &StepCard::nameRequested, this, [this, card] { askStepName(indexOf(card)); });
    connect(card, &StepCard::menuRequested, this,
            [this, card](const QPoint& at) { showMenu(indexOf(card), at); });
    connect(card, &StepCard::dragMoved, this, [this, card](const QPoint& at) { dragTo(card, at); });
    connect(card, &StepCard::dropped, this, [this] { finishDrag(true); });
    return card;
}

int StepList::indexOf(const StepCard* card) const {
    const auto found = std::find(m_cards.begin(), m_cards.end(), card);
    return found == m_cards.end() ? -1 : int(found - m_cards.begin());
}

void StepList::choose(int index) {
    if (index >= 0) m_document.setCurrentStep(index);
}

// Cards stay where they are and take over the contents of their place: one whose event is being
// handled is never replaced.
void StepList::syncCards() {
    const auto& steps = m_document.pipeline().steps;
    const bool hadFocus = std::any_of(m_cards.begin(), m_cards.end(),
                                      [](const StepCard* card) { return card->hasFocus(); });
    while (m_cards.size() > steps.size()) {
        StepCard* last = m_cards.back();
        m_cards.pop_back();
        m_layout->removeWidget(last);
        last->hide();
        last->deleteLater();
    }
    while (m_cards.size() < steps.size()) {
        StepCard* card = makeCard();
        m_layout->insertWidget(int(m_cards.size()) + 1, card);  // after the empty state
        m_cards.push_back(card);
        card->show();
    }
    m_empty->setVisible(steps.empty());
    for (std::size_t i = 0; i < steps.size(); ++i)
        m_cards[i]->setStep(int(i), stepTitle(steps[i]), steps[i].enabled);
    syncRuns();
    syncHistograms();
    syncPeek();
    syncCurrent();
    if (hadFocus && steps.empty()) emit emptied();
    if (hadFocus) focusCurrent();
}

void StepList::syncRuns() {
    const auto& steps = m_document.pipeline().steps;
    const std::vector<bool> changesNothing = stepsThatChangeNothing(m_document);
    for (std::size_t i = 0; i < std::min(steps.size(), m_cards.size()); ++i) {
        const auto report = std::find_if(m_reports.begin(), m_reports.end(),
                                         [i](const StepReport& r) { return r.stepIndex == i; });
        std::vector<StepTiming> rows;
        for (const TimingReady& timing : m_timings)
            if (timing.stepIndex == i) rows.push_back(timing.timing);
        const auto& failure = m_bridge.stepFailure();
        const bool failed = failure && failure->stepIndex == i;
        // What a step took before it failed was another run.
        const bool told = report != m_reports.end() && !failed;
        RunInfo run = describeRun(steps[i], told ? &*report : nullptr, rows, m_bridge.backends());
        if (failed) run.error = withoutStepPrefix(failure->message);
        if (const auto level = thresholdLevel(m_document, m_bridge, int(i)); level && !failed)
            addThresholdLevel(run, levelText(*level));
        if (changesNothing[i] && !failed) addNothingDone(run, steps[i]);
        if (const auto objects = objectsFound(m_document, m_bridge, int(i)); objects && !failed)
            addFound(run, *objects == 1
                              ? tr("One object")
                              : tr("%1 objects").arg(groupedCount(std::uint64_t(*objects))));
        m_cards[i]->setRun(run);
    }
    emit runChanged();
}

void StepList::showKeys(const QString& addStep, const QString& testStrip) {
    m_testStripKey = testStrip;
    m_empty->setText(addStep.isEmpty()
                         ? tr("No steps yet. Click Add step.")
                         : tr("No steps yet. Press %1 or click Add step.").arg(addStep),
                     Tone::Weak);
}

void StepList::setHistogramsShown(bool shown) {
    m_histogramsShown = shown;
    m_bridge.setStepHistogramsWanted(shown);
    syncHistograms();
}

void StepList::syncHistograms() {
    const auto& ready = m_bridge.stepHistograms();
    for (int i = 0; i < count(); ++i) {
        std::optional<HistogramSet> counts;
        if (ready)
            for (const StepHistogram& step : ready->steps)
                if (int(step.stepIndex) == i) counts = step.counts;
        card(i)->setBarsShown(m_histogramsShown);
        card(i)->bars().setCounts(counts, m_bridge.stepHistogramsAreCurrent());
    }
}

void StepList::syncPeek() {
    using Peek = StepCard::Peek;
    const std::optional<int> peek = m_bridge.peek();
    for (int i = 0; i < count(); ++i)
        card(i)->setPeek(!peek || i < *peek ? Peek::None
                         : i == *peek       ? Peek::Shown
                                            : Peek::LeftOut);
}

void StepList::syncCurrent() {
    const int current = m_document.currentStep();
    for (int i = 0; i < count(); ++i) card(i)->setCurrent(i == current);
    // With nothing selected the first card is the way in for the Tab key.
    if (current < 0 && count() > 0) card(0)->setFocusPolicy(Qt::StrongFocus);
    if (current < 0 || current >= count()) return;
    m_reveal.start(0);  // new cards get their place first
}

void StepList::revealCurrent() {
    // The press chooses the card. Scrolled away under the cursor, it would not get the click.
    if (QApplication::mouseButtons() != Qt::NoButton) {
        m_reveal.start(kRevealRetryMs);
        return;
    }
    const int index = m_document.currentStep();
    if (index < 0 || index >= count() || !m_follows) return;
    const StepCard* shown = card(index);
    if (shown->height() + 2 * kMargin > viewport()->height())
        verticalScrollBar()->setValue(shown->y() - kMargin);  // from its beginning
    else
        ensureWidgetVisible(card(index), 0, kMargin);
}

void StepList::focusCurrent() {
    if (count() == 0) return;
    const int current = std::clamp(m_document.currentStep(), 0, count() - 1);
    card(current)->setFocus(Qt::OtherFocusReason);
}

bool StepList::focusNextPrevChild(bool next) {
    // The scroll area would keep Tab among the cards; there is only one in the tab order.
    return QWidget::focusNextPrevChild(next);
}

void StepList::keyPressEvent(QKeyEvent* event) {
    const int current = m_document.currentStep();
    const int last = count() - 1;
    const auto go = [this](int index) {
        if (index < 0 || index >= count()) return;
        m_document.setCurrentStep(index);
        card(index)->setFocus(Qt::OtherFocusReason);
    };
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (m_dragged >= 0) {
        if (event->key() == Qt::Key_Escape) finishDrag(false);
        return;
    }
    if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Up) {
        if (current > 0) m_document.moveStep(current, current - 1);
    } else if (event->modifiers() == Qt::AltModifier && event->key() == Qt::Key_Down) {
        if (current >= 0 && current < last) m_document.moveStep(current, current + 1);
    } else if (event->modifiers() == Qt::ControlModifier && event->key() == Qt::Key_D) {
        m_document.duplicateStep(current);
    } else if (!plain) {
        event->ignore();
    } else if (event->key() == Qt::Key_Up) {
        go(std::max(0, current - 1));
    } else if (event->key() == Qt::Key_Down) {
        go(std::min(last, current + 1));
    } else if (event->key() == Qt::Key_Home) {
        go(0);
    } else if (event->key() == Qt::Key_End) {
        go(last);
    } else if (event->key() == Qt::Key_Delete) {
        m_document.removeStep(current);
    } else if (event->key() == Qt::Key_Space && current >= 0) {
        m_document.setStepEnabled(current,
                                  !m_document.pipeline().steps[std::size_t(current)].enabled);
    } else if (event->key() == Qt::Key_F2) {
        askStepName(current);
    } else if (event->key() == Qt::Key_A) {
        emit addRequested();
    } else {
        event->ignore();
    }
}

void StepList::showMenu(int index, const QPoint& globalPosition) {
    if (index < 0) return;
    choose(index);
    const Step step = m_document.pipeline().steps[std::size_t(index)];
    const auto defaults = m_document.stepToAdd(step.operation);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("stepMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const auto add = [menu](const char* icon, const QString& text, bool enabled, auto action) {
        QAction* item = menu->addAction(Theme::instance().icon(QString::fromLatin1(icon)), text);
        item->setEnabled(enabled);
        connect(item, &QAction::triggered, menu, action);
    };
    add("power", withKey(step.enabled ? tr("Turn off") : tr("Turn on"), Qt::Key_Space), true,
        [this, index, on = !step.enabled] { m_document.setStepEnabled(index, on); });
    add("reset", tr("Reset to defaults"), defaults && !(defaults->parameters == step.parameters),
        [this, index] { m_document.resetStep(index); });
    if (m_presets) addPresetMenu(*menu, index);
    add("info", withKey(tr("Name…"), Qt::Key_F2), true, [this, index] { askStepName(index); });
    add("chart", tr("Test strip…") + QLatin1Char('\t') + m_testStripKey, true,
        [this] { emit testStripRequested(); });
    const bool peeked = m_bridge.peek() == index;
    add("view-result", peeked ? tr("Show what all steps give") : tr("Show what this step gives"),
        true, [this, index, peeked] {
            m_bridge.setPeek(peeked ? std::nullopt : std::optional<int>(index));
        });
    menu->addSeparator();
    add("duplicate", withKey(tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D)), true,
        [this, index] { m_document.duplicateStep(index); });
    add("arrow-up", withKey(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up)), index > 0,
        [this, index] { m_document.moveStep(index, index - 1); });
    add("arrow-down", withKey(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down)),
        index + 1 < count(), [this, index] { m_document.moveStep(index, index + 1); });
    add("delete", withKey(tr("Remove"), Qt::Key_Delete), true,
        [this, index] { m_document.removeStep(index); });
    menu->addSeparator();
    add("help", tr("About this operation"), true, [this] { emit aboutRequested(); });
    add("help", tr("Its page in the help"), true,
        [this, id = step.operation] { emit helpPageRequested(QString::fromStdString(id)); });
    menu->popup(globalPosition);
}

void StepList::askStepName(int index) {
    const auto& steps = m_document.pipeline().steps;
    if (index < 0 || index >= int(steps.size())) return;
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("stepName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Name of the step"));
    dialog->setLabelText(
        tr("By this name later steps take what this one gives.\nLetters, digits, _ and -."));
    dialog->setInputMode(QInputDialog::TextInput);
    dialog->setTextValue(QString::fromStdString(steps[std::size_t(index)].name));
    // Steps may have moved while the name was typed: it is for this one.
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, index, step = steps[std::size_t(index)]](const QString& name) {
                const auto& now = m_document.pipeline().steps;
                if (index < int(now.size()) && now[std::size_t(index)] == step)
                    m_document.setStepName(index, name.trimmed());
            });
    dialog->open();
}

int StepList::gapAt(int y) const {
    int gap = 0;
    while (gap < count() && y > card(gap)->geometry().center().y()) ++gap;
    return gap;
}

int StepList::yOfGap(int gap) const {
    if (gap <= 0) return card(0)->geometry().top() - kSpacing / 2;
    return card(gap - 1)->geometry().bottom() + 1 + kSpacing / 2;
}

void StepList::dragTo(StepCard* dragged, const QPoint& globalPosition) {
    m_dragPosition = globalPosition;
    const QPoint position = m_content->mapFromGlobal(globalPosition);
    if (m_dragged < 0) {
        m_dragged = indexOf(dragged);
        if (m_dragged < 0) return;
        m_overlay->start(dragged->grab(), dragged->geometry(),
                         dragged->mapFromGlobal(globalPosition));
        dragged->setLifted(true);
        dragged->setCursor(Qt::ClosedHandCursor);
        m_autoScroll.start();
    }
    m_gap = gapAt(position.y());
    m_overlay->update(position, yOfGap(m_gap));
}

void StepList::finishDrag(bool drop) {
    if (m_dragged < 0) return;
    const int from = m_dragged;
    const int to = m_gap > from ? m_gap - 1 : m_gap;
    m_dragged = -1;
    m_autoScroll.stop();
    m_overlay->hide();
    card(from)->setLifted(false);
    card(from)->unsetCursor();
    if (drop && to != from) m_document.moveStep(from, to);
}

}  // namespace warpscope::gui
