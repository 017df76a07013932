#include "gui/canvas/navigator.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kLongSide = 160;  // logical pixels
constexpr double kShareOfView = 0.3;
constexpr int kFrame = 1;

}  // namespace

Navigator::Navigator(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("navigator"));
    setAccessibleName(tr("Overview"));
    setToolTip(tr("What is seen of the whole picture; drag to move"));
    setFocusPolicy(Qt::NoFocus);
    setCursor(Qt::PointingHandCursor);
    hide();
}

void Navigator::setPicture(const PyramidPtr& picture, const DisplayLook& look) {
    m_side.setPyramid(picture);
    m_side.setLook(look);
    update();
}

void Navigator::setSeen(const QRectF& seen) {
    if (seen == m_seen) return;
    m_seen = seen;
    update();
}

QSize Navigator::sizeIn(const QSize& view) const {
    const Size image = m_side.image().size();
    if (image.empty()) return {};
    const QSizeF room(std::min<double>(kLongSide, view.width() * kShareOfView),
                      std::min<double>(kLongSide, view.height() * kShareOfView));
    const double fit = std::min(room.width() / image.width, room.height() / image.height);
    return QSize(std::max(12, int(image.width * fit)), std::max(12, int(image.height * fit))) +
           QSize(2 * kFrame, 2 * kFrame);
}

double Navigator::scale() const {
    const Size image = m_side.image().size();
    if (image.empty()) return 1;
    return std::min(double(width() - 2 * kFrame) / image.width,
                    double(height() - 2 * kFrame) / image.height);
}

QPointF Navigator::place(const QPointF& inImage) const {
    const Size image = m_side.image().size();
    const QPointF middle(image.width / 2.0, image.height / 2.0);
    return QRectF(rect()).center() + (inImage - middle) * scale();
}

void Navigator::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.canvas);
    const double dpr = devicePixelRatioF();
    const QRect inside = rect().adjusted(kFrame, kFrame, -kFrame, -kFrame);
    ViewTransform transform;
    transform.setImageSize(m_side.image().size());
    transform.setPaneSize(inside.size() * dpr);
    transform.fit();
    FrameStyle style{colors.canvas.rgb(), colors.checkerLight.rgb(), colors.checkerDark.rgb(),
                     Theme::instance().figureFont(), dpr};
    style.marks = false;
    if (const PicturePtr made = m_side.picture(m_side.key(LaidOver::asItIs(transform), style))) {
        QImage picture = *made->image;
        picture.setDevicePixelRatio(dpr);
        painter.drawImage(inside.topLeft(), picture);
    }
    painter.setPen(colors.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    QRectF seen = QRectF(place(m_seen.topLeft()), place(m_seen.bottomRight())) & QRectF(inside);
    // Dark around light: it is seen on every picture.
    painter.setPen(QPen(Qt::black, 3));
    painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
}

void Navigator::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    const QPointF middle(m_side.image().width() / 2.0, m_side.image().height() / 2.0);
    emit centerRequested((event->position() - QRectF(rect()).center()) / scale() + middle);
}

void Navigator::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) == 0) return;
    const QPointF middle(m_side.image().width() / 2.0, m_side.image().height() / 2.0);
    emit centerRequested((event->position() - QRectF(rect()).center()) / scale() + middle);
}

}  // namespace warpscope::gui
