#include "gui/app/step_view_actions.h"

#include <QKeyEvent>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/steps/image_row.h"
#include "gui/steps/steps_panel.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kHistograms = QStringLiteral("stepHistograms");
const QString kProbe = QStringLiteral("probeSteps");
const QString kPeek = QStringLiteral("peek");

// Escape on the image first shows all steps again: nothing drawn on it is lost for that.
class EscapeFromPeek : public QObject {
  public:
    EscapeFromPeek(Canvas& canvas, EngineBridge& bridge) : QObject(&canvas), m_bridge(bridge) {
        canvas.installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::KeyPress || !m_bridge.peek()) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() != Qt::Key_Escape) return false;
        m_bridge.setPeek(std::nullopt);
        return true;
    }

  private:
    EngineBridge& m_bridge;
};

void connectPeek(const StepViewParts& p) {
    EngineBridge* bridge = &p.bridge;
    QAction* all = p.actions.allSteps;
    new EscapeFromPeek(p.canvas, p.bridge);
    QObject::connect(all, &QAction::triggered, bridge, [bridge] { bridge->setPeek(std::nullopt); });
    // Said until it is over: whoever forgets it takes a part of the chain for all of it.
    QObject::connect(
        bridge, &EngineBridge::peekChanged, &p.messages,
        [bridge, all, messages = &p.messages, document = &p.document] {
            messages->withdrawCause(kPeek);
            all->setEnabled(bridge->peek().has_value());
            if (!bridge->peek()) return;
            const int step = *bridge->peek();
            const auto& steps = document->pipeline().steps;
            messages->show(
                {.level = MessageBar::Level::Warning,
                 .text = tr("The image shows what step %1 gives, %2. Later steps are left out, "
                            "also of what is saved.")
                             .arg(step + 1)
                             .arg(stepTitle(steps[std::size_t(step)])),
                 .actionText = tr("Show all steps"),
                 .act = [bridge] { bridge->setPeek(std::nullopt); },
                 .cause = kPeek});
        });
}

// With each picture the scale of its colours.
void connectColorScale(const StepViewParts& p) {
    const auto follow = [canvas = &p.canvas, bridge = &p.bridge, document = &p.document] {
        const Image source = document->image();
        canvas->setResultScale(source.isNull() ? std::nullopt
                                               : colorScaleOf(bridge->renderedPipeline(),
                                                              source.format(), source.size()));
    };
    QObject::connect(&p.bridge, &EngineBridge::draftReady, &p.canvas, follow);
    QObject::connect(&p.bridge, &EngineBridge::fullReady, &p.canvas, follow);
}

}  // namespace

void Actions::makeStepViews() {
    stepHistograms = make("stepHistograms", tr("Histogra&ms on the steps"), nullptr, {},
                          tr("of what each step gives"));
    stepHistograms->setCheckable(true);
    probeSteps = make("probeSteps", tr("Pi&xel values after each step"), nullptr, {},
                      tr("in the inspector, of the pixel under the mouse"));
    probeSteps->setCheckable(true);
    diskThumbnails = make("diskThumbnails", tr("&Keep thumbnails on disk"), nullptr, {},
                          tr("where all programs of the desktop keep theirs"));
    diskThumbnails->setCheckable(true);
    allSteps = make("allSteps", tr("Show what a&ll steps give"), nullptr, {},
                    tr("ends the look at one step"));
    allSteps->setEnabled(false);
    stepHandles = makeOnCanvas("stepHandles", tr("Handles of cro&p and rotate"), nullptr,
                               {Qt::Key_H}, tr("the frame or the angle, to be dragged"));
    stepHandles->setCheckable(true);
    stepHandles->setEnabled(false);
}

void connectStepViews(const StepViewParts& p) {
    Settings* settings = &p.settings;
    QAction* histograms = p.actions.stepHistograms;
    QAction* probe = p.actions.probeSteps;
    QObject::connect(histograms, &QAction::toggled, &p.steps,
                     [settings, steps = &p.steps](bool shown) {
                         settings->setSwitched(kHistograms, shown);
                         steps->setHistogramsShown(shown);
                     });
    QObject::connect(probe, &QAction::toggled, &p.inspector,
                     [settings, inspector = &p.inspector](bool on) {
                         settings->setSwitched(kProbe, on);
                         inspector->setProbing(on);
                     });
    histograms->setChecked(settings->switched(kHistograms).value_or(false));
    probe->setChecked(settings->switched(kProbe).value_or(false));
    connectPeek(p);
    connectColorScale(p);
}

}  // namespace warpscope::gui
