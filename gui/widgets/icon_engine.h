// Draws single-colour SVG icons in the text colour of the theme that is on when they are painted,
// so that icons made once follow every change of theme and stay sharp at every scale.
#pragma once

#include <QIconEngine>
#include <QString>

namespace warpscope::gui {

class IconEngine : public QIconEngine {
  public:
    explicit IconEngine(const QString& name);  // ":/icons/NAME.svg"

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QIconEngine* clone() const override;
    bool isNull() override;

  private:
    QString m_name;
    QByteArray m_svg;  // with "currentColor" still in it
};

}  // namespace warpscope::gui
