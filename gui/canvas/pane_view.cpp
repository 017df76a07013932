#include "gui/canvas/pane_view.h"

#include <algorithm>
#include <cmath>

namespace warpscope::gui {

QPointF PaneView::toPane(const QPointF& inSource) const {
    return m_transform.toPane(mapPoint(imageFromSource(), inSource));
}

QPointF PaneView::toSource(const QPointF& inPane) const {
    return mapPoint(m_sourceFromImage, m_transform.toImage(inPane));
}

Rect PaneView::visibleSource() const {
    if (!m_transform.inSight()) return {};
    return mapped(m_sourceFromImage, m_transform.visible());
}

ViewSpot PaneView::spot() const {
    if (m_transform.isFitted()) return {};
    return {sourceZoom(), mapPoint(m_sourceFromImage, m_transform.middle())};
}

PaneView PaneView::at(const ViewSpot& spot, Size source, QSize pane) {
    ViewTransform transform;
    transform.setImageSize(source);
    transform.setPaneSize(pane);
    transform.fit();
    if (!spot.zoom || source.empty()) return transform;
    transform.setZoom(*spot.zoom, transform.paneCenter());
    transform.panBy((transform.middle() - spot.middle) * transform.zoom());
    return transform;
}

PaneView PaneView::linkedTo(const ResultPlace& other) const {
    if (other == place()) return *this;
    const PixelMap otherFromImage = after(m_sourceFromImage, inverse(other.sourceFromResult));
    const double zoom = m_transform.zoom() / lengthFactor(otherFromImage);
    const QPointF middle = mapPoint(otherFromImage, m_transform.middle());
    return {ViewTransform::placed(other.size, m_transform.paneSize(), zoom,
                                  m_transform.paneCenter() - middle * zoom, false),
            other.sourceFromResult};
}

PaneView PaneView::goneOverTo(const ResultPlace& other) const {
    if (other == place()) return *this;
    if (!m_transform.isFitted() && !m_transform.imageSize().empty()) {
        const PaneView linked = linkedTo(other);
        if (linked.transform().inSight()) return linked;
    }
    PaneView fitted(m_transform, other.sourceFromResult);
    fitted.transform().setImageSize(other.size);
    fitted.transform().fit();
    return fitted;
}

QRectF boxOfBoth(Size source, const ResultPlace& result) {
    const QPointF middle(source.width / 2.0, source.height / 2.0);
    const PixelMap resultFromSource = inverse(result.sourceFromResult);
    const QPointF resultMiddle = mapPoint(resultFromSource, middle);
    const double factor = lengthFactor(result.sourceFromResult);
    // The result upright, as large as its part of the source and around the same middle.
    const double across = std::max(resultMiddle.x(), result.size.width - resultMiddle.x());
    const double down = std::max(resultMiddle.y(), result.size.height - resultMiddle.y());
    const QPointF reach(std::max(middle.x(), across * factor), std::max(middle.y(), down * factor));
    return {middle - reach, middle + reach};
}

std::optional<LaidOver> laidOver(const ViewTransform& source, const ResultPlace& place) {
    if (!place.sourceFromResult.keepsPixels()) return std::nullopt;
    const PixelMap resultFromSource = inverse(place.sourceFromResult);
    const Rect box = mapped(place.sourceFromResult, {0, 0, place.size.width, place.size.height});
    const QSize pane = source.paneSize();
    const double zoom = source.zoom();
    LaidOver over;
    over.shown = ViewTransform::placed(box.size(), pane, zoom,
                                       source.origin() + QPointF(box.x, box.y) * zoom, true);
    over.imageFromShown =
        after(PixelMap{1, 0, double(box.x), 0, 1, double(box.y)}, resultFromSource);
    PixelMap turn = resultFromSource;
    turn.dx = turn.dy = 0;
    const Rect turned = mapped(turn, {0, 0, pane.width(), pane.height()});
    turn.dx = -turned.x;
    turn.dy = -turned.y;
    over.uprightFromPane = turn;
    const QPointF shift(resultFromSource.dx, resultFromSource.dy);
    over.upright = ViewTransform::placed(place.size, QSize(turned.width, turned.height), zoom,
                                         mapPoint(turn, source.origin()) - shift * zoom, true);
    return over;
}

}  // namespace warpscope::gui
