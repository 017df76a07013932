#include "gui/app/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warpscope::gui {
namespace {

// Every word of the filter must occur.
bool matches(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

}  // namespace

CommandPalette::CommandPalette(const Actions& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), m_actions(actions) {
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
    m_edit->clear();
    fill(QString());
    const QWidget* window = parentWidget();
    const int width = std::min(560, window->width() - 64);
    resize(width, std::min(400, window->height() - 96));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 64)));
    show();
    m_edit->setFocus();
}

void CommandPalette::fill(const QString& filter) {
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    for (const Actions::Entry& entry : m_actions.entries()) {
        if (entry.action == m_actions.palette || entry.menu.isEmpty()) continue;
        QString text = entry.menu + QStringLiteral("  ›  ") + plainText(entry.action);
        if (!matches(text + entry.action->toolTip(), words)) continue;
        const QString key = entry.action->shortcut().toString(QKeySequence::NativeText);
        if (!key.isEmpty()) text += QStringLiteral("    ") + key;
        auto* item = new QListWidgetItem(entry.action->icon(), text, m_list);
        item->setData(Qt::UserRole, QVariant::fromValue<QObject*>(entry.action));
        if (!entry.action->isEnabled()) item->setFlags(Qt::NoItemFlags);
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
    auto* action = qobject_cast<QAction*>(item->data(Qt::UserRole).value<QObject*>());
    close();
    if (action) action->trigger();
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
