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

void CommandPalette::addSource(Source source) {
    m_sources.push_back(std::move(source));
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
    m_lines.clear();
    for (const Actions::Entry& known : m_actions.entries()) {
        if (known.action == m_actions.palette || known.menu.isEmpty()) continue;
        QAction* action = known.action;
        m_lines.push_back({{known.menu, plainText(action), action->toolTip(), action->icon(),
                            action->isEnabled(), [action] { action->trigger(); }},
                           action->shortcut().toString(QKeySequence::NativeText)});
    }
    for (const Source& source : m_sources)
        for (Entry& entry : source()) m_lines.push_back({std::move(entry), {}});
}

void CommandPalette::fill(const QString& filter) {
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    m_list->clear();
    // What is named so comes before what is only described so.
    for (const bool named : {true, false}) {
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            const Entry& entry = m_lines[i].entry;
            QString text = entry.group + QStringLiteral("  ›  ") + entry.text;
            const bool inName = matches(text, words);
            if (inName != named || !matches(text + QLatin1Char(' ') + entry.more, words)) continue;
            if (!m_lines[i].key.isEmpty()) text += QStringLiteral("    ") + m_lines[i].key;
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
    const auto run = m_lines[std::size_t(item->data(Qt::UserRole).toInt())].entry.run;
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
