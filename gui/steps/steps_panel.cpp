#include "gui/steps/steps_panel.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/steps/add_step_popup.h"
#include "gui/steps/operation_previews.h"
#include "gui/steps/shipped_menu.h"
#include "gui/steps/step_controls.h"
#include "gui/steps/step_list.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/flow_layout.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// A chain that spends less of its time than this in its steps says that it is no sum of them.
constexpr double kMostlySteps = 0.8;
constexpr int kArrangeRetryMs = 40;
constexpr int kGap = 8;  // of the header

// Where the time of a run went, in a line each.
QString partsOfChain(const EngineBridge::LastRun& run, double inSteps) {
    double upload = 0, download = 0, conversion = 0;
    for (const RunEvent& event : run.events) {
        if (event.kind == RunEvent::Kind::Upload) upload += event.ms;
        if (event.kind == RunEvent::Kind::Download) download += event.ms;
        if (event.kind == RunEvent::Kind::Convert) conversion += event.ms;
    }
    QStringList lines{
        StepsPanel::tr("The whole chain in its last run: %1 from the source in memory "
                       "to the result in memory.")
            .arg(durationText(run.ms)),
        StepsPanel::tr("In its steps: %1").arg(durationText(inSteps))};
    const auto add = [&](const QString& part, double ms) {
        if (ms > 0) lines << part.arg(durationText(ms));
    };
    add(StepsPanel::tr("Upload to the GPU: %1"), upload);
    add(StepsPanel::tr("Download from the GPU: %1"), download);
    add(StepsPanel::tr("Conversion of second inputs: %1"), conversion);
    add(StepsPanel::tr("Memory, planning, first use of a kernel, waiting: %1"),
        run.ms - inSteps - upload - download - conversion);
    return lines.join(QLatin1Char('\n'));
}

QString runOfChain(double ms) {
    return StepsPanel::tr("chain %1").arg(durationText(ms));
}

QString inCache(std::ptrdiff_t steps, std::ptrdiff_t kept) {
    if (steps == 1) return StepsPanel::tr("its step kept");
    return kept == steps ? StepsPanel::tr("all %1 steps kept").arg(steps)
                         : StepsPanel::tr("%1 of %2 steps kept").arg(kept).arg(steps);
}

}  // namespace

