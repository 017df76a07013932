// Presets in the menu of a step: apply, save under a name, delete.
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>

#include "gui/steps/preset_store.h"
#include "gui/steps/step_list.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

QString menuText(const QString& name) {
    return QString(name).replace(QLatin1Char('&'), QLatin1String("&&"));
}

// "Sigma 2, Size 9": what is not at its default.
QString suggestedName(const Step& step) {
    const auto defaults = makeStep(step.operation);
    const Operation* operation = findOperation(step.operation);
    QStringList parts;
    for (const auto& [id, value] : step.parameters.values()) {
        const ParamValue* usual = defaults ? defaults->parameters.find(id) : nullptr;
        const ParamSpec* spec = operation ? operation->description().findParameter(id) : nullptr;
        if (!usual || *usual != value)
            parts << engineText(spec ? spec->label : id) + QLatin1Char(' ') +
                         QString::fromStdString(toText(value));
    }
    const QString name = parts.join(QStringLiteral(", "));
    return name.isEmpty() ? StepList::tr("Defaults") : name.left(PresetStore::kMaxName);
}

}  // namespace

void StepList::addPresetMenu(QMenu& menu, int index) {
    const Step step = m_document.pipeline().steps[std::size_t(index)];
    const std::vector<Preset>& presets = m_presets->of(step.operation);
    QMenu* sub = menu.addMenu(Theme::instance().icon(QStringLiteral("save")), tr("Presets"));
    sub->setObjectName(QStringLiteral("presetMenu"));
    for (const Preset& preset : presets) {
        QAction* apply = sub->addAction(menuText(preset.name));
        apply->setCheckable(true);
        apply->setChecked(preset.parameters == step.parameters && preset.variant == step.variant);
        connect(apply, &QAction::triggered, this, [this, index, preset] {
            m_document.setStepValues(index, preset.parameters, preset.variant,
                                     tr("Preset %1").arg(preset.name));
        });
    }
    if (presets.empty()) sub->addAction(tr("No preset yet"))->setEnabled(false);
    sub->addSeparator();
    QAction* save = sub->addAction(tr("Save as preset…"));
    save->setObjectName(QStringLiteral("savePreset"));
    connect(save, &QAction::triggered, this, [this, index] { askPresetName(index); });
    QMenu* remove = sub->addMenu(tr("Delete preset"));
    remove->setObjectName(QStringLiteral("deletePresetMenu"));
    remove->setEnabled(!presets.empty());
    for (const Preset& preset : presets)
        connect(remove->addAction(menuText(preset.name)), &QAction::triggered, this,
                [this, operation = step.operation, name = preset.name] {
                    m_presets->remove(operation, name);
                });
}

void StepList::askPresetName(int index) {
    const auto& steps = m_document.pipeline().steps;
    if (index < 0 || index >= int(steps.size())) return;
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("presetName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as preset"));
    dialog->setLabelText(tr("Name. A preset of that name is replaced."));
    dialog->setInputMode(QInputDialog::TextInput);
    dialog->setTextValue(suggestedName(steps[std::size_t(index)]));
    if (auto* edit = dialog->findChild<QLineEdit*>()) edit->setMaxLength(PresetStore::kMaxName);
    // The values as they are now, whatever happens to the step while the name is typed.
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, step = steps[std::size_t(index)]](const QString& name) {
                if (!m_presets->save(step, name))
                    emit presetRefused(tr("Not kept: a preset needs a name of at most %1 letters, "
                                          "and an operation has room for %2.")
                                           .arg(PresetStore::kMaxName)
                                           .arg(PresetStore::kMaxPresets));
            });
    dialog->open();
}

}  // namespace warpscope::gui
