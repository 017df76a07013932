#include "gui/steps/matrix_grid.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr int kLeastWidth = 36;
constexpr int kMostRows = 9;  // that are shown without scrolling

// Digits and signs begin an entry here; elsewhere in the window they are keys of the view.
class FieldTable final : public QTableWidget {
  public:
    using QTableWidget::QTableWidget;
    std::function<void(const QString&)> pasted;

  protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Paste))
            return pasted(QGuiApplication::clipboard()->text());
        QTableWidget::keyPressEvent(event);
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            auto* key = static_cast<QKeyEvent*>(event);
            const QString text = key->text();
            if (key->matches(QKeySequence::Paste)) {
                event->accept();
                return true;
            }
            if (!text.isEmpty() &&
                (text[0].isDigit() || text[0] == QLatin1Char('-') || text[0] == QLatin1Char('+'))) {
                event->accept();
                return true;
            }
        }
        return QTableWidget::event(event);
    }
    void focusInEvent(QFocusEvent* event) override {
        QTableWidget::focusInEvent(event);
        if (!currentItem()) setCurrentCell(0, 0);
    }
};

}  // namespace

MatrixGrid::MatrixGrid(const ParamSpec& spec, QWidget* parent) : ListEditor(parent), m_spec(spec) {
    auto* fields = new FieldTable(this);
    fields->pasted = [this](const QString& text) { paste(text); };
    m_table = fields;
    m_table->setObjectName(QString::fromStdString(spec.id) + QStringLiteral(".table"));
    m_table->setAccessibleName(tr("Entries"));
    m_table->horizontalHeader()->hide();
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setMinimumSectionSize(kLeastWidth);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::AnyKeyPressed | QAbstractItemView::DoubleClicked |
                             QAbstractItemView::EditKeyPressed);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setCornerButtonEnabled(false);
    setFocusProxy(m_table);

    m_columns = makeSides("columns", tr("Columns"));
    m_rows = makeSides("rows", tr("Rows"));
    auto* size = new QHBoxLayout;
    size->setSpacing(8);
    size->addWidget(new QLabel(tr("Size"), this));
    size->addWidget(m_columns, 1);
    size->addWidget(new QLabel(QStringLiteral("×"), this));
    size->addWidget(m_rows, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(size);
    all->addWidget(m_table);
    const auto adopt = [this] {
        m_table->setFont(Theme::instance().figureFont());
        // The style's own lines are lost on a dark ground.
        m_table->setStyleSheet(QStringLiteral("QTableView { gridline-color: %1; }")
                                   .arg(Theme::instance().colors().border.name()));
        fit();
    };
    connect(&Theme::instance(), &Theme::changed, this, adopt);
    connect(m_table, &QTableWidget::itemChanged, this, &MatrixGrid::onEdited);
    adopt();
}

QuietComboBox* MatrixGrid::makeSides(const char* name, const QString& accessible) {
    auto* combo = new QuietComboBox(this);
    combo->setObjectName(QString::fromStdString(m_spec.id) + QLatin1Char('.') +
                         QLatin1String(name));
    combo->setAccessibleName(accessible);
    combo->setToolTip(accessible);
    combo->setMinimumContentsLength(2);
    for (int side = 1; side <= m_spec.mostCount; side += 2)
        if (side >= m_spec.leastCount) combo->addItem(QString::number(side), side);
    connect(combo, &QComboBox::activated, this, &MatrixGrid::resizeMatrix);
    return combo;
}

void MatrixGrid::setValue(const ParamValue& value) {
    const auto* matrix = std::get_if<IntMatrix>(&value);
    if (!matrix) return;
    m_matrix = *matrix;
    m_filling = true;
    m_table->setColumnCount(matrix->columns);
    m_table->setRowCount(matrix->rows());
    for (std::size_t i = 0; i < matrix->values.size(); ++i) {
        const int row = int(i) / matrix->columns, column = int(i) % matrix->columns;
        QTableWidgetItem* item = m_table->item(row, column);
        if (!item) {
            item = new QTableWidgetItem;
            item->setTextAlignment(Qt::AlignCenter);
            m_table->setItem(row, column, item);
        }
        item->setText(QString::number(matrix->values[i]));
    }
    m_columns->setCurrentIndex(m_columns->findData(matrix->columns));
    m_rows->setCurrentIndex(m_rows->findData(matrix->rows()));
    m_filling = false;
    fit();
}

