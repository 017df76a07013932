#include "gui/steps/steps_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "gui/steps/add_step_popup.h"
#include "gui/steps/preset_store.h"
#include "gui/steps/step_controls.h"
#include "gui/steps/step_list.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

struct StepsPanel::State {
    State(Document& d, EngineBridge& b, QWidget* panel)
        : document(d),
          bridge(b),
          list(new StepList(d, b, panel)),
          controls(new StepControls(d, panel)) {}

    Document& document;
    EngineBridge& bridge;
    StepList* list;
    StepControls* controls;
    QPushButton* add = nullptr;
    QLabel* total = nullptr;
    AddStepPopup* popup = nullptr;
    std::optional<PresetStore> presets;
    QSplitter* splitter = nullptr;
    bool userSplit = false;    // the user has put the divider somewhere
    bool arrangeNext = false;  // the list has changed and has not run yet

    void addStep(const std::string& operationId) {
        const auto step = makeStep(operationId);
        if (!step) return;  // the popup lists filters of the registry only
        const int count = int(document.pipeline().steps.size());
        const int current = document.currentStep();
        document.insertStep(current < 0 ? count : current + 1, *step);
        controls->focusFirst();  // adding is followed by adjusting
    }

    // The list gets what its cards need, up to half of the panel. Never while values change, or
    // the controls would move away under the cursor.
    void arrange() {
        const int whole = splitter->height() - splitter->handleWidth();
        if (userSplit || whole <= 0) return;
        const bool empty = document.pipeline().steps.empty();
        const int wanted =
            empty ? whole : std::min(list->contentHeight(list->parentWidget()->width()), whole / 2);
        splitter->setSizes({wanted, whole - wanted});
    }

    void showTotal() {
        const auto& run = bridge.lastRun();
        std::size_t kept = 0;
        for (const StepReport& report : list->reports()) kept += report.fromCache;
        const std::size_t steps = list->reports().size();
        const bool known = run && steps > 0 && list->totalMs() > 0;
        QString text, tip;
        if (known) {
            text = StepsPanel::tr("chain %1").arg(durationText(run->ms));
            tip = StepsPanel::tr(
                      "The whole chain in its last run: %1 from the source in memory to the result "
                      "in memory, transfers included.")
                      .arg(durationText(run->ms));
            if (kept > 0) {
                text = StepsPanel::tr("%1 of %2 steps %3")
                           .arg(steps - kept)
                           .arg(steps)
                           .arg(durationText(run->ms));
                tip += QLatin1Char('\n') +
                       StepsPanel::tr(
                           "Computed were %1 of %2 steps; the others were kept from "
                           "before.")
                           .arg(steps - kept)
                           .arg(steps);
            }
            tip += QLatin1Char('\n') +
                   StepsPanel::tr(
                       "One run, first-time costs and all. The cards below say what a "
                       "step takes when it is repeated.");
        }
        total->setText(text);
        total->setToolTip(tip);
        const bool full = document.pipeline().steps.size() >= kMaxSteps;
        add->setToolTip(full ? StepsPanel::tr("A pipeline has at most %1 steps").arg(kMaxSteps)
                             : StepsPanel::tr("Add an operation after the selected step (A)"));
    }
};

StepsPanel::StepsPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(document, bridge, this)) {
    State& s = *m_state;
    setObjectName(QStringLiteral("stepsPanel"));
    s.add = new QPushButton(tr("Add step"), this);
    s.add->setObjectName(QStringLiteral("addStep"));
    s.add->setIcon(Theme::instance().icon(QStringLiteral("add")));
    s.total = new QLabel(this);
    s.total->setObjectName(QStringLiteral("chainTime"));
    const auto adopt = [&s] {
        s.total->setFont(Theme::instance().figureFont());
        QPalette weak = s.total->palette();
        weak.setColor(QPalette::WindowText, Theme::instance().colors().weakText);
        s.total->setPalette(weak);
    };
    adopt();
    connect(&Theme::instance(), &Theme::changed, this, adopt);

    auto* header = new QHBoxLayout;
    header->setContentsMargins(8, 8, 8, 4);
    header->setSpacing(8);
    header->addWidget(s.add);
    header->addStretch(1);
    header->addWidget(s.total);
    auto* splitter = s.splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(s.list);
    splitter->addWidget(s.controls);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    s.list->setMinimumHeight(96);
    s.controls->setMinimumHeight(120);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(header);
    all->addWidget(splitter, 1);

    connect(s.add, &QPushButton::clicked, this, &StepsPanel::showAddStep);
    connect(s.list, &StepList::addRequested, this, &StepsPanel::showAddStep);
    connect(s.list, &StepList::emptied, s.add, [&s] { s.add->setFocus(Qt::OtherFocusReason); });
    connect(s.list, &StepList::presetRefused, &document, &Document::refused);
    connect(s.list, &StepList::aboutRequested, s.controls, &StepControls::showAbout);
    connect(splitter, &QSplitter::splitterMoved, this, [&s] { s.userSplit = true; });
    connect(s.list, &StepList::runChanged, this, [&s] {
        s.showTotal();
        if (s.list->totalMs() > 0 && std::exchange(s.arrangeNext, false)) s.arrange();
    });
    connect(&document, &Document::pipelineChanged, this, [&s](bool structural) {
        s.showTotal();
        if (!structural) return;
        s.arrange();
        s.arrangeNext = true;
    });
    s.showTotal();
}

StepsPanel::~StepsPanel() = default;

void StepsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_state->arrange();
}

void StepsPanel::showAddStep() {
    State& s = *m_state;
    if (!s.document.hasRoomForStep()) return;
    if (!s.popup) {
        s.popup = new AddStepPopup(this);
        connect(s.popup, &AddStepPopup::chosen, this,
                [&s](const std::string& operation) { s.addStep(operation); });
    }
    s.popup->showAt(QRect(s.add->mapToGlobal(QPoint(0, 0)), s.add->size()));
}

void StepsPanel::setSettings(Settings& settings) {
    m_state->presets.emplace(settings);
    m_state->list->setPresets(&*m_state->presets);
}

void StepsPanel::removeCurrentStep() {
    m_state->document.removeStep(m_state->document.currentStep());
}

void StepsPanel::duplicateCurrentStep() {
    m_state->document.duplicateStep(m_state->document.currentStep());
}

void StepsPanel::focusControls() {
    if (m_state->document.pipeline().steps.empty())
        m_state->add->setFocus(Qt::OtherFocusReason);
    else if (m_state->document.currentStep() < 0)
        m_state->list->focusCurrent();
    else
        m_state->controls->focusFirst();
}

}  // namespace warpscope::gui
