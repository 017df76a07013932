// A small toggle in one colour: a channel, a curve, a scale. Filled when on, outlined when off.
#pragma once

#include <QColor>
#include <QToolButton>

namespace warpscope::gui {

class ColorToggle : public QToolButton {
    Q_OBJECT
  public:
    // An invalid colour: the theme's text colour.
    ColorToggle(const QString& text, const QString& accessibleName, const QString& help,
                QWidget* parent = nullptr);
    void setColor(const QColor& color);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QColor m_color;
};

}  // namespace warpscope::gui
