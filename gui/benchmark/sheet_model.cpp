#include "gui/benchmark/sheet_model.h"

#include <QApplication>
#include <QFont>

#include <algorithm>
#include <iterator>
#include <utility>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr qsizetype kLongText = 24;

bool sameTexts(const SheetRow& a, const SheetRow& b, std::size_t cells = 0) {
    const auto end = [cells](const SheetRow& row) {
        return row.begin() + std::ptrdiff_t(cells ? std::min(cells, row.size()) : row.size());
    };
    return std::equal(a.begin(), end(a), b.begin(), end(b),
                      [](const SheetCell& x, const SheetCell& y) { return x.text == y.text; });
}

bool sameTitles(const Sheet& a, const Sheet& b) {
    return std::equal(
        a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
        [](const SheetColumn& x, const SheetColumn& y) { return x.title == y.title; });
}

}  // namespace

SheetModel::SheetModel(QObject* parent) : QAbstractTableModel(parent) {
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (m_sheet.rows.empty()) return;
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    });
}

bool SheetModel::setSheet(Sheet sheet) {
    const std::size_t have = m_sheet.rows.size();
    bool extends = have > 0 && sheet.rows.size() >= have && sameTitles(sheet, m_sheet);
    for (std::size_t i = 0; extends && i < have; ++i)
        extends = sameTexts(sheet.rows[i], m_sheet.rows[i], sheet.keys);
    if (!extends) {
        beginResetModel();
        m_sheet = std::move(sheet);
        endResetModel();
        return true;
    }
    const auto middle = sheet.rows.begin() + std::ptrdiff_t(have);
    std::vector<SheetRow> more(std::make_move_iterator(middle),
                               std::make_move_iterator(sheet.rows.end()));
    bool changed = !more.empty();
    for (std::size_t i = 0; i < have; ++i) {
        const bool same = sameTexts(sheet.rows[i], m_sheet.rows[i]);
        m_sheet.rows[i] = std::move(sheet.rows[i]);
        if (same) continue;
        changed = true;
        emit dataChanged(index(int(i), 0), index(int(i), columnCount() - 1));
    }
    if (more.empty()) return changed;
    beginInsertRows({}, int(have), int(have + more.size()) - 1);
    m_sheet.rows.insert(m_sheet.rows.end(), std::make_move_iterator(more.begin()),
                        std::make_move_iterator(more.end()));
    endInsertRows();
    return true;
}

int SheetModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_sheet.rows.size());
}

int SheetModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_sheet.columns.size());
}

QVariant SheetModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const SheetCell& cell = m_sheet.rows[std::size_t(index.row())][std::size_t(index.column())];
    const SheetColumn& column = m_sheet.columns[std::size_t(index.column())];
    const ThemeColors& colors = Theme::instance().colors();
    switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case Qt::ToolTipRole:
            if (!cell.toolTip.isEmpty()) return cell.toolTip;
            // Long texts may stand in a column that somebody made narrow.
            return cell.text.size() > kLongText ? QVariant(cell.text) : QVariant();
        case Qt::TextAlignmentRole:
            return int(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole: {
            if (!column.number) return {};
            QFont font = Theme::instance().figureFont();
            font.setPointSizeF(font.pointSizeF() * m_scale);
            return font;
        }
        case Qt::DecorationRole:
            return cell.backend ? Theme::instance().backendColor(*cell.backend) : QVariant();
        case Qt::ForegroundRole:
            if (cell.tone == SheetCell::Tone::Error) return colors.error;
            if (cell.tone == SheetCell::Tone::Warning) return colors.warning;
            return cell.tone == SheetCell::Tone::Weak ? QVariant(colors.weakText) : QVariant();
        case kOrderRole:
            // Cells of a column of figures that have none come before all others.
            if (column.number) return cell.number.value_or(-1e300);
            return cell.number ? QVariant(*cell.number) : QVariant(cell.text);
        default:
            return {};
    }
}

void SheetModel::setScale(double scale) {
    m_scale = scale;
    if (columnCount() > 0) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QVariant SheetModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const SheetColumn& column = m_sheet.columns[std::size_t(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::FontRole) {
        QFont font = QApplication::font();
        font.setPointSizeF(font.pointSizeF() * m_scale);
        return font;
    }
    if (role == Qt::ToolTipRole && !column.toolTip.isEmpty()) return column.toolTip;
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

}  // namespace warpscope::gui
