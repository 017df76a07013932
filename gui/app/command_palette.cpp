#include "gui/app/command_palette.h"

#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/app/file_controller.h"
#include "gui/document/document.h"
#include "gui/document/settings.h"
#include "gui/steps/preset_store.h"
#include "gui/steps/shipped_menu.h"
#include "gui/steps/step_search.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

// Every word of the filter must occur.
bool matches(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

}  // namespace

CommandPalette::CommandPalette(const Actions& actions, Document& document, FileController& files,
                               Settings& settings, QWidget* parent)
    : QDialog(parent, Qt::Popup),
      m_actions(actions),
      m_document(document),
      m_files(files),
      m_settings(settings) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands"));
    m_edit = new QLineEdit(this);
    m_edit->setPlaceholderText(tr("Type a command"));
    m_edit->setAccessibleName(tr("Command"));
    m_edit->installEventFilter(this);
    m_list = new QListWidget(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setIconSize(QSize(16, 16));
    m_list->setAccessibleName(tr("Matching commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_edit, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::popUp() {
    collect();
    m_edit->clear();
    fill(QString());
    const QWidget* window = parentWidget();
    const int width = std::min(560, window->width() - 64);
    resize(width, std::min(400, window->height() - 96));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 64)));
    show();
    m_edit->setFocus();
}

void CommandPalette::collect() {
    m_entries.clear();
    for (const Actions::Entry& known : m_actions.entries()) {
        if (known.action == m_actions.palette || known.menu.isEmpty()) continue;
        QAction* action = known.action;
        m_entries.push_back({known.menu, plainText(action), action->toolTip(), action->icon(),
                             [action] { action->trigger(); }, action->isEnabled(),
                             action->shortcut().toString(QKeySequence::NativeText)});
    }
    const auto given = m_document.formatAt(m_document.placeOfNewStep());
    // Operations, in the order of the registry; the new step goes after the selected one.
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        if (d.kind != OperationKind::Filter) continue;
        const QString why = given ? refusal(d, *given) : QString();
        const QString summary = engineText(d.summary);
        m_entries.push_back({tr("Add"), engineText(d.label), why.isEmpty() ? summary : why,
                             m_actions.addStep->icon(),
                             [this, id = d.id] { m_document.addStep(id); }, why.isEmpty()});
    }
    for (const QString& path : m_settings.recentFiles())
        m_entries.push_back({tr("Open recent"), QFileInfo(path).fileName(),
                             QDir::toNativeSeparators(path), m_actions.open->icon(),
                             [this, path] { m_files.openFiles({path}); }});
    for (const ShippedPreset& preset : shippedPresets())
        m_entries.push_back(
            {m_document.pipeline().steps.empty() ? tr("Preset") : tr("Replace by preset"),
             engineText(preset.label),
             engineText(preset.summary),
             {},
             [this, &preset] { applyPreset(m_document, preset, PresetPlace::Replace); }});
    if (!m_document.pipeline().steps.empty())
        for (const ShippedPreset& preset : shippedPresets())
            m_entries.push_back(
                {tr("Append preset"),
                 engineText(preset.label),
                 engineText(preset.summary),
                 {},
                 [this, &preset] { applyPreset(m_document, preset, PresetPlace::Append); }});
    addPresets();
}

// Those of the selected step.
void CommandPalette::addPresets() {
    const int current = m_document.currentStep();
    if (current < 0) return;
    const std::string id = m_document.pipeline().steps[std::size_t(current)].operation;
    const Operation* operation = findOperation(id);
    const QString label = engineText(operation ? operation->description().label : id);
    PresetStore store(m_settings);
    for (const Preset& preset : store.of(id))
        m_entries.push_back(
            {tr("Preset of %1").arg(label), preset.name, {}, {}, [this, current, preset] {
                 m_document.setStepValues(current, preset.parameters, preset.variant,
                                          tr("Preset %1").arg(preset.name));
             }});
}

void CommandPalette::fill(const QString& filter) {
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    // What is named so comes before what is only described so.
    for (const bool named : {true, false}) {
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const Entry& entry = m_entries[i];
            QString text = entry.group + QStringLiteral("  ›  ") + entry.text;
            const bool inName = matches(text, words);
            if (inName != named || !matches(text + QLatin1Char(' ') + entry.more, words)) continue;
            if (!entry.key.isEmpty()) text += QStringLiteral("    ") + entry.key;
            auto* item = new QListWidgetItem(entry.icon, text, m_list);
            item->setData(Qt::UserRole, int(i));
            item->setToolTip(entry.more);
            if (!entry.enabled) item->setFlags(Qt::NoItemFlags);
        }
    }
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->flags() & Qt::ItemIsEnabled) {
            m_list->setCurrentRow(i);
            break;
        }
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
    const auto run = m_entries[std::size_t(item->data(Qt::UserRole).toInt())].run;
    close();
    if (run) run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int by = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        if (by != 0) {
            for (int row = m_list->currentRow() + by; row >= 0 && row < m_list->count(); row += by)
                if (m_list->item(row)->flags() & Qt::ItemIsEnabled) {
                    m_list->setCurrentRow(row);
                    break;
                }
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace warpscope::gui
