#include "gui/app/fallback_message.h"

#include <memory>

#include "gui/document/engine_bridge.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kFallbackCause = QStringLiteral("fall-back");

// "step 2, Median: ...", as it is told in English, and the machine.
QString detailsOf(const EngineBridge& bridge) {
    const Pipeline pipeline = bridge.renderedPipeline();
    QStringList lines;
    for (const StepReport& step : bridge.stepReports()) {
        if (step.fallbackReason.empty()) continue;
        const std::string operation = step.stepIndex < pipeline.steps.size()
                                          ? pipeline.steps[step.stepIndex].operation
                                          : std::string();
        lines << QStringLiteral("step %1, %2: %3")
                     .arg(step.stepIndex + 1)
                     .arg(QString::fromStdString(operation),
                          QString::fromStdString(step.fallbackReason));
    }
    if (const auto& backends = bridge.backends(); backends && backends->cuda) {
        const BackendInfo& gpu = backends->cuda->info();
        lines << QStringLiteral("%1, %2, %3, driver %4")
                     .arg(QString::fromStdString(gpu.device), QString::fromStdString(gpu.uuid),
                          QString::fromStdString(gpu.detail), QString::fromStdString(gpu.driver));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

void sayFallbacks(EngineBridge& bridge, MessageBar& messages) {
    auto said = std::make_shared<std::string>();
    QObject::connect(&bridge, &EngineBridge::stepReportsChanged, &messages, [&, said] {
        std::string reason;
        for (const StepReport& step : bridge.stepReports())
            if (!step.fallbackReason.empty()) reason = step.fallbackReason;
        if (reason == *said) return;
        *said = reason;
        if (reason.empty()) return messages.withdrawCause(kFallbackCause);
        messages.show({.level = MessageBar::Level::Warning,
                       .text = tr("Computed on the CPU: %1").arg(engineText(reason)),
                       .details = detailsOf(bridge),
                       .cause = kFallbackCause});
    });
}

}  // namespace warpscope::gui
