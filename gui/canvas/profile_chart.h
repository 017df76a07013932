// Luminance along a line, and a small chart of it.
#pragma once

#include <QLineF>
#include <QWidget>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::gui {

struct LineProfile {
    double length = 0;           // image pixels
    std::vector<double> values;  // in samples, evenly spaced from end to end; NaN stays NaN
};

// One value a pixel of length, at most `most`: that of the pixel under each point, colour weighted
// 0.299, 0.587, 0.114. Coordinates as in the canvas: pixel (0, 0) reaches from 0 to 1. Points
// beyond the image take the edge pixel, or with `onlyInside` have no value. Empty for a null image.
LineProfile profileAlong(const Image& image, const QLineF& line, int most = 4096,
                         bool onlyInside = false);

// One or two profiles over each other: the second strong, the first weak.
class ProfileChart : public QWidget {
    Q_OBJECT
  public:
    explicit ProfileChart(QWidget* parent);

    // Profiles of another depth than the second are scaled onto it by `firstScale`. Empty: none.
    void setProfiles(const LineProfile& first, const QString& firstLabel, double firstScale,
                     const LineProfile& second, const QString& secondLabel);
    const LineProfile& first() const { return m_first; }
    const LineProfile& second() const { return m_second; }

    QSize sizeHint() const override { return {336, 152}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QPolygonF curve(const LineProfile& profile, double scale, std::size_t from,
                    std::size_t to) const;
    void drawProfile(QPainter& painter, const LineProfile& profile, double scale) const;

    LineProfile m_first;
    LineProfile m_second;
    QString m_firstLabel;
    QString m_secondLabel;
    double m_firstScale = 1;
    double m_low = 0;
    double m_high = 1;
    QRectF m_plot;
};

}  // namespace warpscope::gui
