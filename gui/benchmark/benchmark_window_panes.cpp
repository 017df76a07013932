// Panes of the benchmark window: folded, projected, covered by messages; menus of its tables.
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QShortcut>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "gui/benchmark/benchmark_choices.h"
#include "gui/benchmark/benchmark_pages.h"
#include "gui/benchmark/benchmark_sheets.h"
#include "gui/benchmark/benchmark_window.h"
#include "gui/benchmark/chart_page.h"
#include "gui/benchmark/comparison_page.h"
#include "gui/benchmark/log_chart.h"
#include "gui/benchmark/repeat_page.h"
#include "gui/benchmark/sheet_view.h"
#include "gui/widgets/bench_command.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

// In narrower windows the list of series begins folded: its lines have labels.
constexpr int kRoomForSeries = 1400;
constexpr double kProjectedText = 1.5;

// Names of switches in the settings.
QString choicesSwitch() {
    return QStringLiteral("benchmark/choices");
}
QString seriesSwitch() {
    return QStringLiteral("benchmark/series");
}
QString projectorSwitch() {
    return QStringLiteral("benchmark/projector");
}

}  // namespace

void BenchmarkWindow::connectFolds() {
    connect(m_foldLeft, &QToolButton::clicked, this, [this](bool on) {
        m_settings.setSwitched(choicesSwitch(), on);
        fold();
    });
    connect(m_foldSeries, &QToolButton::clicked, this, [this](bool on) {
        m_settings.setSwitched(seriesSwitch(), on);
        fold();
    });
    connect(m_projector, &QToolButton::clicked, this, &BenchmarkWindow::setProjecting);
}

void BenchmarkWindow::restoreFolds() {
    setProjecting(m_settings.switched(projectorSwitch()).value_or(false));
}

void BenchmarkWindow::setProjecting(bool on) {
    m_projecting = on;
    m_settings.setSwitched(projectorSwitch(), on);
    m_projector->setChecked(on);
    m_leaveProjecting->setEnabled(on);
    const double scale = on ? kProjectedText : 1;
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * scale);
    for (QWidget* page :
         std::initializer_list<QWidget*>{m_breakEven, m_published, m_comparison, m_repeat}) {
        page->setFont(font);
        // Under the style sheet of the application a font does not go down by itself.
        for (QWidget* part : page->findChildren<QWidget*>())
            if (qobject_cast<WrapLabel*>(part) || qobject_cast<QLabel*>(part) ||
                qobject_cast<QComboBox*>(part) || qobject_cast<QAbstractSpinBox*>(part) ||
                qobject_cast<QAbstractButton*>(part))
                part->setFont(font);
    }
    for (ChartPage* page : chartPages()) page->chart().setProjected(on);
    m_comparison->setProjecting(on);
    for (SheetView* sheet : findChildren<SheetView*>()) sheet->setScale(scale);
    fold();
}

void BenchmarkWindow::fold() {
    const bool choices = m_settings.switched(choicesSwitch()).value_or(true);
    const bool series = m_settings.switched(seriesSwitch()).value_or(width() >= kRoomForSeries);
    m_foldLeft->setChecked(choices && !m_projecting);
    m_foldSeries->setChecked(series && !m_projecting);
    m_foldLeft->setEnabled(!m_projecting);
    m_foldSeries->setEnabled(!m_projecting);
    m_left->setVisible(choices && !m_projecting);
    for (ChartPage* page : chartPages()) page->setLegendFolded(!series || m_projecting);
}

void BenchmarkWindow::placeMessages() {
    if (m_messages->isHidden()) return;
    const QRect place(m_tabs->mapTo(this, QPoint()), m_tabs->size());
    const int height =
        std::max(m_messages->heightForWidth(place.width()), m_messages->minimumSizeHint().height());
    m_messages->setGeometry(place.left(), place.bottom() + 1 - height, place.width(), height);
}

bool BenchmarkWindow::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool handled = QWidget::eventFilter(watched, event);
    if ((watched == m_messages && (type == QEvent::Show || type == QEvent::LayoutRequest)) ||
        (watched == m_tabs && (type == QEvent::Resize || type == QEvent::Move)))
        placeMessages();
    if (watched == m_choicesRoom && type == QEvent::Resize)
        // Later: what is in it has its new places only then.
        QTimer::singleShot(0, m_choices, [this] { m_choices->fitTo(m_choicesRoom->height()); });
    return handled;
}

void BenchmarkWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold();
}

// Of the current row of the table that was clicked.
void BenchmarkWindow::addCommands(QMenu* menu) {
    const auto add = [&](const QString& text, const char* name, const QString& command) {
        QAction* action = menu->addAction(
            text, this, [command] { QGuiApplication::clipboard()->setText(command); });
        action->setObjectName(QLatin1String(name));
        action->setEnabled(!command.isEmpty());
    };
    const auto addOne = [&](const QString& command) {
        add(tr("Copy the command"), "copyCommand", command);
    };
    if (shownSheet() == m_table) {
        const auto [entry, row] = resultRowOrigin(m_reports.entries(), m_table->currentSheetRow());
        if (row) addOne(commandLineOf(*row, entry->report.command));
        return;
    }
    const QWidget* page = m_tabs->currentWidget();
    if (page == m_published) return addOne(m_published->currentCommand());
    if (page == m_repeat) return addOne(m_repeat->currentCommand());
    const auto& rows = m_comparison->pairing().rows;
    const int at = shownSheet() ? shownSheet()->currentSheetRow() : -1;
    if (at < 0 || std::size_t(at) >= rows.size()) return;
    add(tr("Copy the command of the left side"), "copyCommandLeft",
        commandLineOf(rows[std::size_t(at)].left));
    add(tr("Copy the command of the right side"), "copyCommandRight",
        commandLineOf(rows[std::size_t(at)].right));
}

}  // namespace warpscope::gui
