// The waterfall as a picture: a line a piece of work, its bar where and as long as it lasted, start
// and duration in figures. Kernels stand below their operation.
#pragma once

#include <QWidget>

#include "gui/timings/waterfall.h"
#include "gui/widgets/picture.h"

namespace warpscope::gui {

class WaterfallView : public QWidget {
    Q_OBJECT
  public:
    explicit WaterfallView(QWidget* parent = nullptr);

    void setWaterfall(const Waterfall& waterfall, const QString& emptyText);
    const Waterfall& waterfall() const { return m_waterfall; }
    QStringList labels() const;  // "1  Gaussian blur\t0 ms\t5.71 ms", as drawn
    QRectF barRect(int row, int bar = 0) const;
    int rowAt(int y) const;  // -1 if none is there
    Picture picture();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Columns {
        int names = 0;
        int start = 0;
        int duration = 0;
        QRectF bars;  // of all lines, without header and axis
    };
    Columns columns() const;
    QRectF barRect(const Columns& columns, int row, int bar) const;
    int lineHeight() const;

    Waterfall m_waterfall;
    QString m_emptyText;
};

}  // namespace warpscope::gui
