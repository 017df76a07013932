// Read-outs that stay: up to eight pixels, numbered as on the canvas, with their values in source
// and result.
#pragma once

#include <QPoint>
#include <QTreeWidget>
#include <vector>

#include "engine/image/image.h"

namespace warpscope::gui {

class PinnedList : public QTreeWidget {
    Q_OBJECT
  public:
    static constexpr int kMost = 8;

    explicit PinnedList(QWidget* parent = nullptr);

    // A pixel that is there already is taken out; a ninth pushes the oldest out.
    void toggle(const QPoint& pixel);
    void clearPins();
    const std::vector<QPoint>& pixels() const { return m_pixels; }

    void setImages(const Image& source, const Image& result);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void pinsChanged();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void rebuild();
    void removeSelected();
    void copySelected() const;

    std::vector<QPoint> m_pixels;
    Image m_source;
    Image m_result;
};

}  // namespace warpscope::gui
