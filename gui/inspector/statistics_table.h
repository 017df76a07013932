// Least, largest, mean and standard deviation of every channel, of source and result, with median,
// entropy and, where they are asked for by its menu, percentiles.
#pragma once

#include <QTableWidget>
#include <array>
#include <optional>
#include <vector>

#include "engine/image/pixel_format.h"
#include "engine/image/statistics.h"
#include "engine/operations/analysis_table.h"

namespace warpscope::gui {

// One image's part of the table.
struct SideStatistics {
    PixelFormat format = PixelFormat::Gray8;
    bool hasAlpha = false;
    std::vector<ChannelStatistics> channels;  // empty: not known yet
    // Of the analysis `statistics`; nothing: not known yet.
    std::optional<AnalysisTable> figures = {};
    bool figuresOutdated = false;
};

class StatisticsTable : public QTableWidget {
    Q_OBJECT
  public:
    explicit StatisticsTable(QWidget* parent = nullptr);
    void setStatistics(const SideStatistics& source, const SideStatistics& result);
    void setOutdated(bool outdated);  // of something older than what is shown: weaker text

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void keyPressEvent(QKeyEvent* event) override;  // copies the selection
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    enum Column {
        kMinimum,
        kMaximum,
        kMean,
        kDeviation,
        kNaN,
        kInf,
        kMedian,
        kEntropy,
        kFirstPercentile,
        kColumns = kFirstPercentile + 4
    };
    struct Cell {
        QString text;
        QString tip;
        bool weak = false;
        bool operator==(const Cell&) const = default;
    };
    struct Row {
        QString label;
        QString brief;  // where there is no room for that
        std::array<Cell, kColumns> cells;
        bool operator==(const Row&) const = default;
    };

    void rebuild();  // in other words or colours
    void refresh();  // what changed
    void putChanged(const std::vector<Row>& rows);
    void fit();  // into the width
    void addSide(const QString& name, const SideStatistics& side, std::vector<Row>& rows) const;
    void addFigures(const SideStatistics& side, int channel, Row& row) const;
    void put(int row, int column, const Cell& cell);

    SideStatistics m_source;
    SideStatistics m_result;
    bool m_outdated = false;
    bool m_brief = false;
    int m_fittedWidth = 0;
    bool m_percentiles = false;
    std::vector<Row> m_shown;
};

}  // namespace warpscope::gui
