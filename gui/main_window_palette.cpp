// What the command palette offers beside the commands of the menus.
#include <QDir>
#include <QFileInfo>

#include "engine/operations/registry.h"
#include "gui/app/actions.h"
#include "gui/app/command_palette.h"
#include "gui/app/file_controller.h"
#include "gui/app/settings.h"
#include "gui/main_window.h"
#include "gui/steps/preset_store.h"

namespace warpscope::gui {

void MainWindow::fillPalette() {
    // Operations, in the order of the registry; the new step goes after the selected one.
    m_palette->addSource([this] {
        std::vector<CommandPalette::Entry> entries;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.kind != OperationKind::Filter) continue;
            entries.push_back(
                {tr("Add"), QString::fromStdString(d.label), QString::fromStdString(d.summary),
                 m_actions->addStep->icon(), true, [this, id = d.id] {
                     const int count = int(m_document->pipeline().steps.size());
                     const int current = m_document->currentStep();
                     if (const auto step = makeStep(id))
                         m_document->insertStep(current < 0 ? count : current + 1, *step);
                 }});
        }
        return entries;
    });
    m_palette->addSource([this] {
        std::vector<CommandPalette::Entry> entries;
        for (const QString& path : m_settings.recentFiles())
            entries.push_back({tr("Open recent"), QFileInfo(path).fileName(),
                               QDir::toNativeSeparators(path), m_actions->open->icon(), true,
                               [this, path] { m_files->openFiles({path}); }});
        return entries;
    });
    // Presets of the selected step.
    m_palette->addSource([this] {
        std::vector<CommandPalette::Entry> entries;
        const int current = m_document->currentStep();
        if (current < 0) return entries;
        const Step step = m_document->pipeline().steps[std::size_t(current)];
        const Operation* operation = findOperation(step.operation);
        const QString label =
            QString::fromStdString(operation ? operation->description().label : step.operation);
        PresetStore store(m_settings);
        for (const Preset& preset : store.of(step.operation))
            entries.push_back(
                {tr("Preset of %1").arg(label), preset.name, {}, {}, true, [this, current, preset] {
                     m_document->setStepValues(current, preset.parameters, preset.variant,
                                               tr("Preset %1").arg(preset.name));
                 }});
        return entries;
    });
}

}  // namespace warpscope::gui
