#include "gui/app/shortcut_editor.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/app/actions.h"
#include "gui/app/shortcut_keys.h"
#include "gui/steps/steps_panel.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr int kCommandRole = Qt::UserRole;

}  // namespace

ShortcutEditor::ShortcutEditor(ShortcutKeys& keys, QWidget* parent)
    : QDialog(parent), m_keys(keys) {
    setObjectName(QStringLiteral("shortcutEditor"));
    setWindowTitle(tr("Shortcuts"));
    resize(QSize(560, 620).boundedTo(screen()->availableSize() - QSize(40, 80)));
    build();
    fill();
    connect(&keys, &ShortcutKeys::changed, this, &ShortcutEditor::fill);
    showChosen();
}

void ShortcutEditor::build() {
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Search commands and keys"));
    m_filter->setAccessibleName(tr("Search commands and keys"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    m_tree = new QTreeWidget(this);
    m_tree->setAccessibleName(tr("Commands and their keys"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Command"), tr("Keys")});
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tree->header()->setStretchLastSection(false);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showChosen);
    connect(m_tree, &QTreeWidget::itemActivated, this,
            [this] { m_edit->setFocus(Qt::OtherFocusReason); });
    auto* label = new QLabel(tr("New key"), this);
    m_edit = new QKeySequenceEdit(this);
    m_edit->setAccessibleName(tr("New key"));
    if (auto* inner = m_edit->findChild<QLineEdit*>()) inner->setAccessibleName(tr("New key"));
    label->setBuddy(m_edit);
    m_edit->installEventFilter(this);
    m_none = new QPushButton(tr("No key"), this);
    connect(m_none, &QPushButton::clicked, this, [this] {
        if (chosen() >= 0) m_keys.set(chosen(), {});
    });
    m_reset = new QPushButton(tr("Reset"), this);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (chosen() >= 0) m_keys.reset(chosen());
    });
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_edit, 1);
    row->addWidget(m_none);
    row->addWidget(m_reset);
    m_says = new WrapLabel(this);
    m_says->setReservesLine(true);
    m_swap = new QPushButton(tr("Swap keys"), this);
    connect(m_swap, &QPushButton::clicked, this, [this] {
        if (chosen() >= 0 && !m_wanted.isEmpty()) m_keys.swap(chosen(), m_wanted);
    });
    auto* said = new QHBoxLayout;
    said->addWidget(m_says, 1);
    said->addWidget(m_swap);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* all = buttons->addButton(tr("Reset all"), QDialogButtonBox::ResetRole);
    all->setObjectName(QStringLiteral("resetAllKeys"));
    connect(all, &QPushButton::clicked, &m_keys, &ShortcutKeys::resetAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    for (QPushButton* button : findChildren<QPushButton*>()) button->setAutoDefault(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_tree, 1);
    column->addLayout(row);
    column->addLayout(said);
    column->addWidget(buttons);
}

// At once, where Qt would wait a second for another stroke.
bool ShortcutEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_edit && event->type() == QEvent::KeyRelease) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool modifier = key->key() == Qt::Key_Control || key->key() == Qt::Key_Shift ||
                              key->key() == Qt::Key_Alt || key->key() == Qt::Key_Meta;
        if (!modifier && !key->isAutoRepeat()) take(m_edit->keySequence());
    }
    return QDialog::eventFilter(watched, event);
}

void ShortcutEditor::fill() {
    const int before = chosen();
    m_filling = true;
    if (m_tree->topLevelItemCount() == 0) {
        const auto groupOf = [this](const QString& menu) {
            for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
                if (m_tree->topLevelItem(i)->text(0) == menu) return m_tree->topLevelItem(i);
            auto* group = new QTreeWidgetItem(m_tree, {menu});
            group->setFlags(Qt::ItemIsEnabled);
            group->setFirstColumnSpanned(true);
            group->setExpanded(true);
            return group;
        };
        for (int i = 0; i < m_keys.commands().size(); ++i) {
            auto* item = new QTreeWidgetItem(groupOf(m_keys.commands()[i].menu));
            item->setData(0, kCommandRole, i);
        }
        const QString fixed = tr("Fixed: keys of the image");
        for (const QStringList& texts :
             {QStringList{tr("Fit, zoom in, zoom out"), QStringLiteral("F, +, -")}}) {
            auto* item = new QTreeWidgetItem(groupOf(fixed), texts);
            item->setDisabled(true);
        }
    }
    for (int i = 0; i < m_keys.commands().size(); ++i) {
        QTreeWidgetItem* item = itemOf(i);
        item->setText(0, m_keys.commands()[i].name);
        item->setText(1, keysText(m_keys.keysOf(i)));
        QFont font = m_tree->font();
        font.setBold(m_keys.isChanged(i));
        item->setFont(1, font);
    }
    m_filling = false;
    filter();
    if (before >= 0) choose(before);
    showChosen();
}

