#include "gui/canvas/side_renderer.h"

#include <QRegion>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpscope::gui {
namespace {

constexpr int kCheckerSquare = 8;  // logical pixels

// Samples that `area` shows, with one more on each side for smooth drawing.
Rect samplesUnder(const QRect& area, const Placement& at, Size size) {
    const auto index = [](double device, double offset, double scale, int samples) {
        return int(std::clamp(std::floor((device - offset) / scale), 0.0, double(samples - 1)));
    };
    const int left = index(area.left(), at.offset.x(), at.scaleX, size.width);
    const int top = index(area.top(), at.offset.y(), at.scaleY, size.height);
    const int right = index(area.right() + 1, at.offset.x(), at.scaleX, size.width);
    const int bottom = index(area.bottom() + 1, at.offset.y(), at.scaleY, size.height);
    return intersect({left - 1, top - 1, right - left + 3, bottom - top + 3},
                     {0, 0, size.width, size.height});
}

// False: there is no memory for a screenful, and nothing was drawn.
bool drawPart(QImage& frame, const QRect& area, DisplayLevels& levels, int level, Placement at,
              Filter filter, const Checkerboard* board) {
    const Size size = levels.pyramid()->levels[std::size_t(level)].size();
    const auto part = levels.part(level, samplesUnder(area, at, size));
    if (!part) return false;
    at.offset += QPointF(part->x * at.scaleX, part->y * at.scaleY);
    drawSamples(frame, area, part->samples, at, filter, board);
    return true;
}

}  // namespace

void SideRenderer::setPyramid(PyramidPtr pyramid) {
    if (pyramid == m_levels.pyramid()) return;
    m_levels.setPyramid(std::move(pyramid));
    m_valid = false;
}

void SideRenderer::setCompared(PyramidPtr other) {
    if (other == m_levels.compared()) return;
    m_levels.setCompared(std::move(other));
    m_valid = false;
}

void SideRenderer::setLook(const DisplayLook& look) {
    if (look == m_look) return;
    m_look = look;
    m_levels.setLook(look);
    m_draftLevels.setLook(look);
    m_valid = false;
}

void SideRenderer::setDraft(const DraftReady& draft) {
    if (draft.picture.isNull() || draft.rect.empty()) return;
    m_draft = draft;
    m_draftLevels.setPyramid(std::make_shared<const Pyramid>(Pyramid{{draft.picture}}));
    m_valid = false;
}

void SideRenderer::setComparedDraft(const DraftReady& draft) {
    dropDraft();
    const PyramidPtr& minus = m_levels.compared();
    if (!minus || minus->levels.empty() || draft.picture.isNull() || draft.rect.empty()) return;
    // Drafts are made of a level of the source: the scale says of which, and its pixels fall on the
    // level's.
    const int level = std::max(0, int(std::lround(-std::log2(draft.scale))));
    if (level >= int(minus->levels.size())) return;
    const Image& whole = minus->levels[std::size_t(level)];
    const Rect place{draft.rect.x >> level, draft.rect.y >> level, draft.picture.width(),
                     draft.picture.height()};
    if (whole.format() != draft.picture.format() ||
        !contains({0, 0, whole.width(), whole.height()}, place))
        return;
    m_draft = draft;
    m_draftLevels.setPyramid(std::make_shared<const Pyramid>(Pyramid{{draft.picture}}));
    m_draftLevels.setCompared(std::make_shared<const Pyramid>(Pyramid{{whole.crop(place)}}));
    m_valid = false;
}

void SideRenderer::dropDraft() {
    if (!m_draft) return;
    m_draft.reset();
    m_draftLevels.setPyramid(nullptr);
    m_draftLevels.setCompared(nullptr);
    m_valid = false;
}

const QImage& SideRenderer::frame(const ViewTransform& transform, const FrameStyle& style) {
    const bool same = m_valid && m_style == style && m_frame.size() == transform.paneSize() &&
                      m_transform.imageSize() == transform.imageSize() &&
                      m_transform.zoom() == transform.zoom();
    const QPointF moved = transform.origin() - m_transform.origin();
    if (same && moved.isNull()) return m_frame;
    const QPoint by = moved.toPoint();
    m_transform = transform;
    m_style = style;
    if (m_frame.size() != transform.paneSize())
        m_frame = QImage(transform.paneSize(), QImage::Format_RGB32);
    // Grid and values are clipped at the pane's edge, so they are drawn anew.
    const bool grid = style.marks && transform.zoom() > kGridAbove + kZoomSlack;
    if (same && !grid && QPointF(by) == moved && std::abs(by.x()) < m_frame.width() &&
        std::abs(by.y()) < m_frame.height()) {
        move(by);
    } else {
        render(m_frame.rect());
        if (style.marks) drawMarks(m_frame, transform, style, {});
    }
    m_valid = true;
    return m_frame;
}

const QImage& SideRenderer::frame(const LaidOver& over, const FrameStyle& style) {
    if (!over.isTurned()) return frame(over.upright, style);
    FrameStyle plain = style;
    plain.marks = false;
    const QImage& upright = frame(over.upright, plain);
    if (m_turned.size() != over.shown.paneSize())
        m_turned = QImage(over.shown.paneSize(), QImage::Format_RGB32);
    // One step to the right and one down, in pixels of the upright picture.
    const PixelMap& map = over.uprightFromPane;
    const auto* from = reinterpret_cast<const QRgb*>(upright.constBits());
    const std::ptrdiff_t pitch = upright.bytesPerLine() / std::ptrdiff_t(sizeof(QRgb));
    const auto across = std::ptrdiff_t(map.xx) + std::ptrdiff_t(map.yx) * pitch;
    const auto down = std::ptrdiff_t(map.xy) + std::ptrdiff_t(map.yy) * pitch;
    const QPointF first = mapPoint(map, {0.5, 0.5});
    const auto begin = std::ptrdiff_t(first.x()) + std::ptrdiff_t(first.y()) * pitch;
    for (int y = 0; y < m_turned.height(); ++y) {
        auto* row = reinterpret_cast<QRgb*>(m_turned.scanLine(y));
        for (int x = 0; x < m_turned.width(); ++x) row[x] = from[begin + y * down + x * across];
    }
    drawMarks(m_turned, over.shown, style, over.imageFromShown);
    return m_turned;
}

