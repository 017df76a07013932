// The series of a chart by operation, each with its line, to be switched on and off.
#pragma once

#include <QHash>
#include <QSet>
#include <QTreeWidget>

#include "gui/benchmark/benchmark_series.h"

namespace warpscope::gui {

class SeriesLegend : public QTreeWidget {
    Q_OBJECT
  public:
    explicit SeriesLegend(QWidget* parent = nullptr);

    // What was switched stays so. Of operations that are new, the first few are on, or nothing
    // could be told apart.
    void setContent(const ChartContent& content);
    const QSet<QString>& hiddenSeries() const { return m_hidden; }

    int wantedWidth() const;  // at which no row is cut
    QSize sizeHint() const override { return {240, 300}; }

  signals:
    void hiddenChanged();

  private:
    void onItemChanged(QTreeWidgetItem* item);
    void rebuild();
    void applyHidden();
    void addSources();
    QIcon sampleOf(const ChartSeries& series) const;

    ChartContent m_content;
    QSet<QString> m_hidden;
    QSet<QString> m_known;            // series that have had their first state
    QHash<QString, bool> m_defaults;  // operations, and whether they begin switched on
    bool m_filling = false;
};

}  // namespace warpscope::gui
