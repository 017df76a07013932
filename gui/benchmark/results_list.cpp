#include "gui/benchmark/results_list.h"

#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QStyle>
#include <QVBoxLayout>

namespace warpscope::gui {

ResultsList::ResultsList(BenchmarkReports& reports, QWidget* parent)
    : QWidget(parent), m_reports(reports) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(4);
    auto* heading = new QLabel(tr("Results"));
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    column->addWidget(heading);
    m_list = new QListWidget;
    m_list->setObjectName(QStringLiteral("benchmarkResults"));
    m_list->setAccessibleName(tr("Results: this machine's runs and files"));
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSpacing(2);
    m_list->setIconSize(QSize(16, 16));
    m_list->setMinimumHeight(m_list->fontMetrics().height() * 4);
    column->addWidget(m_list, 1);

    const auto button = [&](const char* name, const QString& text, const QString& toolTip) {
        auto* b = new QPushButton(text);
        b->setObjectName(QLatin1String(name));
        b->setToolTip(toolTip);
        b->setAutoDefault(false);
        return b;
    };
    auto* open = button("openResults", tr("&Open…"),
                        tr("Result files of other machines or days, one or several (Ctrl+O)"));
    m_save = button("saveResults", tr("&Save…"),
                    tr("The selected results as JSON, CSV or Markdown (Ctrl+S)"));
    m_remove = button("removeResults", tr("&Remove"),
                      tr("Takes the selected results out of the window; files stay (Delete)"));
    m_shipped = button("showShipped", {}, tr("A run that is shipped with the program"));
    auto* grid = new QGridLayout;
    grid->setSpacing(4);
    grid->addWidget(open, 0, 0);
    grid->addWidget(m_save, 0, 1);
    grid->addWidget(m_remove, 0, 2);
    m_details = button("runDetailsButton", tr("Deta&ils…"),
                       tr("Conditions, doubts, command, program and machine of the selected "
                          "results"));
    m_again = button("runAgain", tr("Ru&n again, compare"), {});
    grid->addWidget(m_details, 1, 0);
    grid->addWidget(m_again, 1, 1, 1, 2);
    grid->addWidget(m_shipped, 2, 0, 1, 3);
    column->addLayout(grid);
    setGpuHere(true);

    connect(open, &QPushButton::clicked, this, &ResultsList::openRequested);
    connect(m_save, &QPushButton::clicked, this, &ResultsList::saveRequested);
    connect(m_shipped, &QPushButton::clicked, this, &ResultsList::shippedRequested);
    connect(m_details, &QPushButton::clicked, this, &ResultsList::detailsRequested);
    connect(m_list, &QListWidget::itemDoubleClicked, this, &ResultsList::detailsRequested);
    connect(m_again, &QPushButton::clicked, this, &ResultsList::againRequested);
    const auto remove = [this] { m_reports.remove(currentId()); };
    connect(m_remove, &QPushButton::clicked, this, remove);
    auto* key = new QShortcut(QKeySequence(Qt::Key_Delete), m_list);
    key->setContext(Qt::WidgetShortcut);
    connect(key, &QShortcut::activated, this, remove);
    connect(m_list, &QListWidget::itemChanged, this, &ResultsList::onItemChanged);
    connect(m_list, &QListWidget::currentRowChanged, this, &ResultsList::updateButtons);
    refresh();
}

void ResultsList::setRunnable(bool runnable) {
    m_runnable = runnable;
    updateButtons();
}

void ResultsList::setGpuHere(bool here) {
    m_shipped->setText(here ? tr("Show the &shipped results") : tr("Show a machine with a &GPU"));
}

int ResultsList::currentId() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item ? item->data(Qt::UserRole).toInt() : 0;
}

void ResultsList::setCurrentId(int id) {
    for (int i = 0; i < m_list->count(); ++i)
        if (m_list->item(i)->data(Qt::UserRole).toInt() == id) m_list->setCurrentRow(i);
}

void ResultsList::refresh() {
    m_filling = true;
    const int current = currentId();
    const auto& entries = m_reports.entries();
    while (m_list->count() > int(entries.size())) delete m_list->takeItem(m_list->count() - 1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const BenchmarkEntry& entry = entries[i];
        QListWidgetItem* item = m_list->item(int(i));
        if (!item) {
            item = new QListWidgetItem(m_list);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        }
        item->setText(
            QStringLiteral("%1  %2\n%3\n%4")
                .arg(entryTag(i), machineName(entry), machineDate(entry), originText(entry)));
        QStringList help{machineLabel(entry), originText(entry)};
        const QStringList doubts = runWarnings(entry);
        for (const QString& doubt : doubts) help << QStringLiteral("⚠ ") + doubt;
        item->setToolTip(help.join(QLatin1Char('\n')));
        item->setIcon(doubts.isEmpty() ? QIcon()
                                       : style()->standardIcon(QStyle::SP_MessageBoxWarning));
        item->setData(Qt::UserRole, entry.id);
        item->setCheckState(entry.shown ? Qt::Checked : Qt::Unchecked);
    }
    setCurrentId(current);
    if (!m_list->currentItem() && m_list->count() > 0) m_list->setCurrentRow(0);
    m_filling = false;
    updateButtons();
}

void ResultsList::onItemChanged(QListWidgetItem* item) {
    if (m_filling) return;
    m_reports.setShown(item->data(Qt::UserRole).toInt(), item->checkState() == Qt::Checked);
}

void ResultsList::updateButtons() {
    const BenchmarkEntry* entry = m_reports.find(currentId());
    m_save->setEnabled(entry && !entry->report.results.empty());
    m_remove->setEnabled(entry && !entry->running);
    m_details->setEnabled(entry != nullptr);
    m_again->setEnabled(m_runnable && entry && entry->plan && !entry->running);
    m_again->setToolTip(m_again->isEnabled()
                            ? tr("Measures all of it once more and says which figures moved")
                        : m_runnable ? tr("Only runs of this session can be repeated here; "
                                          "warpscope-cli bench --check FILE repeats a file")
                                     : tr("Not while something is being computed"));
}

}  // namespace warpscope::gui
