#include "gui/canvas/view_transform.h"

#include <algorithm>
#include <cmath>

namespace warpscope::gui {
namespace {

// Of the image, this much stays in the pane however far it is moved.
constexpr double kKeptInSight = 48.0;
constexpr int kPaneGap = 2;  // logical pixels between the panes of side by side

// Keeps coordinates of a million pixels at 6,400% inside int.
int toInt(double v) {
    return int(std::clamp(v, -1.0e9, 1.0e9));
}

double keptInSight(double offset, double pictureLength, double paneLength) {
    const double kept = std::min({kKeptInSight, pictureLength, paneLength});
    return std::clamp(offset, kept - pictureLength, paneLength - kept);
}

}  // namespace

int firstPixelFrom(double edge) {
    return toInt(std::ceil(edge - 0.5));
}

ViewTransform ViewTransform::placed(Size image, QSize pane, double zoom, const QPointF& offset,
                                    bool exact) {
    ViewTransform transform;
    transform.m_image = image;
    transform.m_pane = pane;
    transform.m_zoom = zoom;
    transform.m_offset = offset;
    transform.m_exact = exact;
    transform.m_fitted = false;
    return transform;
}

QRectF ViewTransform::fitBox() const {
    return m_fitBox.isEmpty() ? QRectF(0, 0, m_image.width, m_image.height) : m_fitBox;
}

double ViewTransform::fitZoom() const {
    if (m_image.empty() || m_pane.isEmpty()) return 1.0;
    const QRectF box = fitBox();
    return std::min({m_pane.width() / box.width(), m_pane.height() / box.height(), kMaxZoom});
}

double ViewTransform::minimumZoom() const {
    if (m_image.empty()) return 1.0;
    const double small = kSmallestPicture / std::max(m_image.width, m_image.height);
    return std::min({1.0, small, fitZoom()});
}

double ViewTransform::clampedZoom(double zoom) const {
    if (!std::isfinite(zoom)) return m_zoom;
    return std::clamp(zoom, minimumZoom(), kMaxZoom);
}

void ViewTransform::setImageSize(Size size) {
    if (size == m_image) return;
    m_image = size;
    m_fitBox = {};
    fit();
}

void ViewTransform::setFitBox(const QRectF& box) {
    if (box == m_fitBox) return;
    m_fitBox = box;
    if (m_fitted) refit();
}

void ViewTransform::setPaneSize(QSize size) {
    if (size == m_pane) return;
    const QPointF middle(size.width() / 2.0 - m_pane.width() / 2.0,
                         size.height() / 2.0 - m_pane.height() / 2.0);
    m_pane = size;
    if (m_fitted) {
        refit();
    } else {
        m_offset += middle;
        keepInSight();
    }
}

void ViewTransform::fit() {
    m_topMoved = 0;
    refit();
}

void ViewTransform::refit() {
    m_fitted = true;
    m_zoom = fitZoom();
    const double free = std::max(0.0, m_pane.height() - fitBox().height() * m_zoom);
    const double up = std::clamp(double(m_topMoved), -free, free);
    m_offset = paneCenter() - QPointF(0, up / 2) - fitBox().center() * m_zoom;
}

void ViewTransform::setZoom(double zoom, const QPointF& anchor) {
    const double wanted = clampedZoom(zoom);
    m_fitted = false;
    if (wanted == m_zoom) return;
    m_offset = anchor - (anchor - m_offset) * (wanted / m_zoom);
    m_zoom = wanted;
    keepInSight();
}

ViewTransform ViewTransform::movedBy(double factor, const QPointF& by) const {
    const double zoom = m_zoom * factor;
    return placed(m_image, m_pane, zoom, paneCenter() - (middle() + by) * zoom, m_exact);
}

ViewTransform ViewTransform::movedBack(double factor, const QPointF& by) const {
    return movedBy(1 / factor, -by);
}

void ViewTransform::panBy(const QPointF& by) {
    if (by.isNull()) return;
    const QPointF before = m_offset;
    m_offset += by;
    keepInSight();
    if (m_offset != before) m_fitted = false;
}

void ViewTransform::reveal(const QPoint& pixel) {
    const QPointF topLeft = toPane(pixel);
    const auto shift = [this](double at, double length) {
        if (at < 0) return -at;
        return std::min(0.0, length - (at + m_zoom));
    };
    panBy(QPointF(shift(topLeft.x(), m_pane.width()), shift(topLeft.y(), m_pane.height())));
}

void ViewTransform::centerOn(const QPoint& pixel, double leastZoom) {
    if (m_zoom < leastZoom) setZoom(leastZoom, toPane(pixel));
    panBy(paneCenter() - toPane(QPointF(pixel) + QPointF(0.5, 0.5)));
}

void ViewTransform::keepInSight() {
    m_offset.setX(keptInSight(m_offset.x(), m_image.width * m_zoom, m_pane.width()));
    m_offset.setY(keptInSight(m_offset.y(), m_image.height * m_zoom, m_pane.height()));
}

QPoint ViewTransform::offset() const {
    return {toInt(std::floor(m_offset.x() + 0.5)), toInt(std::floor(m_offset.y() + 0.5))};
}

QPointF ViewTransform::toImage(const QPointF& inPane) const {
    return (inPane - origin()) / m_zoom;
}

QPointF ViewTransform::toPane(const QPointF& inImage) const {
    return inImage * m_zoom + origin();
}

QRect ViewTransform::pixelRect(const QPoint& pixel) const {
    const QPointF topLeft = toPane(pixel);
    const QPointF bottomRight = toPane(pixel + QPoint(1, 1));
    return QRect(QPoint(firstPixelFrom(topLeft.x()), firstPixelFrom(topLeft.y())),
                 QPoint(firstPixelFrom(bottomRight.x()) - 1, firstPixelFrom(bottomRight.y()) - 1));
}

QRect ViewTransform::imageRect() const {
    const QPoint corner(firstPixelFrom(origin().x()), firstPixelFrom(origin().y()));
    const QPointF end = toPane(QPointF(m_image.width, m_image.height));
    return QRect(corner, QSize(std::max(1, firstPixelFrom(end.x()) - corner.x()),
                               std::max(1, firstPixelFrom(end.y()) - corner.y())));
}

bool ViewTransform::inSight() const {
    return imageRect().intersects(QRect(QPoint(0, 0), m_pane));
}

Rect ViewTransform::visible() const {
    if (m_image.empty() || m_pane.isEmpty()) return {};
    const QPointF first = toImage({0, 0});
    const QPointF last = toImage(QPointF(m_pane.width(), m_pane.height()));
    const int left = std::clamp(toInt(std::floor(first.x())), 0, m_image.width - 1);
    const int top = std::clamp(toInt(std::floor(first.y())), 0, m_image.height - 1);
    const int right = std::clamp(toInt(std::ceil(last.x())), left + 1, m_image.width);
    const int bottom = std::clamp(toInt(std::ceil(last.y())), top + 1, m_image.height);
    return {left, top, right - left, bottom - top};
}

QPoint ViewTransform::pixelAt(const QPointF& inPane) const {
    if (inPane.x() < 0 || inPane.x() >= m_pane.width()) return kNoPixel;
    // The device pixel's centre says which sample is drawn there.
    const QPointF at = toImage({std::floor(inPane.x()) + 0.5, std::floor(inPane.y()) + 0.5});
    const QPoint pixel(int(std::floor(at.x())), int(std::floor(at.y())));
    return QRect(0, 0, m_image.width, m_image.height).contains(pixel) ? pixel : kNoPixel;
}

QPoint ViewTransform::nearestPixel(const QPointF& inImage, Size image) {
    const auto nearest = [](double at, int length) {
        return int(std::floor(std::clamp(at, 0.0, std::max(0.0, length - 1.0))));
    };
    return {nearest(inImage.x(), image.width), nearest(inImage.y(), image.height)};
}

double ViewTransform::nextZoomStep(double zoom, bool in) {
    // A zoom that stands on a step up to rounding counts as standing on it.
    constexpr double kSlack = 1e-6;
    const double power = std::exp2(std::floor(std::log2(zoom)));
    const double steps[] = {power * 0.75, power, power * 1.5, power * 2.0, power * 3.0};
    if (in) {
        for (const double step : steps)
            if (step > zoom * (1 + kSlack)) return step;
        return power * 4.0;
    }
    for (auto step = std::rbegin(steps); step != std::rend(steps); ++step)
        if (*step < zoom * (1 - kSlack)) return *step;
    return power * 0.5;
}

double ViewTransform::zoomTimes(double zoom, double factor) {
    const double to = zoom * factor;
    const bool crosses = (zoom < 1.0 && to > 1.0) || (zoom > 1.0 && to < 1.0);
    return crosses ? 1.0 : to;
}

Panes::Panes(QSize widget, double dpr, bool sideBySide) : m_dpr(dpr) {
    const QSize size(int(std::lround(widget.width() * dpr)),
                     int(std::lround(widget.height() * dpr)));
    m_all = {QRect(QPoint(0, 0), size)};
    if (!sideBySide) return;
    const int gap = std::max(1, int(std::lround(kPaneGap * dpr)));
    // Both equally wide; a pixel that cannot be halved goes to the gap.
    const int half = std::max(1, (size.width() - gap) / 2);
    m_all = {QRect(0, 0, half, size.height()), QRect(size.width() - half, 0, half, size.height())};
}

const QRect& Panes::at(const QPointF& widgetPosition) const {
    return widgetPosition.x() * m_dpr >= m_all.back().left() ? m_all.back() : m_all.front();
}

QPointF Panes::toPane(const QPointF& widgetPosition) const {
    return widgetPosition * m_dpr - at(widgetPosition).topLeft();
}

}  // namespace warpscope::gui
