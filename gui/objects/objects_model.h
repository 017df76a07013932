// The rows of a table of objects, in an order that a click on a title chooses; no item a cell, so
// that there may be very many.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "gui/objects/object_counter.h"

namespace warpscope::gui {

class ObjectsModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    explicit ObjectsModel(QObject* parent = nullptr);

    void setObjects(ObjectCounter::ObjectsPtr objects);  // null: no rows; the order stays
    const ObjectCounter::ObjectsPtr& objects() const { return m_objects; }
    void setOutdated(bool outdated);  // of something older than what is shown: weaker text

    std::uint32_t labelOf(int row) const { return m_order[std::size_t(row)] + 1; }
    int rowOf(std::uint32_t label) const;  // -1: none
    // The object's box, and a point in the middle of it, in pixels of what the step is given.
    QRect boxOf(int row) const;
    QPointF centroidOf(int row) const;
    // These rows of the table, in that order.
    AnalysisTable tableOf(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  private:
    const std::vector<TableColumn>& columns() const;
    double number(const char* column, int row) const;
    void putInOrder();

    ObjectCounter::ObjectsPtr m_objects;
    // Label - 1 of each row.
    std::vector<std::uint32_t> m_order;
    int m_column = 0;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    bool m_outdated = false;
};

}  // namespace warpscope::gui
