// One scope as a picture of densities between the axes of Qt Charts.
#pragma once

#include <QChartView>
#include <QImage>
#include <memory>
#include <optional>

#include "engine/operations/analysis/scopes.h"

class QValueAxis;

namespace warpscope::gui {

using ScopePtr = std::shared_ptr<const ScopeCounts>;

struct ScopeLook {
    bool logarithmic = true;
    double gain = 1;  // of the counts

    friend bool operator==(const ScopeLook&, const ScopeLook&) = default;
};

class ScopeView : public QChartView {
    Q_OBJECT
  public:
    explicit ScopeView(QWidget* parent = nullptr);

    // Null: none. `labels`: the values are numbers of objects.
    void setScope(const ScopePtr& scope, bool labels = false);
    bool showsLabels() const { return m_labels; }
    const ScopePtr& scope() const { return m_scope; }
    void setLook(const ScopeLook& look);
    const ScopeLook& look() const { return m_look; }

    // The cell that is read out: column (through all of a parade's parts) and level.
    void setHover(std::optional<QPoint> cell);
    std::optional<QPoint> hover() const { return m_hover; }
    QString hoverText() const;
    // What is drawn, a pixel a cell, the highest level at the top.
    const QImage& density() const { return m_density; }

    // For files and the clipboard.
    void paintTo(QPainter& painter, const QSize& size, const QString& caption);

  protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void applyTheme();
    void updateAxes();
    void updateDensity();
    void placePlot(const QSize& size);
    double widestLabel(const QFontMetrics& metrics) const;
    int allColumns() const;
    bool isChroma() const;
    double span() const;  // of the values, the last level included
    QRectF plot() const;
    QRectF cells() const;  // what the density covers, scene coordinates
    QPointF chromaPoint(double cb, double cr) const;
    void paintOverlay(QPainter& painter) const;
    void paintTargets(QPainter& painter) const;

    ScopePtr m_scope;
    bool m_labels = false;
    ScopeLook m_look;
    QImage m_density;
    std::optional<QPoint> m_hover;
    QValueAxis* m_across = nullptr;
    QValueAxis* m_up = nullptr;
};

}  // namespace warpscope::gui
