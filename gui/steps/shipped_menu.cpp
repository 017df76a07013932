#include "gui/steps/shipped_menu.h"

#include <algorithm>

#include "engine/pipeline/preset_fit.h"
#include "gui/document/document.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr int kHeadingMargin = 8;

void sayAdded(Document& document, std::size_t from) {
    for (std::size_t i = from; i < document.pipeline().steps.size(); ++i)
        emit document.stepAdded(int(i));
}

}  // namespace

void replaceFitted(Document& document, const Pipeline& preset, const QString& undoText) {
    const PyramidPtr there = document.source();
    document.replacePipeline(there ? fittedTo(preset, there->levels.front()) : preset, undoText);
    sayAdded(document, 0);
    if (there) return;
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
    if (place == PresetPlace::Replace) return replaceFitted(document, preset.pipeline, undoText);
    // What steps that are there make of the image is another thing than the image.
    Pipeline pipeline = preset.pipeline;
    const auto& steps = document.pipeline().steps;
    if (steps.size() + pipeline.steps.size() > kMaxSteps) {
        emit document.refused(ShippedMenu::tr("A pipeline has room for %1 steps.").arg(kMaxSteps));
        return;
    }
    const std::size_t before = steps.size();
    pipeline.steps.insert(pipeline.steps.begin(), steps.begin(), steps.end());
    document.replacePipeline(pipeline, undoText);
    sayAdded(document, before);
}

ShippedMenu::ShippedMenu(Document& document, QWidget* parent) : QMenu(tr("&Presets"), parent) {
    setObjectName(QStringLiteral("shippedPresets"));
    setToolTipsVisible(true);
    QList<QAction*> whereThereAreSteps;
    const auto fill = [&](PresetPlace place, const QString& heading, const QString& prefix) {
        whereThereAreSteps << addSection(heading);
        for (const ShippedPreset& preset : shippedPresets()) {
            QAction* entry = addAction(engineText(preset.label));
            entry->setObjectName(prefix + QString::fromStdString(preset.id));
            entry->setToolTip(engineText(preset.summary));
            entry->setStatusTip(engineText(preset.summary));
            connect(entry, &QAction::triggered, this,
                    [&document, &preset, place] { applyPreset(document, preset, place); });
            if (place == PresetPlace::Append) whereThereAreSteps << entry;
        }
    };
    fill(PresetPlace::Replace, tr("Replace the steps"), QStringLiteral("preset/"));
    fill(PresetPlace::Append, tr("Append to the steps"), QStringLiteral("presetAppend/"));
    // Styles leave headings out of a menu's width.
    ensurePolished();
    const auto headings = {tr("Replace the steps"), tr("Append to the steps")};
    int widest = 0;
    for (const QString& heading : headings)
        widest = std::max(widest, fontMetrics().horizontalAdvance(heading));
    setMinimumWidth(widest + 2 * kHeadingMargin);
    const auto offer = [&document, whereThereAreSteps] {
        for (QAction* entry : whereThereAreSteps)
            entry->setVisible(!document.pipeline().steps.empty());
    };
    connect(&document, &Document::pipelineChanged, this, [offer](bool structural) {
        if (structural) offer();
    });
    offer();
}

}  // namespace warpscope::gui
