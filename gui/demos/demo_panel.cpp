#include "gui/demos/demo_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

constexpr int kGapColumn = 4;  // between the published figures and ours
constexpr int kFirstOurs = 5;

void setColor(QLabel* label, const QColor& color) {
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color);
    label->setPalette(palette);
}

// Peers are hollow, ours filled, as in every table.
QString withDot(const DemoColumn& column, const QString& between) {
    const QColor color = !column.backend ? Theme::instance().colors().weakText
                                         : Theme::instance().backendColor(*column.backend);
    const QString title =
        QStringLiteral("<span style='color:%1'>%2</span> %3")
            .arg(color.name(), column.backend ? QStringLiteral("●") : QStringLiteral("○"),
                 column.title.toHtmlEscaped());
    if (column.sides.isEmpty()) return title;
    return title + between + column.sides.toHtmlEscaped();
}

QString publishedName(const DemoLine& line, const DemoColumn& column) {
    return DemoPanel::tr("%1, published, %2").arg(line.label, column.title);
}

QString ourName(const DemoLine& line, const DemoColumn& column) {
    return DemoPanel::tr("%1, measured here, %2").arg(line.label, column.title);
}

}  // namespace

DemoPanel::DemoPanel(DemoRunner& runner, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_runner(runner), m_bridge(bridge) {
    setObjectName(QStringLiteral("demoPanel"));
    auto* empty = new QLabel(tr("Choose an experiment from the Demo menu"), this);
    empty->setObjectName(QStringLiteral("demoEmpty"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setForegroundRole(QPalette::PlaceholderText);

    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(8, 0, 8, 8);
    m_column->setSpacing(8);
    m_about = new WrapLabel(content);
    m_table = new QWidget(content);
    m_notes = new WrapLabel(content);
    m_notes->setObjectName(QStringLiteral("demoNotes"));
    // The figures first: in a low window they are all that fits.
    for (QWidget* part : {m_table, static_cast<QWidget*>(m_about), static_cast<QWidget*>(m_notes)})
        m_column->addWidget(part);
    m_column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    m_scroll = scroll;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    content->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);

    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = buildHeader();
    layout->addWidget(m_header);
    layout->addWidget(scroll, 1);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(empty);
    m_pages->addWidget(page);

    connect(&runner, &DemoRunner::changed, this, &DemoPanel::refresh);
    connect(&bridge, &EngineBridge::backendsReady, this, &DemoPanel::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &DemoPanel::refresh);
    refresh();
}

QWidget* DemoPanel::buildHeader() {
    auto* header = new QWidget(this);
    m_title = new QLabel(header);
    m_title->setObjectName(QStringLiteral("demoTitle"));
    m_title->setMinimumWidth(1);
    m_state = new QLabel(header);
    m_state->setObjectName(QStringLiteral("demoState"));
    m_state->setMinimumWidth(1);
    m_all = new QPushButton(header);
    m_all->setObjectName(QStringLiteral("demoAll"));
    m_all->hide();
    m_again = new QPushButton(tr("Run again"), header);
    m_again->setObjectName(QStringLiteral("demoAgain"));
    for (QPushButton* button : {m_all, m_again}) button->setAutoDefault(false);
    connect(m_all, &QPushButton::clicked, &m_runner, &DemoRunner::startAll);
    connect(m_again, &QPushButton::clicked, &m_runner, &DemoRunner::startAgain);
    auto* bar = new QHBoxLayout(header);
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    bar->addWidget(m_title);
    bar->addWidget(m_state, 1);
    bar->addWidget(m_all);
    bar->addWidget(m_again);
    return header;
}

void DemoPanel::refresh() {
    const PublishedExperiment* e = m_runner.experiment();
    m_pages->setCurrentIndex(e ? 1 : 0);
    if (!e) return;
    if (e != std::exchange(m_shown, e)) m_scroll->verticalScrollBar()->setValue(0);
    const ThemeColors& colors = Theme::instance().colors();
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_title->setText(engineText(e->title));
    setColor(m_state, m_runner.stopReason().isEmpty() ? colors.weakText : colors.warning);
    m_state->setFont(Theme::instance().figureFont());
    const bool running = m_runner.state() != DemoRunner::State::Idle;
    if (running) {
        const PublishedRow& row = e->rows[std::size_t(m_runner.runningRow())];
        m_state->setText((m_runner.state() == DemoRunner::State::Opening ? tr("making %1…")
                                                                         : tr("measuring %1…"))
                             .arg(sizeText(row.size)));
    } else {
        m_state->setText(m_runner.stopReason().isEmpty()
                             ? QString()
                             : tr("stopped: %1").arg(m_runner.stopReason()));
    }
    m_state->setToolTip(m_state->text());
    const bool methods = !e->rows.front().method.empty();
    m_all->setText(methods ? tr("Run all methods") : tr("Run all sizes"));
    m_all->setVisible(e->rows.size() > 1);
    m_all->setEnabled(!running);
    m_again->setEnabled(!running);
    m_again->setIcon(Theme::instance().icon(QStringLiteral("refresh")));
    m_about->setPieces({{engineText(e->summary) + QStringLiteral(".  "), Tone::Text, {}},
                        {tr("From: %1").arg(engineText(e->source)), Tone::Weak, {}}});

    std::vector<std::vector<StepTiming>> ours;
    for (std::size_t row = 0; row < e->rows.size(); ++row) ours.push_back(m_runner.ours(row));
    const DemoTable table = buildDemoTable(*e, ours, m_runner.runningRow(), m_bridge.backends());
    showTable(table);
    m_notes->setText(table.notes.join(QLatin1Char('\n')), Tone::Weak);
    m_notes->setVisible(!table.notes.isEmpty());
}

QLabel* DemoPanel::addLabel(int row, int column, const QString& text, Qt::Alignment alignment,
                            int columns) {
    auto* label = new QLabel(text, m_table);
    label->setAlignment(alignment | Qt::AlignVCenter);
    m_grid->addWidget(label, row, column, 1, columns);
    return label;
}

int DemoPanel::heightForFigures() const {
    const QMargins margins = m_column->contentsMargins();
    const int table = m_grid ? m_grid->totalHeightForWidth(std::max(roomForTable(), 1)) : 0;
    // A table that is still too wide has a bar below it.
    const bool wide = m_grid && m_grid->minimumSize().width() > roomForTable();
    const int bar = wide ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
    // A line of the table may still be wrapped once it is laid out.
    return m_header->sizeHint().height() + margins.top() + table + m_column->spacing() +
           fontMetrics().height() + bar;
}

int DemoPanel::roomForTable() const {
    // The bar that scrolls downwards may come at any time.
    const QMargins margins = m_column->contentsMargins();
    return width() - margins.left() - margins.right() -
           style()->pixelMetric(QStyle::PM_ScrollBarExtent);
}

void DemoPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_wideTable > 0 && shapeFor(roomForTable()) != m_shape) refresh();
}

