// The samples of one pixel of one side, as a small table: channel, decimal, hexadecimal.
#pragma once

#include <QFrame>
#include <QPoint>
#include <vector>

#include "engine/image/image.h"
#include "gui/display/pixel_values.h"

class QGridLayout;
class QLabel;

namespace warpscope::gui {

class ColorSwatch;

class PixelReadout : public QWidget {
    Q_OBJECT
  public:
    explicit PixelReadout(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setOutdated(bool outdated);  // weaker text: the samples are not of the present steps
    // `pixel` outside the image leaves dashes, no image leaves nothing. `shown` is the pixel as it
    // is drawn.
    void setPixel(const Image& image, const QPoint& pixel, const QColor& shown);
    int widthFor(const Image& image) const;  // of any of its pixels: of the format, not the digits
    QString text() const;                    // "R 12 (0C), G ...", as assistive tools read it

  private:
    struct Row {
        QLabel* channel = nullptr;
        QLabel* decimal = nullptr;
        QLabel* hex = nullptr;
    };
    void showTexts(const std::vector<SampleText>& texts, bool hex);
    void reserveWidth(const Image& image);
    Row makeRow();

    QLabel* m_title = nullptr;
    ColorSwatch* m_swatch = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<Row> m_rows;
    QString m_text;
    bool m_outdated = false;
};

// The colour of a pixel as it is drawn: a bar, so that nobody takes it for a box to tick. Nothing
// is drawn where there is none.
class ColorSwatch : public QFrame {
    Q_OBJECT
  public:
    explicit ColorSwatch(QWidget* parent = nullptr);
    void setColor(const QColor& color);  // invalid: none
    QColor color() const { return m_color; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QColor m_color;
};

}  // namespace warpscope::gui
