// The timing table as an item model: steps at the top, their lines below.
#pragma once

#include <QAbstractItemModel>

#include "gui/timings/timing_table.h"

namespace warpscope::gui {

class TimingItemModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    using QAbstractItemModel::QAbstractItemModel;

    // Keeps expansion and selection of the views where only lines were added or figures changed.
    void setTable(const TimingTable& table);
    const TimingTable& table() const { return m_table; }
    const TimingLine* line(const QModelIndex& index) const;  // null for a step

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    TimingTable m_table;
};

}  // namespace warpscope::gui