DemoPanel::Shape DemoPanel::shapeFor(int room) const {
    return room >= m_wideTable     ? Shape::Wide
           : room >= m_narrowTable ? Shape::Narrow
                                   : Shape::Wrapped;
}

void DemoPanel::showTable(const DemoTable& table) {
    const auto renew = [this] {
        auto* fresh = new QWidget;
        fresh->setObjectName(QStringLiteral("demoTable"));
        delete m_column->replaceWidget(m_table, fresh);
        m_table->hide();
        m_table->deleteLater();
        m_table = fresh;
        m_grid = new QGridLayout(m_table);
        m_grid->setContentsMargins(0, 0, 0, 0);
        m_grid->setHorizontalSpacing(16);
        m_grid->setVerticalSpacing(3);
    };
    renew();
    m_shape = Shape::Wide;
    m_narrowTable = 0;
    fillWide(table);
    m_wideTable = m_grid->minimumSize().width();
    if (m_wideTable > roomForTable()) {
        renew();
        m_shape = Shape::Narrow;
        fillNarrow(table);
        m_narrowTable = m_grid->minimumSize().width();
    }
    if (m_narrowTable > roomForTable()) {
        renew();
        m_shape = Shape::Wrapped;
        fillNarrow(table);
    }
    m_table->show();
}

void DemoPanel::addTitle(int row, int column, const QString& text, Qt::Alignment alignment,
                         int columns) {
    QLabel* title = addLabel(row, column, text, alignment, columns);
    title->setWordWrap(true);  // names of machines are long
}

void DemoPanel::addHead(int row, int column, const DemoColumn& head, Qt::Alignment alignment) {
    // A line lower where a column is a size.
    const QString between =
        alignment & Qt::AlignLeft ? QStringLiteral(", ") : QStringLiteral("<br>");
    QLabel* label = addLabel(row, column, withDot(head, between), alignment);
    label->setToolTip(head.toolTip);
    label->setWordWrap(m_shape == Shape::Wrapped);
    setColor(label, Theme::instance().colors().weakText);
}

