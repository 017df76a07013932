#include "gui/objects/objects_model.h"

#include <QPointF>
#include <QRect>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gui/widgets/table_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

double numberIn(const TableCell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return double(*whole);
    const auto* real = std::get_if<double>(&cell);
    return real ? *real : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

ObjectsModel::ObjectsModel(QObject* parent) : QAbstractTableModel(parent) {}

const std::vector<TableColumn>& ObjectsModel::columns() const {
    static const std::vector<TableColumn> none;
    return m_objects ? m_objects->found.table.columns : none;
}

void ObjectsModel::setObjects(ObjectCounter::ObjectsPtr objects) {
    beginResetModel();
    m_objects = std::move(objects);
    m_order.resize(m_objects ? m_objects->found.table.rows() : 0);
    putInOrder();
    endResetModel();
}

void ObjectsModel::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    if (!m_order.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                         {Qt::ForegroundRole});
}

// Equal ones in the order of their labels, what is no number behind all others.
void ObjectsModel::putInOrder() {
    std::iota(m_order.begin(), m_order.end(), 0u);
    if (m_column < 0 || m_column >= columnCount()) return;
    std::vector<double> keys;
    keys.reserve(m_order.size());
    for (const TableCell& cell : columns()[std::size_t(m_column)].cells)
        keys.push_back(numberIn(cell));
    const bool up = m_direction == Qt::AscendingOrder;
    std::ranges::stable_sort(m_order, [&](std::uint32_t a, std::uint32_t b) {
        const double x = keys[a], y = keys[b];
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return up ? x < y : y < x;
    });
}

void ObjectsModel::sort(int column, Qt::SortOrder order) {
    m_column = column;
    m_direction = order;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const std::vector<std::uint32_t> before = m_order;
    putInOrder();
    std::vector<int> places(m_order.size());
    for (std::size_t row = 0; row < m_order.size(); ++row) places[m_order[row]] = int(row);
    const QModelIndexList kept = persistentIndexList();
    QModelIndexList moved;
    moved.reserve(kept.size());
    for (const QModelIndex& one : kept)
        moved << index(places[before[std::size_t(one.row())]], one.column());
    changePersistentIndexList(kept, moved);
    emit layoutChanged({}, VerticalSortHint);
}

int ObjectsModel::rowOf(std::uint32_t label) const {
    const auto found = std::ranges::find(m_order, label - 1);
    return found == m_order.end() ? -1 : int(found - m_order.begin());
}

double ObjectsModel::number(const char* column, int row) const {
    const auto found = std::ranges::find(columns(), column, &TableColumn::id);
    return numberIn(found->cells[m_order[std::size_t(row)]]);
}

QRect ObjectsModel::boxOf(int row) const {
    return {int(number("x", row)), int(number("y", row)), int(number("width", row)),
            int(number("height", row))};
}

QPointF ObjectsModel::centroidOf(int row) const {
    return {number("centroid_x", row) + 0.5, number("centroid_y", row) + 0.5};
}

AnalysisTable ObjectsModel::tableOf(const std::vector<int>& rows) const {
    AnalysisTable table;
    for (const TableColumn& column : columns()) {
        TableColumn& part =
            table.columns.emplace_back(TableColumn{column.id, column.label, column.unit});
        part.cells.reserve(rows.size());
        for (const int row : rows) part.cells.push_back(column.cells[m_order[std::size_t(row)]]);
    }
    return table;
}

int ObjectsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_order.size());
}

int ObjectsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(columns().size());
}

QVariant ObjectsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
        case Qt::DisplayRole:
            return cellText(
                columns()[std::size_t(index.column())].cells[m_order[std::size_t(index.row())]]);
        case Qt::TextAlignmentRole:
            return int(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::FontRole:
            return Theme::instance().figureFont();
        case Qt::ForegroundRole:
            if (m_outdated) return Theme::instance().colors().disabledText;
            return {};
        default:
            return {};
    }
}

QVariant ObjectsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) return headText(columns()[std::size_t(section)]);
    return {};
}

}  // namespace warpscope::gui
