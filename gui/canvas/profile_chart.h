// Luminance and colours along a line, and a small chart of them.
#pragma once

#include <QLineF>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "engine/image/image.h"

class QToolButton;

namespace warpscope::gui {

struct LineProfile {
    double length = 0;           // image pixels
    std::vector<double> values;  // in samples, evenly spaced from end to end; NaN stays NaN
    // Red, green and blue at the same points; empty for gray images.
    std::array<std::vector<double>, 3> colors;
};

// One value a pixel of length, at most `most`: that of the pixel under each point, colour weighted
// 0.299, 0.587, 0.114. Coordinates as in the canvas: pixel (0, 0) reaches from 0 to 1. Points
// beyond the image take the edge pixel, or with `onlyInside` have no value. Empty for a null image.
LineProfile profileAlong(const Image& image, const QLineF& line, int most = 4096,
                         bool onlyInside = false);

// One or two profiles over each other: the second strong, the first weak. The mouse over it reads
// values out; presses go on to the picture under it. Luminance and colours are switched on and off.
class ProfileChart : public QWidget {
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
    // A row a point: position in pixels, x and y in the source, then the samples as they are
    // stored, luminance and colours of the first, then of the second. Empty where there is none.
    QString csv() const;
    // Errors: those of writeFileAtomically.
    Result<void> save(const QString& path) const;

    QSize sizeHint() const override { return {384, 176}; }

  signals:
    // A point of the line is under the mouse; in pixels of the source.
    void hovered(const QPointF& at);
    void hoverEnded();
    void saveFailed(const QString& why);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    // Luminance, red, green, blue.
    static constexpr int kCurves = 4;
    static const std::vector<double>& curveOf(const LineProfile& profile, int curve);
    bool isShown(int curve) const;
    QColor colorOf(int curve) const;
    bool hasColors() const;
    void retranslate();
    void updateButtons();
    void updateRange();
    void askForFile();
    QPolygonF curve(const std::vector<double>& values, double scale, std::size_t from,
                    std::size_t to) const;
    void drawProfile(QPainter& painter, const std::vector<double>& values, double scale) const;

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
    std::array<QToolButton*, kCurves> m_switches{};
    QToolButton* m_copy = nullptr;
    QToolButton* m_save = nullptr;
};

}  // namespace warpscope::gui