StepsPanel::StepsPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_bridge(bridge),
      m_list(new StepList(document, bridge, this)),
      m_controls(new StepControls(document, this)) {
    setObjectName(QStringLiteral("stepsPanel"));
    m_add = new QPushButton(tr("Add step"), this);
    m_add->setObjectName(QStringLiteral("addStep"));
    m_add->setIcon(Theme::instance().icon(QStringLiteral("add")));
    QToolButton* presets = m_presetsButton = new QToolButton(this);
    presets->setObjectName(QStringLiteral("presetsButton"));
    presets->setText(tr("Presets"));
    presets->setAccessibleName(tr("Presets"));
    presets->setIcon(Theme::instance().icon(QStringLiteral("steps")));
    presets->setToolTip(
        tr("Chains for jobs that people know: replace the steps, or append to them"));
    presets->setAutoRaise(true);
    presets->setFocusPolicy(Qt::StrongFocus);
    presets->setPopupMode(QToolButton::InstantPopup);
    presets->setMenu(new ShippedMenu(document, presets));
    m_total = new QLabel(this);
    const auto offerTime = [this, &document] {
        m_total->setVisible(!document.pipeline().steps.empty());
        fitPresets();
    };
    offerTime();
    connect(&document, &Document::pipelineChanged, m_total, offerTime);
    m_total->setObjectName(QStringLiteral("chainTime"));
    m_total->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const auto adopt = [this, presets] {
        m_total->setFont(Theme::instance().figureFont());
        // Nothing moves when the second line comes, nor with what the lines say.
        const QFontMetrics metrics(m_total->font());
        int width = 0;
        for (const QString& line :
             {runOfChain(888.8), inCache(88, 88), inCache(88, 80), tr("first-time costs")})
            width = std::max(width, metrics.horizontalAdvance(line));
        const int height = 2 * metrics.lineSpacing();
        m_total->setMinimumSize(width, height);
        fitPresets();
        // Nor when the lines come at all.
        for (QWidget* button : {static_cast<QWidget*>(m_add), static_cast<QWidget*>(presets)})
            button->setMinimumHeight(height);
        QPalette weak = m_total->palette();
        weak.setColor(QPalette::WindowText, Theme::instance().colors().weakText);
        m_total->setPalette(weak);
    };
    adopt();
    connect(&Theme::instance(), &Theme::changed, this, adopt);

    m_total->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* parts = new FlowLayout(kGap, nullptr, FlowLayout::Widths::Own);
    parts->addWidget(m_add);
    parts->addWidget(presets);
    parts->addWidget(m_total);
    auto* header = new QHBoxLayout;
    header->setContentsMargins(kGap, 8, kGap, 4);
    header->addLayout(parts, 1);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(m_controls);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_list->setMinimumHeight(96);
    m_controls->setMinimumHeight(120);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(header);
    all->addWidget(m_splitter, 1);

    connect(m_add, &QPushButton::clicked, this, &StepsPanel::showAddStep);
    m_controls->follow(bridge);
    connect(m_list, &StepList::addRequested, this, &StepsPanel::showAddStep);
    connect(m_list, &StepList::emptied, m_add, [this] { m_add->setFocus(Qt::OtherFocusReason); });
    connect(m_list, &StepList::presetRefused, &document, &Document::refused);
    connect(m_list, &StepList::testStripRequested, this, &StepsPanel::testStripRequested);
    connect(m_controls, &StepControls::secondDropped, this, &StepsPanel::secondDropped);
    connect(m_controls, &StepControls::objectsRequested, this, &StepsPanel::objectsRequested);
    connect(m_list, &StepList::helpPageRequested, this, &StepsPanel::helpPageRequested);
    connect(m_list, &StepList::aboutRequested, m_controls, &StepControls::showAbout);
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_userSplit = true; });
    connect(m_list, &StepList::runChanged, this, [this] {
        showTotal();
        if (!m_list->reports().empty() && std::exchange(m_arrangeNext, false)) arrange();
        // Cards grow when times come. Later: they are laid out first.
        m_cards.start(0);
    });
    m_cards.setSingleShot(true);
    connect(&m_cards, &QTimer::timeout, this, [this] {
        const bool inUse = m_document.interacting() || m_controls->underMouse() ||
                           QApplication::mouseButtons() != Qt::NoButton;
        if (!inUse) arrange(true);
    });
    m_controls->installEventFilter(this);
    connect(&document, &Document::pipelineChanged, this, [this](bool structural) {
        showTotal();
        if (!structural) return;
        arrange();
        m_arrangeNext = true;
    });
    // The controls are others; nothing moves under a mouse that has just chosen a card.
    m_chosen.setSingleShot(true);
    connect(&m_chosen, &QTimer::timeout, this, [this] {
        if (QApplication::mouseButtons() != Qt::NoButton) return m_chosen.start(kArrangeRetryMs);
        arrange();
    });
    connect(&document, &Document::currentStepChanged, this, [this] { m_chosen.start(0); });
    showTotal();
}

// What had to wait while the mouse was over the controls.
bool StepsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_controls && event->type() == QEvent::Leave) m_cards.start(0);
    return QWidget::eventFilter(watched, event);
}

void StepsPanel::addStep(const std::string& operationId) {
    m_document.addStep(operationId);
    // Adding is followed by adjusting; a mouse that rests on the image still means the image.
    m_controls->focusFirst(Qt::PopupFocusReason);
}

// The list gets what its cards need, up to half of the panel. Never while values change, or
// the controls would move away under the cursor.
void StepsPanel::arrange(bool onlyGrows) {
    const int whole = m_splitter->height() - m_splitter->handleWidth();
    if (m_userSplit || whole <= 0) return;
    const bool empty = m_document.pipeline().steps.empty();
    // The selected card is read in full, warnings and all, as long as its controls keep room; what
    // they do not need is the list's.
    const int most =
        std::max({whole / 2, std::min(m_list->heightOfCurrent(), whole * 2 / 3),
                  whole - std::max(m_controls->contentHeight(), m_controls->minimumHeight())});
    const int wanted =
        empty ? whole : std::min(m_list->contentHeight(m_list->parentWidget()->width()), most);
    if (!onlyGrows || wanted > m_list->height()) m_splitter->setSizes({wanted, whole - wanted});
}

