// Beside the picture itself: overview, values of false colours; and zooming to the region.
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/canvas/canvas.h"
#include "gui/canvas/navigator.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {
namespace {

constexpr int kGap = 8;          // logical pixels
constexpr int kSignHeight = 32;  // of the captions in the corners
constexpr double kRegionShare = 0.95;
constexpr QSize kLeastView{320, 200};

}  // namespace

void Canvas::zoomToRegion() {
    if (!showsRegion()) return;
    zoomToSeen(mapped(m_view.imageFromSource(), *m_region.region()));
}

void Canvas::zoomTo(const QRectF& inSource) {
    if (m_pair.isEmpty() || m_pair.given()) return;
    const PixelMap map = m_view.imageFromSource();
    QPolygonF corners;
    for (const QPointF& corner : QPolygonF(inSource)) corners << mapPoint(map, corner);
    const QRect box = corners.boundingRect().toAlignedRect();
    zoomToSeen({box.x(), box.y(), box.width(), box.height()});
}

void Canvas::zoomToSeen(const Rect& there) {
    ViewTransform& transform = m_view.transform();
    const QSize pane = transform.paneSize();
    const double zoom = kRegionShare * std::min(double(pane.width()) / std::max(1, there.width),
                                                double(pane.height()) / std::max(1, there.height));
    transform.setZoom(std::min(zoom, kMaxZoom), transform.paneCenter());
    const QPointF middle(there.x + there.width / 2.0, there.y + there.height / 2.0);
    transform.panBy(transform.paneCenter() - transform.toPane(middle));
    viewChanged();
}

bool Canvas::unlinks(Qt::KeyboardModifiers modifiers) const {
    const auto both = Qt::ControlModifier | Qt::ShiftModifier;
    return m_mode == ViewMode::SideBySide && (modifiers & both) == both;
}

void Canvas::setApart(const PaneView& second) {
    const ViewTransform linked = linkedSecond().transform();
    const ViewTransform& there = second.transform();
    m_apart = {there.zoom() / linked.zoom(), there.middle() - linked.middle()};
}

void Canvas::setNavigatorShown(bool shown) {
    m_navigatorShown = shown;
    updateNavigator();
}

void Canvas::updateNavigator() {
    const ViewTransform& transform = m_view.transform();
    const Size image = transform.imageSize();
    const QPointF first = transform.toImage({0, 0});
    const QPointF last = transform.toImage(
        {double(transform.paneSize().width()), double(transform.paneSize().height())});
    const QRectF whole(0, 0, image.width, image.height);
    const QRectF seen(first, last);
    const bool shown = m_navigatorShown && !m_pair.isEmpty() && !image.empty() && !isFitted() &&
                       !seen.contains(whole) && width() >= kLeastView.width() &&
                       height() >= kLeastView.height();
    if (!shown) {
        m_navigator->hide();
        m_navigator->setPicture(nullptr, {});  // or it would keep an old result
        return;
    }
    const bool ofResult = m_mode == ViewMode::Result && m_pair.second().pyramid();
    const SideRenderer& side = showsInput() ? m_handled
                               : ofResult   ? m_pair.second()
                                            : m_pair.first();
    DisplayLook look;
    if (m_display && side.image().id() != 0) look = m_display->lookFor(side.image());
    m_navigator->setPicture(side.pyramid(), look);
    m_navigator->setSeen(seen & whole);
    const QSize size = m_navigator->sizeIn(this->size());
    m_navigator->setGeometry(width() - size.width() - kGap, kSignHeight + kGap, size.width(),
                             size.height());
    m_navigator->setVisible(!size.isEmpty());
}

void Canvas::centerOn(const QPointF& inImage) {
    ViewTransform& transform = m_view.transform();
    transform.panBy(transform.paneCenter() - transform.toPane(inImage));
    viewChanged();
}

void Canvas::setResultScale(const std::optional<ColorScale>& scale) {
    if (scale == m_resultScale) return;
    m_resultScale = scale;
    update();
}

std::optional<ColorScale> Canvas::colorScale() const {
    if (!m_display || m_heldSource || m_mode == ViewMode::Difference ||
        height() < kLeastView.height())
        return std::nullopt;
    // Samples may have been let go, and the picture with them where drafts lie elsewhere.
    Image image = m_pair.second().image();
    if (image.id() == 0 && m_pair.second().draft()) image = m_pair.second().draft()->picture;
    const bool ofSource = m_mode == ViewMode::Source || image.id() == 0;
    if (ofSource) image = m_pair.first().image();
    if (m_display->view().map != ColorMap::None) return viewScale(image);
    const bool blinksAway = m_mode == ViewMode::Blink && m_blinkFirst;
    if (ofSource || blinksAway || m_pair.given() || !m_resultScale) return std::nullopt;
    return asShown(*m_resultScale, image);
}

// The view's false colours of that image.
std::optional<ColorScale> Canvas::viewScale(const Image& image) const {
    if (image.id() == 0) return std::nullopt;
    const DisplayLook look = m_display->lookFor(image);
    if (areLabels(image.format(), look.view)) return std::nullopt;  // no order, no scale
    const DisplayRange range = look.range.value_or(knownNaturalRange(image));
    ColorScale scale;
    scale.colors = colorsOf(look.view.map);
    scale.whole = !isFloat(image.format());
    for (std::size_t i = 0; i < scale.values.size(); ++i)
        scale.values[i] = valueAtLevel(double(i) / 4, image, range, look);
    return scale;
}

// Colours of that image as they come on the screen: exposure, one channel or a profile change them.
ColorScale Canvas::asShown(const ColorScale& scale, const Image& image) const {
    const DisplayLook look = m_display->lookFor(image);
    auto row = MutableImage::create(PixelFormat::Rgba8, {int(scale.colors.size()), 1});
    if (!row) return scale;
    std::uint8_t* sample = row->view<std::uint8_t>().row(0);
    for (const ScreenColor& c : scale.colors) {
        *sample++ = c.r, *sample++ = c.g, *sample++ = c.b;
        *sample++ = 255;
    }
    const auto screen =
        toScreen(std::move(*row).freeze({}), look.range.value_or(knownNaturalRange(image)), look);
    if (!screen) return scale;
    ColorScale shown = scale;
    const int channels = isColor(screen->format()) ? 4 : 1;
    const std::uint8_t* at = screen->view<std::uint8_t>().row(0);
    for (ScreenColor& c : shown.colors) {
        c = channels == 1 ? ScreenColor{at[0], at[0], at[0]} : ScreenColor{at[0], at[1], at[2]};
        at += channels;
    }
    return shown;
}

void Canvas::paintColorBar(QPainter& painter) const {
    if (const auto scale = colorScale()) drawColorBar(painter, size(), *scale);
}

}  // namespace warpscope::gui
