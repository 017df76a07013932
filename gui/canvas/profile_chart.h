// A small chart of one or two profiles over each other: the second strong, the first weak.
#pragma once

#include <QWidget>

#include "gui/canvas/line_profile.h"

namespace warpscope::gui {

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