void StepsPanel::showTotal() {
    const auto& run = m_bridge.lastRun();
    const auto& reports = m_list->reports();
    QString text, tip;
    if (run && !reports.empty()) {
        const auto kept = std::ranges::count_if(reports, [](const StepReport& report) {
            return report.fromCache && report.problem.empty();
        });
        // Steps that were passed over neither ran nor were kept.
        const auto steps = std::ranges::count_if(
            reports, [](const StepReport& report) { return report.problem.empty(); });
        double inSteps = 0;
        for (const StepReport& report : reports) inSteps += report.ms;
        text = runOfChain(run->ms);
        if (kept > 0)
            text += QLatin1Char('\n') + inCache(steps, kept);
        else if (inSteps < kMostlySteps * run->ms)
            text += QLatin1Char('\n') + tr("first-time costs");
        tip = partsOfChain(*run, inSteps);
        if (kept > 0)
            tip += QLatin1Char('\n') + tr("%1 of %2 steps were in the cache from before: they took "
                                          "no time.")
                                           .arg(kept)
                                           .arg(steps);
        tip +=
            QLatin1Char('\n') + tr("One run, first-time costs and all. The cards below say what a "
                                   "step takes when it is repeated.");
    }
    m_total->setText(text);
    m_total->setToolTip(tip);
    const bool full = m_document.pipeline().steps.size() >= kMaxSteps;
    m_add->setToolTip(full ? tr("A pipeline has at most %1 steps").arg(kMaxSteps)
                      : m_addKey.isEmpty()
                          ? tr("Add an operation after the selected step")
                          : tr("Add an operation after the selected step (%1)").arg(m_addKey));
}

void StepsPanel::showKeys(const QString& addStep, const QString& testStrip) {
    m_addKey = addStep;
    m_list->showKeys(addStep, testStrip);
    showTotal();
}

// A sign in place of the word where the time has no room else.
void StepsPanel::fitPresets() {
    m_presetsButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const int all = m_add->sizeHint().width() + m_presetsButton->sizeHint().width() +
                    m_total->minimumWidth() + 2 * kGap + 2 * kGap;
    if (all > width() && !m_total->isHidden())
        m_presetsButton->setToolButtonStyle(Qt::ToolButtonIconOnly);
}

void StepsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitPresets();
    arrange();
}

void StepsPanel::showAddStep() {
    if (!m_document.hasRoomForStep()) return;
    if (!m_popup) {
        m_popup = new AddStepPopup(this);
        if (m_previews) m_popup->setPreviews(*m_previews);
        connect(m_popup, &AddStepPopup::chosen, this,
                [this](const std::string& operation) { addStep(operation); });
    }
    m_popup->showAt(QRect(m_add->mapToGlobal(QPoint(0, 0)), m_add->size()),
                    m_document.formatAt(m_document.placeOfNewStep()));
}

void StepsPanel::setView(const DisplaySettings& display, std::function<Rect()> seen) {
    m_previews = new OperationPreviews(m_document, m_bridge, display, std::move(seen), this);
}

void StepsPanel::setSettings(Settings& settings) {
    m_presets.emplace(settings);
    m_list->setPresets(&*m_presets);
}

void StepsPanel::setHandlesAction(QAction* action) {
    m_controls->setHandlesAction(action);
}

void StepsPanel::removeCurrentStep() {
    m_document.removeStep(m_document.currentStep());
}

void StepsPanel::nameCurrentStep() {
    m_list->askStepName(m_document.currentStep());
}

void StepsPanel::duplicateCurrentStep() {
    m_document.duplicateStep(m_document.currentStep());
}

void StepsPanel::setWrongVariantsShown(bool shown) {
    m_controls->setWrongVariantsShown(shown);
}

void StepsPanel::setHistogramsShown(bool shown) {
    m_list->setHistogramsShown(shown);
    arrange();
}

void StepsPanel::focusControls() {
    if (m_document.pipeline().steps.empty())
        m_add->setFocus(Qt::OtherFocusReason);
    else if (m_document.currentStep() < 0)
        m_list->focusCurrent();
    else
        m_controls->focusFirst();
}

}  // namespace warpscope::gui
