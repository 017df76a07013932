#include "gui/inspector/loupe.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/display/pixel_values.h"
#include "gui/display/sampler.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kCell = 10;  // logical pixels

}  // namespace

Loupe::Loupe(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize Loupe::sizeHint() const {
    return {kSide * kCell + 2, kSide * kCell + 2};
}

QSize Loupe::minimumSizeHint() const {
    return sizeHint();
}

void Loupe::setPyramid(PyramidPtr pyramid) {
    m_levels.setPyramid(std::move(pyramid));
    update();
}

void Loupe::setLook(const DisplayLook& look) {
    m_levels.setLook(look);
    update();
}

void Loupe::setPixel(const QPoint& pixel) {
    if (pixel == m_pixel) return;
    m_pixel = pixel;
    update();
}

Rect Loupe::around() const {
    return {m_pixel.x() - kSide / 2, m_pixel.y() - kSide / 2, kSide, kSide};
}

QColor Loupe::colorAt(const QPoint& pixel) {
    if (m_levels.isNull() || !isInside(m_levels.image(), pixel)) return {};
    const auto part = m_levels.part(0, {pixel.x(), pixel.y(), 1, 1});
    if (!part) return {};
    const auto view = part->samples.view<std::uint8_t>();
    const std::uint8_t* p =
        view.row(pixel.y() - part->y) + std::ptrdiff_t(pixel.x() - part->x) * view.channels;
    return view.channels == 4 ? QColor(p[0], p[1], p[2]) : QColor(p[0], p[0], p[0]);
}

void Loupe::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.canvas);
    painter.setPen(colors.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (m_levels.isNull()) return;
    if (m_levels.image().isNull()) {
        if (m_pictureOf == m_pixel && !m_picture.isNull()) paintPicture(painter);
        return;
    }
    m_picture = {};
    if (!isInside(m_levels.image(), m_pixel)) return;
    const Size size = m_levels.size();
    const Rect inside = intersect(around(), {0, 0, size.width, size.height});
    const auto part = m_levels.part(0, inside);
    if (!part) return;

    // Device pixels throughout, so that cells are equally large.
    const double dpr = devicePixelRatioF();
    const int cell = std::max(1, int(std::floor(kCell * dpr)));
    QImage picture(kSide * cell, kSide * cell, QImage::Format_RGB32);
    picture.fill(colors.canvas);
    const QPoint first((inside.x - around().x) * cell, (inside.y - around().y) * cell);
    const Placement at{QPointF(first.x() - double(inside.x - part->x) * cell,
                               first.y() - double(inside.y - part->y) * cell),
                       double(cell), double(cell)};
    const Checkerboard board{colors.checkerLight.rgb(), colors.checkerDark.rgb(),
                             std::max(1, cell / 2), first};
    drawSamples(picture, QRect(first, QSize(inside.width * cell, inside.height * cell)),
                part->samples, at, Filter::Nearest, m_levels.hasAlpha() ? &board : nullptr);
    picture.setDevicePixelRatio(dpr);
    m_picture = picture;
    m_pictureOf = m_pixel;
    paintPicture(painter);
}

void Loupe::paintPicture(QPainter& painter) const {
    painter.drawImage(QPointF(1, 1), m_picture);
    const double side = m_picture.width() / m_picture.devicePixelRatio() / kSide;
    const QRectF middle(1 + kSide / 2 * side, 1 + kSide / 2 * side, side, side);
    painter.setPen(Qt::black);
    painter.drawRect(middle.adjusted(-1, -1, 0, 0));
    painter.setPen(Qt::white);
    painter.drawRect(middle.adjusted(-2, -2, 1, 1));
}

}  // namespace warpscope::gui