void SideRenderer::drawMarks(QImage& frame, const ViewTransform& transform, const FrameStyle& style,
                             const PixelMap& imageFromShown) {
    if (isNull()) return;
    if (transform.zoom() > kGridAbove + kZoomSlack) drawPixelGrid(frame, transform);
    if (transform.zoom() >= kValuesFrom - kZoomSlack)
        m_values.draw(frame, transform, valueSources(), style.figures, style.dpr, imageFromShown);
}

void SideRenderer::move(QPoint by) {
    const int width = m_frame.width();
    const int height = m_frame.height();
    const std::size_t bytes = std::size_t(width - std::abs(by.x())) * sizeof(QRgb);
    const int from = std::max(0, -by.x());
    const int to = std::max(0, by.x());
    const int rows = height - std::abs(by.y());
    for (int i = 0; i < rows; ++i) {
        // Against the direction of movement, so that no row is overwritten before it is read.
        const int y = by.y() > 0 ? height - 1 - i : i;
        const auto* source = reinterpret_cast<const QRgb*>(m_frame.constScanLine(y - by.y()));
        std::memmove(reinterpret_cast<QRgb*>(m_frame.scanLine(y)) + to, source + from, bytes);
    }
    if (by.y() != 0) render(QRect(0, by.y() > 0 ? 0 : height + by.y(), width, std::abs(by.y())));
    if (by.x() != 0) render(QRect(by.x() > 0 ? 0 : width + by.x(), 0, std::abs(by.x()), height));
}

void SideRenderer::render(const QRect& area) {
    const QRect inside = area & m_transform.imageRect();
    const QRect draft = renderDraft(inside);
    // What the draft covers is not drawn beneath it as well.
    for (const QRect& part : QRegion(inside).subtracted(draft))
        if (!renderImage(part)) fill(part);
    for (const QRect& part : QRegion(area).subtracted(inside)) fill(part);
}

void SideRenderer::fill(const QRect& area) {
    for (int y = area.top(); y <= area.bottom(); ++y) {
        QRgb* row = reinterpret_cast<QRgb*>(m_frame.scanLine(y));
        std::fill(row + area.left(), row + area.right() + 1, m_style.background | 0xff000000u);
    }
}

Checkerboard SideRenderer::checkerboard() const {
    return {m_style.checkerLight, m_style.checkerDark,
            std::max(1, int(std::lround(kCheckerSquare * m_style.dpr))),
            m_transform.imageRect().topLeft()};
}

bool SideRenderer::renderImage(const QRect& area) {
    if (area.isEmpty() || m_levels.isNull()) return false;
    const double zoom = m_transform.zoom();
    const int level = m_levels.pyramid()->levelFor(zoom);
    const double scale = std::ldexp(zoom, level);
    const Checkerboard board = checkerboard();
    return drawPart(m_frame, area, m_levels, level, {m_transform.origin(), scale, scale},
                    zoom < 1.0 ? Filter::Smooth : Filter::Nearest,
                    m_levels.hasAlpha() ? &board : nullptr);
}

QRect SideRenderer::renderDraft(const QRect& area) {
    if (area.isEmpty() || !m_draft) return {};
    const Rect& rect = m_draft->rect;
    const Image& picture = m_draft->picture;
    const QPointF first = m_transform.toPane(QPointF(rect.x, rect.y));
    const QPointF last =
        m_transform.toPane(QPointF(double(rect.x) + rect.width, double(rect.y) + rect.height));
    const QRect covered(QPoint(firstPixelFrom(first.x()), firstPixelFrom(first.y())),
                        QPoint(firstPixelFrom(last.x()) - 1, firstPixelFrom(last.y()) - 1));
    const QRect clipped = area & covered;
    if (clipped.isEmpty()) return {};
    const double zoom = m_transform.zoom();
    const bool wholePixels = picture.width() >= rect.width && picture.height() >= rect.height;
    const Checkerboard board = checkerboard();
    // By the scale and not by the sides: of an odd side the last sample of the draft covers less
    // than it would have room for, as that of a level does.
    const double scale = zoom / m_draft->scale;
    const bool drawn = drawPart(m_frame, clipped, m_draftLevels, 0, {first, scale, scale},
                                zoom >= 1.0 && wholePixels ? Filter::Nearest : Filter::Smooth,
                                m_draftLevels.hasAlpha() ? &board : nullptr);
    return drawn ? clipped : QRect();
}

std::vector<ValueSource> SideRenderer::valueSources() const {
    std::vector<ValueSource> sources;
    if (!m_levels.isNull()) {
        const Size size = m_levels.size();
        const PyramidPtr& minus = m_levels.compared();
        sources.push_back({m_levels.image(), {0, 0, size.width, size.height}, exactImage(minus)});
    }
    if (m_draft) {
        // A reduced draft has no value for a pixel.
        const bool wholePixels = m_draft->picture.size() == m_draft->rect.size();
        const PyramidPtr& minus = m_draftLevels.compared();
        sources.push_back({wholePixels ? m_draft->picture : Image(), m_draft->rect,
                           minus && wholePixels ? minus->levels.front() : Image()});
    }
    return sources;
}

}  // namespace warpscope::gui
