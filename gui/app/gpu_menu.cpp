#include "gui/app/gpu_menu.h"

#include <algorithm>
#include <utility>

#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/message_bar.h"

namespace warpscope::gui {
namespace {

const QString kGpuCause = QStringLiteral("gpu choice");

// Two cards of one kind are told apart by the beginning of their UUIDs.
QString labelOf(const GpuDevice& gpu, const std::vector<GpuDevice>& all) {
    const QString name = QString::fromStdString(gpu.name);
    const auto alike = std::ranges::count(all, gpu.name, &GpuDevice::name);
    if (alike < 2 || gpu.uuid.empty()) return name;
    return QStringLiteral("%1 (%2)").arg(
        name, QString::fromStdString(gpu.uuid).section(QLatin1Char('-'), 0, 1));
}

}  // namespace

GpuMenu::GpuMenu(EngineBridge& bridge, Settings& settings, MessageBar& messages,
                 std::shared_ptr<GpuChoice> choice, QWidget* parent)
    : QMenu(tr("GPU &device"), parent),
      m_bridge(bridge),
      m_settings(settings),
      m_messages(messages),
      m_choice(std::move(choice)) {
    setObjectName(QStringLiteral("gpuMenu"));
    setToolTipsVisible(true);
    menuAction()->setVisible(false);
    connect(&bridge, &EngineBridge::backendsReady, this, &GpuMenu::showDevices);
}

void GpuMenu::showDevices() {
    clear();
    const BackendSet& backends = *m_bridge.backends();
    for (const GpuDevice& gpu : backends.gpus) {
        QAction* action = addAction(labelOf(gpu, backends.gpus));
        const QString uuid = QString::fromStdString(gpu.uuid);
        action->setData(uuid);
        action->setCheckable(true);
        action->setActionGroup(&m_group);
        action->setEnabled(gpu.whyNot.empty());
        const QString why = engineText(gpu.whyNot);
        action->setToolTip(why.isEmpty()    ? uuid
                           : uuid.isEmpty() ? why
                                            : QStringLiteral("%1\n%2").arg(uuid, why));
        connect(action, &QAction::triggered, this, [this, uuid] { choose(uuid); });
    }
    const bool chosen = !m_choice->name().empty();
    if (!backends.gpus.empty()) addSeparator();
    QAction* forget = addAction(tr("&First that can be used"));
    forget->setObjectName(QStringLiteral("gpuFirst"));
    forget->setToolTip(chosen ? tr("No longer %1").arg(QString::fromStdString(m_choice->name()))
                              : tr("No GPU in particular was chosen"));
    forget->setEnabled(chosen);
    connect(forget, &QAction::triggered, this, [this] { choose({}); });
    menuAction()->setVisible(chosen || backends.gpus.size() > 1);
    markUsed();

    const bool none = chosen && !backends.cuda;
    if (backends.gpuNotice.empty() && !none) return m_messages.withdrawCause(kGpuCause);
    MessageBar::Message message{
        .level = MessageBar::Level::Warning,
        .text = none ? tr("No GPU: %1").arg(engineText(backends.cudaUnavailable))
                     : engineText(backends.gpuNotice),
        .cause = kGpuCause};
    for (const GpuDevice& gpu : backends.gpus)
        message.details += QStringLiteral("%1 %2\n").arg(QString::fromStdString(gpu.name),
                                                         QString::fromStdString(gpu.uuid));
    m_messages.show(std::move(message));
}

void GpuMenu::markUsed() {
    const auto& backends = m_bridge.backends();
    const std::string used =
        backends && backends->cuda ? backends->cuda->info().uuid : std::string();
    for (QAction* action : m_group.actions())
        action->setChecked(!used.empty() && action->data().toString().toStdString() == used);
}

void GpuMenu::choose(const QString& uuid) {
    if (const QString& why = m_bridge.held(); !why.isEmpty()) {
        markUsed();
        return m_messages.show({.level = MessageBar::Level::Warning, .text = why});
    }
    m_settings.setGpu(uuid);
    m_choice->choose(uuid.toStdString());
    m_bridge.remakeBackends();
}

}  // namespace warpscope::gui
