// The table of the timings: a group of rows a step, columns as many as there is room for. Speedup
// and median are the last to go; cells of speedups and agreements take several lines before a
// column goes for them.
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
    // Of cells of speedups and agreements: whole, a line a part, a line for the figures of a part,
    // too.
    enum class Lines { Whole, Parts, Figures };
    Lines lines() const { return m_lines; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    TimingItemModel* m_items;
    Lines m_lines = Lines::Whole;
};

}  // namespace warpscope::gui
