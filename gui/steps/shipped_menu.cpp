#include "gui/steps/shipped_menu.h"

#include "engine/pipeline/preset_fit.h"
#include "gui/document/document.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

void applyPreset(Document& document, const ShippedPreset& preset, PresetPlace place) {
    Pipeline pipeline = preset.pipeline;
    // What steps that are there make of the image is another thing than the image.
    if (place == PresetPlace::Instead && document.source())
        pipeline = fittedTo(std::move(pipeline), document.source()->levels.front());
    if (place == PresetPlace::Behind) {
        const auto& steps = document.pipeline().steps;
        if (steps.size() + pipeline.steps.size() > kMaxSteps) {
            emit document.refused(
                ShippedMenu::tr("A pipeline has room for %1 steps.").arg(kMaxSteps));
            return;
        }
        pipeline.steps.insert(pipeline.steps.begin(), steps.begin(), steps.end());
    }
    document.replacePipeline(pipeline, ShippedMenu::tr("Preset %1").arg(engineText(preset.label)));
}

ShippedMenu::ShippedMenu(Document& document, QWidget* parent) : QMenu(tr("&Presets"), parent) {
    setObjectName(QStringLiteral("shippedPresets"));
    setToolTipsVisible(true);
    const auto fill = [&document](QMenu& menu, PresetPlace place, const QString& prefix) {
        for (const ShippedPreset& preset : shippedPresets()) {
            QAction* entry = menu.addAction(engineText(preset.label));
            entry->setObjectName(prefix + QString::fromStdString(preset.id));
            entry->setToolTip(engineText(preset.summary));
            entry->setStatusTip(engineText(preset.summary));
            connect(entry, &QAction::triggered, &menu,
                    [&document, &preset, place] { applyPreset(document, preset, place); });
        }
    };
    fill(*this, PresetPlace::Instead, QStringLiteral("preset/"));
    addSeparator();
    QMenu* behind = addMenu(tr("&Behind the steps that are there"));
    behind->setToolTipsVisible(true);
    fill(*behind, PresetPlace::Behind, QStringLiteral("presetBehind/"));
    connect(this, &QMenu::aboutToShow, behind, [&document, behind] {
        behind->menuAction()->setEnabled(!document.pipeline().steps.empty());
    });
}

}  // namespace warpscope::gui
