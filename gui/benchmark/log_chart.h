// A log-log chart of series against image size, painted here: thin lines, direct labels, a read-out
// of the point under the cursor or chosen with the arrow keys. The same painting goes into files.
#pragma once

#include <QSet>
#include <QStringList>
#include <QWidget>
#include <optional>

#include "engine/report/chart_axes.h"
#include "gui/benchmark/benchmark_series.h"
#include "gui/widgets/picture.h"

namespace warpscope::gui {

// Where everything goes, for one size of the chart. Title above, axis title and captions below.
struct ChartLayout {
    double scale = 1;  // of text, lines and markers
    ChartFrame frame;
    std::vector<ChartTick> xTicks, yTicks;
    std::vector<std::size_t> visible;  // in ChartContent::series
    QString operation;                 // that all of the visible are of; else empty
    QStringList names;               // of the visible; their operation only where it says something
    std::vector<ChartLabel> labels;  // of the visible, right of the frame
    double labelLeft = 0, labelWidth = 0;
    int labelLines = 1;                  // two where one would be cut and there is room
    std::vector<double> captionHeights;  // a caption may need several lines

    bool empty() const { return visible.empty(); }
    QPointF place(const PlotPoint& point) const { return {frame.x(point.x), frame.y(point.value)}; }
};

class LogChart : public QWidget {
    Q_OBJECT
  public:
    explicit LogChart(QWidget* parent = nullptr);

    void setContent(ChartContent content);
    const ChartContent& content() const { return m_content; }
    void setHiddenSeries(const QSet<QString>& keys);
    void setEmptyText(const QString& text);  // what to do where there is nothing to show
    const std::vector<std::size_t>& visibleSeries() const { return m_layout.visible; }
    // In the window most of the width is the plot's, and labels are cut at their end (their whole
    // text is a tool tip); in a picture they have what they need.
    enum class Room { Window, Picture };
    ChartLayout layoutFor(const QSizeF& size, Room room = Room::Window) const;

    // For the back of a room: larger, and light whatever the theme.
    void setProjected(bool on);
    bool projected() const { return m_projected; }

    // Drawn anew for this size, without a read-out. Also outside the screen.
    void paintTo(QPainter& painter, const QSizeF& size, Room room = Room::Window) const;
    Picture picture(const QString& name) const;

    struct PointId {
        std::size_t series = 0;
        std::size_t point = 0;
        friend bool operator==(const PointId&, const PointId&) = default;
    };
    QPointF placeOf(PointId id) const;  // in the widget
    const std::optional<PointId>& current() const { return m_current; }
    QString readout() const;  // of the current point; empty if there is none

    QSize sizeHint() const override { return {640, 420}; }
    QSize minimumSizeHint() const override { return {260, 180}; }

  signals:
    void readoutChanged();
    // Before it is shown; `current` is what was clicked.
    void menuWanted(QMenu* menu);

  protected:
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    void relayout();
    void setCurrent(std::optional<PointId> id);
    void paintFrame(QPainter& painter, const ChartLayout& layout, const QSizeF& size) const;
    void paintSeries(QPainter& painter, const ChartLayout& layout, std::size_t index,
                     bool strong) const;
    void paintMarks(QPainter& painter, const ChartLayout& layout) const;
    void paintLabels(QPainter& painter, const ChartLayout& layout) const;
    void paintReadout(QPainter& painter) const;

    ChartContent m_content;
    QSet<QString> m_hidden;
    QString m_emptyText;
    ChartLayout m_layout;
    std::optional<PointId> m_current;
    bool m_projected = false;
};

QFont chartFont(double scale);
// Colour of a series in the present theme.
QColor chartColor(PlotInk ink, int tint = 0);
// A short piece of a series' line with its marker, for legends.
void paintSample(QPainter& painter, const QRectF& box, const ChartSeries& series);

}  // namespace warpscope::gui
