#include "gui/document/memory_budget.h"

#include <QInputDialog>
#include <QLocale>
#include <algorithm>

#include "engine/pipeline/executor.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

std::uint64_t bytesOf(int mib) {
    return std::uint64_t(mib) << 20;
}

}  // namespace

int defaultMemoryMiB() {
    return int(std::clamp(defaultMemoryBudget() >> 20, std::uint64_t(kLeastMemoryMiB),
                          std::uint64_t(kMostMemoryMiB)));
}

QString memoryText(std::uint64_t bytes) {
    // An image that needs a part of a MiB needs it.
    constexpr std::uint64_t kMiB = 1u << 20;
    return tr("%1 MiB").arg(QLocale().toString(qulonglong((bytes + kMiB - 1) / kMiB)));
}

QString howToRaiseMemory() {
    return tr("Compute > Memory budget… sets another");
}

void applyMemoryBudget(const Settings& settings, EngineBridge& bridge) {
    bridge.setMemoryBudget(bytesOf(settings.memoryMiB().value_or(defaultMemoryMiB())));
}

QInputDialog* askMemoryBudget(QWidget& window, Settings& settings, EngineBridge& bridge,
                              std::function<void()> changed) {
    auto* dialog = new QInputDialog(&window);
    dialog->setObjectName(QStringLiteral("memoryBudgetDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Memory budget"));
    dialog->setLabelText(
        tr("What an image may take, and what results of steps may keep, in MiB.\nA larger image is "
           "refused. Default: %1, a quarter of the machine's memory, at most 8,192 MiB.")
            .arg(memoryText(bytesOf(defaultMemoryMiB()))));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(kLeastMemoryMiB, kMostMemoryMiB);
    dialog->setIntStep(256);
    dialog->setIntValue(int(bridge.memoryBudget() >> 20));
    QObject::connect(
        dialog, &QInputDialog::intValueSelected, &bridge,
        [&settings, &bridge, changed = std::move(changed)](int mib) {
            // The default follows the machine, so it is not written down.
            settings.setMemoryMiB(mib == defaultMemoryMiB() ? std::nullopt : std::optional(mib));
            applyMemoryBudget(settings, bridge);
            changed();
        });
    dialog->open();
    return dialog;
}

}  // namespace warpscope::gui
