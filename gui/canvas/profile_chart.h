// Luminance and colours along a line: source and result over each other in Qt Charts. Series are
// refilled, never made again; labels and the read-out are drawn over them.
#pragma once

#include <QChartView>
#include <QLineF>
#include <QPixmap>
#include <array>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "gui/canvas/line_profile.h"

class QLineSeries;
class QToolButton;
class QValueAxis;

namespace warpscope::gui {

// One or two profiles: the second strong, the first weak. The mouse over it and arrow keys read
// values out; presses go on to the picture under it. Luminance and colours are switched on and off.
class ProfileChart : public QChartView {
    Q_OBJECT
  public:
    explicit ProfileChart(QWidget* parent);

    // Profiles of another depth than the second are scaled onto it by `firstScale`. Empty: none.
    void setProfiles(const LineProfile& first, const QString& firstLabel, double firstScale,
                     const LineProfile& second, const QString& secondLabel);
    void setLine(const QLineF& line) { m_line = line; }  // of both, in pixels of the source
    const LineProfile& first() const { return m_first; }
    const LineProfile& second() const { return m_second; }

    // What stands under the chart: the values at the mouse, or the title of the axis.
    QString readout() const;
    // Of the upright axis, beside it.
    QString valueTitle() const;
    QString csv() const { return profileCsv(m_first, m_second, m_line); }
    // Errors: those of writeFileAtomically.
    Result<void> save(const QString& path) const;

    // As drawn, a series for each piece between gaps.
    std::vector<const QLineSeries*> series(bool second, int curve) const;
    QRectF plotArea() const { return m_plot; }  // widget coordinates

    QSize sizeHint() const override { return {400, 208}; }
    QSize minimumSizeHint() const override { return {}; }

  signals:
    // A point of the line is under the mouse; in pixels of the source.
    void hovered(const QPointF& at);
    void hoverEnded();
    void saveFailed(const QString& why);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    static constexpr int kCurves = LineProfile::kCurves;
    bool isShown(int curve) const;
    QColor colorOf(int curve) const;
    bool hasColors() const { return m_first.hasColors() || m_second.hasColors(); }
    double length() const { return std::max(m_first.length, m_second.length); }
    void retranslate();
    void applyTheme();
    void updateButtons();
    void refresh();
    void updateRange();
    void placePlot();
    void fill(bool second, int curve);
    QPen penOf(bool second, int curve) const;
    void hoverAt(double part);
    void endHover();
    void redraw();
    void drawFrame(QPainter& painter) const;
    void drawLabels(QPainter& painter) const;
    void drawHover(QPainter& painter) const;
    void askForFile();

    LineProfile m_first;
    LineProfile m_second;
    QString m_firstLabel;
    QString m_secondLabel;
    double m_firstScale = 1;
    double m_low = 0;
    double m_high = 1;
    QRectF m_plot;
    QLineF m_line;
    // Of the line's length, from 0 to 1.
    std::optional<double> m_hover;
    QValueAxis* m_across = nullptr;
    QValueAxis* m_up = nullptr;
    std::array<std::array<std::vector<QLineSeries*>, kCurves>, 2> m_series;
    QPixmap m_cache;  // all but the read-out; null: to be painted again
    std::array<QToolButton*, kCurves> m_switches{};
    QToolButton* m_copy = nullptr;
    QToolButton* m_save = nullptr;
};

}  // namespace warpscope::gui
