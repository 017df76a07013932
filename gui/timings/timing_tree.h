// The table of the timings: a group of rows a step, columns as many as there is room for.
#pragma once

#include <QTreeView>

namespace warpscope::gui {

class TimingItemModel;
struct TimingTable;

class TimingTree : public QTreeView {
    Q_OBJECT
  public:
    explicit TimingTree(QWidget* parent);
    void setTable(const TimingTable& table);
    void fitColumns();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    TimingItemModel* m_items;
};

}  // namespace warpscope::gui
