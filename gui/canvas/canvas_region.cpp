// The region of interest and the line of a profile: geometry, mouse and keys.
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "gui/canvas/canvas_state.h"
#include "gui/canvas/profile_chart.h"

namespace warpscope::gui {
namespace {

constexpr double kHandleReach = 8.0;    // logical pixels from a handle's middle, as those below
constexpr double kEdgeHandleFrom = 40;  // shorter edges have no handle of their own
constexpr double kMoveHandleFrom = 56;
constexpr int kLongStep = 10;

// Clamped to the image by moving, so that a moved region keeps its size.
Rect movedInto(Rect rect, Size image) {
    rect.x = std::clamp(rect.x, 0, std::max(0, image.width - rect.width));
    rect.y = std::clamp(rect.y, 0, std::max(0, image.height - rect.height));
    return intersect(rect, {0, 0, image.width, image.height});
}

Rect between(const QPoint& a, const QPoint& b) {
    const int left = std::min(a.x(), b.x());
    const int top = std::min(a.y(), b.y());
    return {left, top, std::abs(a.x() - b.x()) + 1, std::abs(a.y() - b.y()) + 1};
}

QPoint pixelOf(const QPointF& at, Size image) {
    return {std::clamp(int(std::floor(at.x())), 0, image.width - 1),
            std::clamp(int(std::floor(at.y())), 0, image.height - 1)};
}

QPoint arrowOf(int key) {
    return {(key == Qt::Key_Right) - (key == Qt::Key_Left),
            (key == Qt::Key_Down) - (key == Qt::Key_Up)};
}

}  // namespace

void Canvas::setRegion(const std::optional<Rect>& region) {
    if (region == m_state->region) return;
    m_state->region = region;
    m_state->updateCursorShape();
    update();
}

void Canvas::selectRegion() {
    if (!m_state->isEmpty() && !m_state->comparison) m_state->makeRegion();
}

void Canvas::dropRegion() {
    m_state->editRegion(std::nullopt);
}

void Canvas::toggleProfileLine() {
    if (!m_state->isEmpty()) m_state->toggleLine();
}

std::optional<Rect> Canvas::region() const {
    return m_state->region;
}

std::optional<QLineF> Canvas::profileLine() const {
    return m_state->line;
}

QRectF Canvas::State::regionOnPane() const {
    if (!region || comparison) return {};
    const QPointF from = transform.toPane(QPointF(region->x, region->y));
    const QPointF to = transform.toPane(
        QPointF(double(region->x) + region->width, double(region->y) + region->height));
    return {from, to};
}

// As RegionHandle counts them; those without room are left out as far points.
std::vector<QPointF> Canvas::State::handlePoints() const {
    const QRectF r = regionOnPane();
    if (r.isEmpty()) return {};
    const QPointF far(-1e9, -1e9);
    const QPointF c = r.center();
    const bool wide = r.width() >= kEdgeHandleFrom * dpr;
    const bool high = r.height() >= kEdgeHandleFrom * dpr;
    const double room = std::min(r.width(), r.height());
    return {r.topLeft(),
            wide ? QPointF(c.x(), r.top()) : far,
            r.topRight(),
            high ? QPointF(r.right(), c.y()) : far,
            r.bottomRight(),
            wide ? QPointF(c.x(), r.bottom()) : far,
            r.bottomLeft(),
            high ? QPointF(r.left(), c.y()) : far,
            room >= kMoveHandleFrom * dpr ? c : far};
}

RegionHandle Canvas::State::handleAt(const QPointF& widgetPosition) const {
    const std::vector<QPointF> points = handlePoints();
    const QPointF at = toPane(widgetPosition);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF away = points[i] - at;
        if (std::max(std::abs(away.x()), std::abs(away.y())) <= kHandleReach * dpr)
            return RegionHandle(int(i));
    }
    return RegionHandle::None;
}

// In the pane in which the drag began, so that crossing the gap of side by side jumps nowhere.
QPointF Canvas::State::imageAt(const QPointF& widgetPosition) const {
    const QRect pane = paneAt(drag == DragKind::None ? widgetPosition : pressPosition);
    const QPointF at = transform.toImage(widgetPosition * dpr - pane.topLeft());
    const Size size = transform.imageSize();
    return {std::clamp(at.x(), 0.0, double(size.width)),
            std::clamp(at.y(), 0.0, double(size.height))};
}

