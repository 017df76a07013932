#include "gui/steps/shipped_menu.h"

#include "engine/pipeline/preset_fit.h"
#include "gui/document/document.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

void replaceFitted(Document& document, const Pipeline& preset, const QString& undoText) {
    if (const PyramidPtr source = document.source())
        return document.replacePipeline(fittedTo(preset, source->levels.front()), undoText);
    document.replacePipeline(preset, undoText);
    const auto fit = [&document, preset, undoText, index = document.undoStack().index()] {
        const PyramidPtr source = document.source();
        if (!source || document.undoStack().index() != index || document.pipeline() != preset)
            return;
        document.undoStack().undo();  // one entry, not two
        document.replacePipeline(fittedTo(preset, source->levels.front()), undoText);
    };
    QObject::connect(&document, &Document::sourceChanged, &document, fit, Qt::SingleShotConnection);
}

void applyPreset(Document& document, const ShippedPreset& preset, PresetPlace place) {
    const QString undoText = ShippedMenu::tr("Preset %1").arg(engineText(preset.label));
    if (place == PresetPlace::Instead) return replaceFitted(document, preset.pipeline, undoText);
    // What steps that are there make of the image is another thing than the image.
    Pipeline pipeline = preset.pipeline;
    const auto& steps = document.pipeline().steps;
    if (steps.size() + pipeline.steps.size() > kMaxSteps) {
        emit document.refused(ShippedMenu::tr("A pipeline has room for %1 steps.").arg(kMaxSteps));
        return;
    }
    pipeline.steps.insert(pipeline.steps.begin(), steps.begin(), steps.end());
    document.replacePipeline(pipeline, undoText);
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