void DemoPanel::addRule(int row, int column, int columns) {
    auto* rule = new QFrame(m_table);
    rule->setFixedHeight(1);
    rule->setStyleSheet(
        QStringLiteral("background: %1").arg(Theme::instance().colors().border.name()));
    m_grid->addWidget(rule, row, column, 1, columns);
}

void DemoPanel::addCell(int row, int column, const DemoCell& cell, const QString& spoken) {
    const ThemeColors& colors = Theme::instance().colors();
    QString shown = cell.text;
    // A noisy speedup is a range.
    if (const auto space = shown.lastIndexOf(QLatin1Char(' '));
        m_shape == Shape::Wrapped && space > 1)
        shown[space] = QLatin1Char('\n');
    QLabel* label = addLabel(row, column, shown, Qt::AlignRight);
    label->setFont(Theme::instance().figureFont());
    label->setToolTip(cell.toolTip);
    label->setAccessibleName(QStringLiteral("%1: %2").arg(spoken, cell.text));
    if (cell.weak || cell.error) setColor(label, cell.error ? colors.error : colors.weakText);
}

QLabel* DemoPanel::addName(int row, int column, const DemoLine& line, Qt::Alignment alignment) {
    QLabel* name = addLabel(row, column, line.label, alignment);
    name->setFont(Theme::instance().figureFont());
    if (line.running) setColor(name, Theme::instance().colors().accent);
    return name;
}

// A line a size, published figures on the left, ours on the right.
void DemoPanel::fillWide(const DemoTable& table) {
    m_grid->setColumnMinimumWidth(kGapColumn, 8);
    addTitle(0, 1, table.publishedTitle, Qt::AlignRight, int(kPublishedColumns));
    addTitle(0, kFirstOurs, table.oursTitle, Qt::AlignRight, int(kOurColumns));
    setColor(addLabel(1, 0, tr("Times in ms"), Qt::AlignLeft), Theme::instance().colors().weakText);
    for (std::size_t i = 0; i < kPublishedColumns; ++i)
        addHead(1, 1 + int(i), table.publishedColumns[i], Qt::AlignRight);
    for (std::size_t i = 0; i < kOurColumns; ++i)
        addHead(1, kFirstOurs + int(i), table.ourColumns[i], Qt::AlignRight);
    addRule(2, 0, kGapColumn);
    addRule(2, kFirstOurs, int(kOurColumns));
    int row = 3;
    for (const DemoLine& line : table.lines) {
        addName(row, 0, line, Qt::AlignLeft);
        for (std::size_t i = 0; i < kPublishedColumns; ++i)
            addCell(row, 1 + int(i), line.published[i],
                    publishedName(line, table.publishedColumns[i]));
        for (std::size_t i = 0; i < kOurColumns; ++i)
            addCell(row, kFirstOurs + int(i), line.ours[i], ourName(line, table.ourColumns[i]));
        ++row;
    }
    m_grid->setColumnStretch(kFirstOurs + int(kOurColumns), 1);
}

// A column a size, the published figures under ours: nothing is cut off beside other panels.
void DemoPanel::fillNarrow(const DemoTable& table) {
    const int columns = 1 + int(table.lines.size());
    m_grid->setHorizontalSpacing(8);
    setColor(addLabel(0, 0, tr("Times in ms"), Qt::AlignLeft), Theme::instance().colors().weakText);
    for (int i = 1; i < columns; ++i)
        addName(0, i, table.lines[std::size_t(i - 1)], Qt::AlignRight)->setWordWrap(true);
    int row = 1;
    const auto addPart = [&](const QString& title, const auto& heads, const auto& cellsOf,
                             const auto& nameOf) {
        addRule(row++, 0, columns);
        addTitle(row++, 0, title, Qt::AlignLeft, columns);
        for (std::size_t i = 0; i < heads.size(); ++i, ++row) {
            addHead(row, 0, heads[i], Qt::AlignLeft);
            for (int c = 1; c < columns; ++c) {
                const DemoLine& line = table.lines[std::size_t(c - 1)];
                addCell(row, c, cellsOf(line)[i], nameOf(line, heads[i]));
            }
        }
    };
    addPart(
        table.oursTitle, table.ourColumns,
        [](const DemoLine& line) -> const auto& { return line.ours; }, ourName);
    addPart(
        table.publishedTitle, table.publishedColumns,
        [](const DemoLine& line) -> const auto& { return line.published; }, publishedName);
    m_grid->setColumnStretch(0, 1);
}

}  // namespace warpscope::gui