void Canvas::State::dragRegion(const QPointF& widgetPosition) {
    const Size image = transform.imageSize();
    const QPoint to = pixelOf(imageAt(widgetPosition), image);
    if (drag == DragKind::Region) {
        editRegion(between(pixelOf(grabPoint, image), to));
        return;
    }
    if (!regionBefore) return;
    Rect r = *regionBefore;
    if (grabbed == RegionHandle::Move) {
        const QPoint by = to - pixelOf(grabPoint, image);
        r.x += by.x();
        r.y += by.y();
        editRegion(movedInto(r, image));
        return;
    }
    // The opposite corner or edge stays.
    QPoint near(r.x, r.y);
    QPoint far(r.x + r.width - 1, r.y + r.height - 1);
    const RegionHandle h = grabbed;
    using H = RegionHandle;
    if (h == H::TopLeft || h == H::Left || h == H::BottomLeft) near.setX(to.x());
    if (h == H::TopRight || h == H::Right || h == H::BottomRight) far.setX(to.x());
    if (h == H::TopLeft || h == H::Top || h == H::TopRight) near.setY(to.y());
    if (h == H::BottomLeft || h == H::Bottom || h == H::BottomRight) far.setY(to.y());
    editRegion(between(near, far));
}

void Canvas::State::editRegion(const std::optional<Rect>& wanted) {
    const Size image = transform.imageSize();
    std::optional<Rect> next = wanted;
    if (next) next = intersect(*next, {0, 0, image.width, image.height});
    if (next && next->empty()) next.reset();
    if (next == region) return;
    region = next;
    q.update();
    emit q.regionEdited(region);
}

// Half of what is seen in each direction.
void Canvas::State::makeRegion() {
    const Rect seen = transform.visible();
    const int width = std::max(1, seen.width / 2);
    const int height = std::max(1, seen.height / 2);
    editRegion(Rect{seen.x + (seen.width - width) / 2, seen.y + (seen.height - height) / 2, width,
                    height});
}

bool Canvas::State::moveRegion(const QKeyEvent& event) {
    if (!region || comparison) return false;
    cancelHold();  // Shift belongs to the arrow
    const bool longStep = (event.modifiers() & Qt::ShiftModifier) != 0;
    const QPoint by = arrowOf(event.key()) * (longStep ? kLongStep : 1);
    Rect r = *region;
    if ((event.modifiers() & Qt::ControlModifier) != 0) {
        const Size image = transform.imageSize();
        r.width = std::clamp(r.width + by.x(), 1, image.width - r.x);
        r.height = std::clamp(r.height + by.y(), 1, image.height - r.y);
        editRegion(r);
        transform.reveal({r.x + r.width - 1, r.y + r.height - 1});
    } else {
        r.x += by.x();
        r.y += by.y();
        r = movedInto(r, transform.imageSize());
        editRegion(r);
        // The side that moves stays in sight.
        transform.reveal(
            {by.x() > 0 ? r.x + r.width - 1 : r.x, by.y() > 0 ? r.y + r.height - 1 : r.y});
    }
    viewChanged();
    return true;
}

// --- line ---

void Canvas::State::toggleLine() {
    if (line || lineWanted) {
        setLine(std::nullopt);
        return;
    }
    // Keys alone give a line too: across what is seen, through the pixel that is looked at.
    const Rect seen = transform.visible();
    const double y = cursorPixel == kNoPixel ? seen.y + seen.height / 2 : cursorPixel.y();
    setLine(QLineF(seen.x + 0.5, y + 0.5, seen.x + seen.width - 0.5, y + 0.5));
    lineWanted = true;
    updateCursorShape();
}

void Canvas::State::dragLine(const QPointF& widgetPosition) {
    const Size image = transform.imageSize();
    const QPointF half(0.5, 0.5);
    setLine(
        QLineF(pixelOf(grabPoint, image) + half, pixelOf(imageAt(widgetPosition), image) + half));
}

void Canvas::State::setLine(const std::optional<QLineF>& wanted) {
    if (!wanted) lineWanted = false;
    if (wanted == line) return;
    line = wanted;
    updateProfile();
    placeOverlays();
    updateCursorShape();
    q.update();
}

void Canvas::State::updateProfile() {
    if (!line) return;
    const auto imageOf = [](const SideRenderer& side) {
        return side.pyramid() && !side.pyramid()->levels.empty() ? side.pyramid()->levels.front()
                                                                 : Image();
    };
    const Image a = imageOf(first());
    const Image b = imageOf(second());
    const bool scaled = !a.isNull() && !b.isNull() && a.format() != b.format() &&
                        bytesPerSample(a.format()) != bytesPerSample(b.format());
    profile->setProfiles(profileAlong(a, *line), firstLabel(),
                         scaled ? fullScale(b.format()) / fullScale(a.format()) : 1.0,
                         b.isNull() ? LineProfile{} : profileAlong(b, *line), secondLabel());
}

}  // namespace warpscope::gui
