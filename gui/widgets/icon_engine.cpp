#include "gui/widgets/icon_engine.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

IconEngine::IconEngine(const QString& name) : m_name(name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (file.open(QIODevice::ReadOnly)) m_svg = file.readAll();
}

void IconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    QPixmap picture = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
    picture.setDevicePixelRatio(ratio);
    painter->drawPixmap(rect.topLeft(), picture);
}

QPixmap IconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) {
    if (m_svg.isEmpty() || size.isEmpty()) return {};
    const ThemeColors& colors = Theme::instance().colors();
    const QColor color = mode == QIcon::Disabled   ? colors.disabledText
                         : mode == QIcon::Selected ? colors.accentText
                                                   : colors.text;
    const QString key = QStringLiteral("warpscope/%1/%2/%3x%4")
                            .arg(m_name, color.name())
                            .arg(size.width())
                            .arg(size.height());
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;

    QByteArray svg = m_svg;
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    picture = QPixmap(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    // Icons are square; in a rectangle they stand in the middle.
    const int side = std::min(size.width(), size.height());
    renderer.render(&painter,
                    QRectF((size.width() - side) / 2, (size.height() - side) / 2, side, side));
    painter.end();
    QPixmapCache::insert(key, picture);
    return picture;
}

QIconEngine* IconEngine::clone() const {
    return new IconEngine(*this);
}

bool IconEngine::isNull() {
    return m_svg.isEmpty();
}

}  // namespace warpscope::gui