void MatrixGrid::onEdited(QTableWidgetItem* item) {
    if (m_filling) return;
    bool whole = false;
    const int entry = item->text().trimmed().toInt(&whole);
    if (!whole) {  // the old one again
        const QString typed = item->text().trimmed();
        setValue(m_matrix);
        emit refused(tr("%1 is no whole number. For fractions make all entries larger, and the "
                        "divisor as well.")
                         .arg(typed.isEmpty() ? QStringLiteral("\"\"") : typed));
        return;
    }
    IntMatrix after = m_matrix;
    after.values[std::size_t(item->row() * after.columns + item->column())] = entry;
    emit changed(after);
}

// One number goes into the field, rows (of a sheet, with tabs or commas) take the place of all.
void MatrixGrid::paste(const QString& text) {
    static const QRegularExpression lineEnd(QStringLiteral("\\s*[\\r\\n;]+\\s*"));
    static const QRegularExpression gap(QStringLiteral("[\\s,]+"));
    QString rows = text.trimmed();
    if (QTableWidgetItem* item = m_table->currentItem();
        item && !rows.contains(gap) && !rows.contains(QLatin1Char(';')))
        return item->setText(rows);  // refused as if it was typed, where it is none
    rows.replace(lineEnd, QStringLiteral(";")).replace(gap, QStringLiteral(" "));
    const auto matrix = parseParameter(m_spec, rows.toStdString());
    if (!matrix) return emit refused(engineText(matrix.error().message));
    emit changed(*matrix);
}

void MatrixGrid::resizeMatrix() {
    IntMatrix after;
    after.columns = m_columns->currentData().toInt();
    const int rows = m_rows->currentData().toInt();
    const int left = (after.columns - m_matrix.columns) / 2;
    const int above = (rows - m_matrix.rows()) / 2;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < after.columns; ++x) {
            const int oldX = x - left, oldY = y - above;
            const bool there =
                oldX >= 0 && oldX < m_matrix.columns && oldY >= 0 && oldY < m_matrix.rows();
            after.values.push_back(
                there ? m_matrix.values[std::size_t(oldY * m_matrix.columns + oldX)] : 0);
        }
    emit changed(after);
}

void MatrixGrid::fit() {
    const int columns = m_table->columnCount(), rows = m_table->rowCount();
    if (columns == 0 || rows == 0) return;
    const int frame = 2 * m_table->frameWidth();
    const int height = m_table->fontMetrics().height() + 8;
    int widest = kLeastWidth;
    for (const std::int32_t entry : m_matrix.values)
        widest =
            std::max(widest, m_table->fontMetrics().horizontalAdvance(QString::number(entry)) + 14);
    const int room = (width() - frame) / columns;
    m_table->horizontalHeader()->setDefaultSectionSize(std::max(widest, room));
    m_table->verticalHeader()->setDefaultSectionSize(height);
    for (int i = 0; i < columns; ++i) m_table->setColumnWidth(i, std::max(widest, room));
    for (int i = 0; i < rows; ++i) m_table->setRowHeight(i, height);
    const bool scrolls = room < widest;
    m_table->setFixedHeight(std::min(rows, kMostRows) * height + frame +
                            (scrolls ? m_table->horizontalScrollBar()->sizeHint().height() : 0));
}

void MatrixGrid::resizeEvent(QResizeEvent* event) {
    ListEditor::resizeEvent(event);
    fit();
}

void MatrixGrid::changeEvent(QEvent* event) {
    ListEditor::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

}  // namespace warpscope::gui