void ShortcutEditor::filter() {
    const QString wanted = m_filter->text().trimmed();
    for (int g = 0; g < m_tree->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = m_tree->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            QTreeWidgetItem* item = group->child(i);
            const bool shown = item->text(0).contains(wanted, Qt::CaseInsensitive) ||
                               item->text(1).contains(wanted, Qt::CaseInsensitive);
            item->setHidden(!shown);
            any = any || shown;
        }
        group->setHidden(!any);
    }
}

QTreeWidgetItem* ShortcutEditor::itemOf(int command) const {
    for (int g = 0; g < m_tree->topLevelItemCount(); ++g)
        for (int i = 0; i < m_tree->topLevelItem(g)->childCount(); ++i) {
            QTreeWidgetItem* item = m_tree->topLevelItem(g)->child(i);
            const QVariant at = item->data(0, kCommandRole);
            if (at.isValid() && at.toInt() == command) return item;
        }
    return nullptr;
}

void ShortcutEditor::choose(int command) {
    m_tree->setCurrentItem(itemOf(command));
}

int ShortcutEditor::chosen() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    const QVariant at = item ? item->data(0, kCommandRole) : QVariant();
    return at.isValid() ? at.toInt() : -1;
}

void ShortcutEditor::showChosen() {
    if (m_filling) return;
    const int command = chosen();
    m_filling = true;
    m_edit->setKeySequence(command < 0 ? QKeySequence() : m_keys.keysOf(command).value(0));
    m_filling = false;
    m_edit->setEnabled(command >= 0);
    m_none->setEnabled(command >= 0 && !m_keys.keysOf(command).isEmpty());
    m_reset->setEnabled(command >= 0 && m_keys.isChanged(command));
    showClash(command < 0 ? tr("Choose a command, then press its new key.") : QString(), false);
}

void ShortcutEditor::showClash(const QString& text, bool canSwap) {
    m_says->setText(text, canSwap ? Tone::Warning : Tone::Weak);
    m_says->setAccessibleName(text);
    m_swap->setEnabled(canSwap);
    if (!canSwap) m_wanted = {};
}

// One stroke is a key: others would wait for a second one.
void ShortcutEditor::take(const QKeySequence& typed) {
    const int command = chosen();
    if (m_filling || command < 0 || typed.isEmpty()) return;
    const QKeySequence key(typed[0]);
    m_filling = true;
    m_edit->setKeySequence(key);
    m_filling = false;
    if (m_keys.keysOf(command) == QList<QKeySequence>{key}) return showClash({}, false);
    const QString name = key.toString(QKeySequence::NativeText);
    if (m_keys.isFixed(key))
        return showClash(tr("%1 has a fixed meaning in the window.").arg(name), false);
    if (const auto owner = m_keys.ownerOf(key, command)) {
        showClash(tr("%1 is the key of %2.").arg(name, m_keys.commands()[*owner].name), true);
        m_wanted = key;
        return;
    }
    m_keys.set(command, {key});
}

void connectShortcuts(const ShortcutParts& parts) {
    auto* keys = new ShortcutKeys(parts.actions, parts.canvas, parts.window, parts.settings);
    QWidget* window = &parts.window;
    QObject::connect(parts.actions.editShortcuts, &QAction::triggered, keys, [keys, window] {
        const QString name = QStringLiteral("shortcutEditor");
        auto* editor = window->findChild<ShortcutEditor*>(name, Qt::FindDirectChildrenOnly);
        if (!editor) editor = new ShortcutEditor(*keys, window);
        editor->show();
        editor->raise();
        editor->activateWindow();
    });
    const auto tell = [steps = &parts.steps, add = parts.actions.addStep,
                       strip = parts.actions.testStrip] {
        steps->showKeys(add->shortcut().toString(QKeySequence::NativeText),
                        strip->shortcut().toString(QKeySequence::NativeText));
    };
    QObject::connect(keys, &ShortcutKeys::changed, &parts.steps, tell);
    tell();
}

}  // namespace warpscope::gui
