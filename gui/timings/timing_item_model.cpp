#include "gui/timings/timing_item_model.h"

#include <QFont>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

// The internal id of a line is the number of its step plus one; a step has 0.
constexpr quintptr kStepId = 0;

bool extends(const TimingTable& longer, const TimingTable& shorter) {
    if (longer.groups.size() < shorter.groups.size()) return false;
    for (std::size_t g = 0; g < shorter.groups.size(); ++g)
        if (longer.groups[g].title != shorter.groups[g].title ||
            longer.groups[g].lines.size() < shorter.groups[g].lines.size())
            return false;
    return true;
}

}  // namespace

void TimingItemModel::setTable(const TimingTable& table) {
    if (m_table.groups.empty() || !extends(table, m_table)) {
        beginResetModel();
        m_table = table;
        endResetModel();
        return;
    }
    for (std::size_t g = 0; g < table.groups.size(); ++g) {
        if (g == m_table.groups.size()) {
            beginInsertRows({}, int(g), int(g));
            m_table.groups.push_back(table.groups[g]);
            endInsertRows();
            continue;
        }
        TimingGroup& have = m_table.groups[g];
        const TimingGroup& want = table.groups[g];
        const QModelIndex step = index(int(g), 0);
        if (want.lines.size() > have.lines.size()) {
            beginInsertRows(step, int(have.lines.size()), int(want.lines.size()) - 1);
            have = want;
            endInsertRows();
        } else {
            have = want;
        }
        if (!have.lines.empty())
            emit dataChanged(index(0, 0, step),
                             index(int(have.lines.size()) - 1, kTimingColumns - 1, step));
    }
    m_table.bars = table.bars;
}

QModelIndex TimingItemModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : kStepId);
}

QModelIndex TimingItemModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kStepId) return {};
    return createIndex(int(child.internalId()) - 1, 0, kStepId);
}

int TimingItemModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(m_table.groups.size());
    if (parent.column() != 0 || parent.internalId() != kStepId) return 0;
    return int(m_table.groups[std::size_t(parent.row())].lines.size());
}

int TimingItemModel::columnCount(const QModelIndex&) const {
    return kTimingColumns;
}

const TimingLine* TimingItemModel::line(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kStepId) return nullptr;
    return &m_table.groups[index.internalId() - 1].lines[std::size_t(index.row())];
}

QVariant TimingItemModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Theme& theme = Theme::instance();
    const TimingLine* l = line(index);
    if (!l) {
        const TimingGroup& group = m_table.groups[std::size_t(index.row())];
        if (index.column() != 0) return {};
        if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) {
            QString text = group.title;
            if (!group.details.isEmpty()) text += QStringLiteral("  ·  ") + group.details;
            const bool whole = role != Qt::DisplayRole && !group.note.isEmpty();
            return whole ? text + QLatin1Char('\n') + group.note : text;
        }
        if (role == Qt::ForegroundRole) return theme.colors().text;
        return {};
    }
    const TimingCell& cell = l->cells[std::size_t(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            return cell.text;
        case Qt::ToolTipRole:
            if (l->spanned) return cell.text;
            return cell.whole.isEmpty() ? QVariant() : cell.whole;
        case Qt::ForegroundRole:
            return cell.tone == TimingTone::Error                 ? theme.colors().error
                   : cell.tone == TimingTone::Weak || l->indented ? theme.colors().weakText
                                                                  : theme.colors().text;
        case Qt::DecorationRole:
            if (index.column() != 0) return {};
            return l->spanned || l->indented ? QColor(Qt::transparent)
                                             : theme.backendColor(l->backend);
        case Qt::FontRole:
            return theme.figureFont();
        case Qt::TextAlignmentRole: {
            const auto column = TimingColumn(index.column());
            const bool figure = isFigure(column);
            return int(Qt::AlignVCenter | (figure ? Qt::AlignRight : Qt::AlignLeft));
        }
        default:
            return {};
    }
}

QVariant TimingItemModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTimingColumns) return {};
    const auto column = TimingColumn(section);
    if (role == Qt::DisplayRole) return timingColumnTitle(column);
    if (role == Qt::TextAlignmentRole) {
        const bool figure = isFigure(column);
        return int(Qt::AlignVCenter | (figure ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role == Qt::ToolTipRole) {
        if (column == TimingColumn::Bandwidth)
            return tr(
                "Each input sample read once and each output sample written once, over the "
                "median; and in per cent of what the same part of the machine reaches in copying "
                "its memory, or \"cache\" where it is faster than that: the data never left it");
        if (column == TimingColumn::Spread) return tr("10th and 90th percentile of the samples");
        if (column == TimingColumn::Samples) return tr("Number of samples; warm-up not counted");
        if (column == TimingColumn::Agreement)
            return tr("How far the result is from that of one CPU thread");
    }
    return {};
}

}  // namespace warpscope::gui
