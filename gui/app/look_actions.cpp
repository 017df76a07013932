#include "gui/app/look_actions.h"

#include <cmath>
#include <functional>
#include <iterator>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"
#include "gui/display/display_settings.h"
#include "gui/document/document.h"
#include "gui/document/settings.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

constexpr double kStopStep = 0.5;
constexpr double kGammaStep = 1.1;
const QString kByItself = QStringLiteral("rangeByItself");
const QString kNavigator = QStringLiteral("navigator");
const QString kProfile = QStringLiteral("profileShown");
const QString kPoorly = QStringLiteral("poorlyShown");

void change(DisplaySettings& display, const std::function<void(ViewLook&)>& by) {
    ViewLook view = display.view();
    by(view);
    display.setView(view);
}

void connectPoorlyShown(const LookParts& p) {
    DisplaySettings* display = &p.display;
    MessageBar* messages = &p.messages;
    QObject::connect(
        display, &DisplaySettings::poorlyShown, messages,
        [display, messages](bool chosen, bool bright) {
            const RangeChoice offered = chosen ? RangeChoice::Natural : RangeChoice::Percentiles;
            messages->show(
                {.level = MessageBar::Level::Info,
                 .text = chosen && bright
                             ? tr("Shown by percentiles: over its full range the picture would be "
                                  "nearly white. Its samples are as they were.")
                         : chosen
                             ? tr("Shown by percentiles: over its full range the picture would be "
                                  "nearly black. Its samples are as they were.")
                         : bright ? tr("Over its full range this picture shows little: nearly all "
                                       "samples are very bright.")
                                  : tr("Over its full range this picture shows little: nearly all "
                                       "samples are very dark."),
                 .actionText = chosen ? tr("Full range") : tr("Show by percentiles"),
                 .act = [display, offered] { display->setChoice(offered); },
                 .cause = kPoorly});
        });
    QObject::connect(&p.document, &Document::sourceChanged, messages,
                     [messages] { messages->withdrawCause(kPoorly); });
    QObject::connect(display, &DisplaySettings::changed, messages, [display, messages] {
        if (display->choice() != RangeChoice::Natural && !display->choseItself())
            messages->withdrawCause(kPoorly);
    });
}

}  // namespace

void connectLook(const LookParts& p) {
    const Actions& a = p.actions;
    DisplaySettings* display = &p.display;
    Canvas* canvas = &p.canvas;
    Settings* settings = &p.settings;
    const auto on = [canvas](QAction* action, auto&& act) {
        QObject::connect(action, &QAction::triggered, canvas, act);
    };
    for (int i = 0; i < int(std::size(kAllViewChannels)); ++i)
        on(a.channelGroup->actions()[i], [display, i] {
            change(*display, [i](ViewLook& view) { view.channel = kAllViewChannels[i]; });
        });
    for (int i = 0; i < int(std::size(kAllColorMaps)); ++i)
        on(a.mapGroup->actions()[i], [display, i] {
            change(*display, [i](ViewLook& view) { view.map = kAllColorMaps[i]; });
        });
    on(a.nextChannel, [display] {
        if (!display->hasChannels()) return;
        change(*display, [](ViewLook& view) {
            view.channel = ViewChannel((int(view.channel) + 1) % int(std::size(kAllViewChannels)));
        });
    });
    on(a.nextMap, [display] {
        change(*display, [](ViewLook& view) {
            view.map = ColorMap((int(view.map) + 1) % int(std::size(kAllColorMaps)));
        });
    });
    const auto step = [&](QAction* action, double stops, double gamma) {
        on(action, [display, stops, gamma] {
            change(*display, [&](ViewLook& view) {
                view.stops += stops;
                view.gamma *= gamma;
                // Up and down again is where it was.
                if (std::abs(view.gamma - 1) < 1e-6) view.gamma = 1;
            });
        });
    };
    step(a.exposureUp, kStopStep, 1);
    step(a.exposureDown, -kStopStep, 1);
    step(a.gammaUp, 0, kGammaStep);
    step(a.gammaDown, 0, 1 / kGammaStep);
    on(a.zebra, [display](bool shown) {
        change(*display, [shown](ViewLook& view) { view.zebra = shown; });
    });
    on(a.resetLook, [display] { display->resetLook(); });
    on(a.zoomToRegion, [canvas] { canvas->zoomToRegion(); });
    const auto show = [display, &a] {
        const ViewLook& view = display->view();
        a.channelGroup->actions()[int(view.channel)]->setChecked(true);
        for (int i = 0; i < int(std::size(kAllViewChannels)); ++i)
            a.channelGroup->actions()[i]->setEnabled(kAllViewChannels[i] == ViewChannel::All ||
                                                     display->hasChannels());
        a.mapGroup->actions()[int(view.map)]->setChecked(true);
        a.zebra->setChecked(view.zebra);
    };
    QObject::connect(display, &DisplaySettings::changed, canvas, show);
    show();

    a.navigator->setChecked(settings->switched(kNavigator).value_or(true));
    canvas->setNavigatorShown(a.navigator->isChecked());
    QObject::connect(a.navigator, &QAction::toggled, canvas, [canvas, settings](bool shown) {
        settings->setSwitched(kNavigator, shown);
        canvas->setNavigatorShown(shown);
    });
    a.profileShown->setChecked(settings->switched(kProfile).value_or(true));
    display->setProfileShown(a.profileShown->isChecked());
    QObject::connect(a.profileShown, &QAction::toggled, display, [display, settings](bool shown) {
        settings->setSwitched(kProfile, shown);
        display->setProfileShown(shown);
    });
    a.rangeByItself->setChecked(settings->switched(kByItself).value_or(false));
    display->setByItself(a.rangeByItself->isChecked());
    QObject::connect(a.rangeByItself, &QAction::toggled, display, [display, settings](bool wanted) {
        settings->setSwitched(kByItself, wanted);
        display->setByItself(wanted);
    });
    connectPoorlyShown(p);
}

}  // namespace warpscope::gui
