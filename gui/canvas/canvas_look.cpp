// Beside the picture itself: overview, values of false colours; and zooming to the region.
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas.h"
#include "gui/canvas/navigator.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kGap = 8;          // logical pixels
constexpr int kSignHeight = 32;  // of the captions in the corners
constexpr double kRegionShare = 0.95;
constexpr QSize kLeastView{320, 200};
constexpr double kBarWidth = 14;
constexpr double kBarHeight = 160;

}  // namespace

void Canvas::zoomToRegion() {
    if (!showsRegion()) return;
    const Rect there = mapped(m_view.imageFromSource(), *m_region.region());
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
        return;
    }
    const bool ofResult = m_mode == ViewMode::Result && m_pair.second().pyramid();
    const SideRenderer& side = showsInput() ? m_handled
                               : ofResult   ? m_pair.second()
                                            : m_pair.first();
    DisplayLook look;
    if (m_display && !side.image().isNull()) look = m_display->lookFor(side.image());
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

void Canvas::paintColorBar(QPainter& painter) const {
    if (!m_display || m_display->view().map == ColorMap::None || m_heldSource ||
        m_mode == ViewMode::Difference || height() < kLeastView.height())
        return;
    const bool ofSource = m_mode == ViewMode::Source || m_pair.second().image().isNull();
    const Image image = (ofSource ? m_pair.first() : m_pair.second()).image();
    if (image.isNull()) return;
    const DisplayLook look = m_display->lookFor(image);
    const DisplayRange range = look.range.value_or(knownNaturalRange(image));
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setFont(Theme::instance().figureFont());
    const QFontMetricsF metrics(painter.font());
    QStringList labels;
    double widest = 0;
    constexpr double kLevels[] = {1, 0.75, 0.5, 0.25, 0};
    for (const double level : kLevels) {
        labels << QString::number(valueAtLevel(level, image, range, look), 'g', 5);
        widest = std::max(widest, metrics.horizontalAdvance(labels.back()));
    }
    const double tall = std::min(kBarHeight, height() / 2.5);
    QRectF box(0, 0, kBarWidth + widest + 18, tall + metrics.height() + 4);
    box.moveBottomRight(QPointF(width() - kGap, height() - kGap - kSignHeight));
    QColor ground = colors.window;
    ground.setAlpha(215);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3, 3);
    const QRectF bar(box.right() - kBarWidth - 6, box.center().y() - tall / 2, kBarWidth, tall);
    QImage strip(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) {
        const ScreenColor c = colorsOf(look.view.map)[std::size_t(255 - i)];
        strip.setPixel(0, i, qRgb(c.r, c.g, c.b));
    }
    painter.drawImage(bar, strip);
    painter.setPen(colors.text);
    for (int i = 0; i < 5; ++i) {
        const double y = bar.bottom() - kLevels[i] * tall;
        painter.drawLine(QPointF(bar.left() - 3, y), QPointF(bar.left(), y));
        painter.drawText(QRectF(box.left(), y - metrics.height() / 2, bar.left() - box.left() - 6,
                                metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, labels[i]);
    }
    painter.restore();
}

}  // namespace warpscope::gui
