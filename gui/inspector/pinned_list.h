// Read-outs that stay: up to eight pixels, numbered as on the canvas, with their values in source
// and result.
#pragma once

#include <QPoint>
#include <QTreeWidget>
#include <vector>

#include "gui/display/result_place.h"

namespace warpscope::gui {

class PinnedList : public QTreeWidget {
    Q_OBJECT
  public:
    static constexpr int kMost = 8;

    explicit PinnedList(QWidget* parent = nullptr);

    // A pixel that is there already is taken out; a ninth pushes the oldest out.
    void toggle(const QPoint& pixel);
    void clearPins();
    void setPins(const std::vector<QPoint>& pixels);  // those in the image, kMost at most
    const std::vector<QPoint>& pixels() const { return m_pixels; }

    // The pixels are the source's; the result's are those that lie over them.
    // Pins that lie beside the source go, unless the images take its place for a while only.
    void setImages(const Image& source, const Image& result, const PixelMap& sourceFromResult = {},
                   bool forAWhile = false);
    // The values that were read stay.
    void letGoOfResult() { m_result = m_result.withoutSamples(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void pinsChanged();
    void pinChosen(const QPoint& pixel);  // by click, arrow keys or Return

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void rebuild();
    void choose(QTreeWidgetItem* item);
    void removeSelected();
    void copySelected() const;

    std::vector<QPoint> m_pixels;
    Image m_source;
    Image m_result;
    ResultPlace m_place;
};

}  // namespace warpscope::gui
