// The chart itself: series in Qt Charts that are refilled, never made again; labels, marks and the
// read-out drawn over them, so that nothing is elided and hovering lays out nothing.
#pragma once

#include <QChartView>
#include <QLineSeries>
#include <QPixmap>
#include <QStringList>
#include <array>
#include <optional>

#include "gui/histogram/histogram_model.h"
#include "gui/histogram/mapping_curve.h"

class QAreaSeries;
class QValueAxis;

namespace warpscope::gui {

class ReadoutWindow;

struct HistogramOptions {
    ChannelSet channels = ChannelSet::all();
    bool source = true;
    bool cumulative = false;
    CountScale scale = CountScale::Linear;

    friend bool operator==(const HistogramOptions&, const HistogramOptions&) = default;
};

// What of the step that is being edited is drawn over the series.
struct HistogramStepMarks {
    QStringList titles;         // the longest first: what fits is shown
    std::vector<double> lines;  // upright, axis values
    bool points = false;        // of a curve: a click in the plot is sent on as clicked()
    // What the step is given, where that is not the source: evenly wide bars between two axis
    // values, as shares of the plot's height.
    AxisWindow inputRange;
    std::vector<double> input;
    friend bool operator==(const HistogramStepMarks&, const HistogramStepMarks&) = default;
};

class HistogramView : public QChartView {
    Q_OBJECT
  public:
    // `model` must outlive the view.
    explicit HistogramView(const HistogramModel& model, QWidget* parent = nullptr);

    const HistogramOptions& options() const { return m_options; }
    void setOptions(const HistogramOptions& options);
    void refresh();                   // after the model changed
    void setOutdated(bool outdated);  // drawn weaker: of something older than the picture

    // Drawn over the series, from the lower left (black stays black) to the upper right.
    void setMapping(const MappingCurves& mapping);
    const MappingCurves& mapping() const { return m_mapping; }
    // As drawn: widget coordinates. Empty if there is none, or it has no place on the axis.
    QPolygonF mappingLine(const MappingCurve& curve) const;

    static QString channelLetter(HistogramChannel channel);

    // Marks values of one pixel on the axis; samples of `side`.
    void setMarks(const PixelValues& marks, HistogramSide side);
    std::optional<double> markPosition(HistogramChannel channel) const;  // axis value

    // The bin that is read out, in axis values.
    void setHover(std::optional<double> axisValue);
    std::optional<double> hover() const { return m_hover; }
    QStringList readoutLines() const;  // as drawn, columns separated by tabs

    // Asks for a part of the axis, by the factor around an axis value, or moved by so many bins.
    void zoomBy(double factor, double around);
    void panBy(int bins);
    void zoomToSelection();  // nothing without one
    void zoomToLevels();
    // Black and white as handles at the top of the plot, in axis values; nothing: none.
    void setLevels(const std::optional<AxisWindow>& levels);
    const std::optional<AxisWindow>& levels() const { return m_levels; }
    // Of a handle, in widget coordinates; empty where there is none.
    QRectF gripRect(bool white) const;
    // Which of them the mouse takes there, true for white: farther around than they are drawn.
    std::optional<bool> gripAt(const QPointF& position) const;
    void setStepMarks(const HistogramStepMarks& marks);
    // The line of them that the mouse takes there, the nearest; black and white of the view and its
    // own round handle, which lie over it, come before.
    std::optional<std::size_t> markAt(const QPointF& position) const;
    const HistogramStepMarks& stepMarks() const { return m_stepMarks; }
    QString stepTitle() const;  // as drawn
    void resetZoom() { emit zoomRequested(std::nullopt); }

    std::optional<std::pair<double, double>> selection() const { return m_selection; }
    void clearSelection();

    // Widget coordinates of an axis value, for hovering and marks.
    double pixelX(double axisValue) const;
    double axisValueAt(double x) const;
    QRectF plotArea() const { return m_plot; }

    const QLineSeries* series(HistogramSide side, HistogramChannel channel) const;
    const QLineSeries* cumulativeSeries(HistogramSide side, HistogramChannel channel) const;
    // How long the chart took to paint last; a comb of an equalized histogram costs the most.
    double paintMs() const { return m_paintMs; }
    double verticalLimit() const { return m_limit; }  // axis end: count or its logarithm
    double countStep() const { return m_countStep; }  // between ticks of the counts

    // For files and the clipboard: the view at this size, with a caption under it.
    void paintTo(QPainter& painter, const QSize& size, const QString& caption);

  signals:
    // Axis values, both bins included; active is false when the selection is gone.
    void rangeSelected(double low, double high, bool active);
    void hoverChanged();
    void levelsDragged(const warpscope::gui::AxisWindow& levels);
    void placesChanged();                   // of axis values in the widget
    void clicked(const QPointF& position);  // into the plot; not the click that drops a range
    void pointAsked(double axisValue);      // by a key, where a curve has its points
    // The axis is to show this; nothing: as it comes.
    void zoomRequested(const std::optional<warpscope::gui::AxisWindow>& window);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Curve {
        QLineSeries* edge = nullptr;    // outline; of the result it is the area's upper edge
        QAreaSeries* area = nullptr;    // result only
        QLineSeries* summed = nullptr;  // cumulative
    };
    Curve& curve(HistogramSide side, HistogramChannel channel) {
        return m_curves[std::size_t(side)][std::size_t(channel)];
    }
    void applyTheme();
    void layoutPlot(const QSize& size);
    void updateTicks();
    double snapped(double axisValue) const;  // centre of its bin
    void moveHover(int bins, bool extend);
    void select(double from, double to);
    double binWidth() const;
    void requestWindow(double low, double high);

    QLineF upright(double x) const { return {x, m_plot.top(), x, m_plot.bottom()}; }

    void redraw();
    void paintOverlay(QPainter& painter) const;
    void drawLabels(QPainter& painter) const;
    void drawClipping(QPainter& painter, const QRectF& row, const QString& title) const;
    void drawCutPeaks(QPainter& painter) const;
    void drawMarks(QPainter& painter) const;
    void drawMapping(QPainter& painter) const;
    void drawLevels(QPainter& painter) const;
    void drawStepInput(QPainter& painter) const;
    void drawStepMarks(QPainter& painter) const;
    double titleRoom() const;  // at the right of the heading
    void drawTitle(QPainter& painter, const QString& text) const;
    void moveLevel(bool white, double to);
    void drawHover(QPainter& painter) const;
    void updateReadout();

    const HistogramModel& m_model;
    HistogramOptions m_options;
    std::array<std::array<Curve, 4>, 2> m_curves;
    QValueAxis* m_valueAxis = nullptr;
    QValueAxis* m_countAxis = nullptr;
    QValueAxis* m_shareAxis = nullptr;
    ReadoutWindow* m_readout = nullptr;
    MappingCurves m_mapping;
    HistogramStepMarks m_stepMarks;
    QPixmap m_cache;  // series and grid; null: to be painted again
    double m_paintMs = 0;
    bool m_outdated = false;
    QRectF m_plot;
    bool m_gripsAbove = false;  // the plot
    double m_limit = 1;
    double m_countStep = 1;
    PixelValues m_marks;
    HistogramSide m_marksSide = HistogramSide::Result;
    std::optional<double> m_hover;
    std::optional<std::pair<double, double>> m_selection;
    std::optional<double> m_dragStart;
    bool m_dragged = false;
    std::optional<AxisWindow> m_levels;
    std::optional<bool> m_gripped;    // white?
    std::optional<double> m_panFrom;  // widget coordinate, with the middle button
    double m_wheel = 0;               // sideways, not yet a whole bin
};

}  // namespace warpscope::gui
