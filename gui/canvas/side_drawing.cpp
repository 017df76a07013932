#include "gui/canvas/side_drawing.h"

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

PicturePtr SideDrawing::draw(const PictureContentPtr& content, const PictureKey& key) {
    const std::lock_guard lock(m_mutex);
    if (m_last && m_last->key.isSame(key)) return m_last;
    take(content);
    m_last = key.view.isTurned() ? turned(key) : upright(key.view.upright, key.style);
    if (m_letGo.exchange(false)) forget();
    return m_last;
}

void SideDrawing::letGo() {
    m_letGo = true;
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (lock && m_letGo.exchange(false)) forget();
}

void SideDrawing::forget() {
    m_content.reset();
    for (DisplayLevels* levels : {&m_levels, &m_draftLevels}) {
        levels->setPyramid(nullptr);
        levels->setCompared(nullptr);
    }
}

void SideDrawing::take(const PictureContentPtr& content) {
    if (m_content && m_content->number == content->number) return;
    // What is the same as before keeps what was converted of it.
    if (content->pyramid != m_levels.pyramid()) m_levels.setPyramid(content->pyramid);
    if (content->compared != m_levels.compared()) m_levels.setCompared(content->compared);
    if (content->draftPicture != m_draftLevels.pyramid())
        m_draftLevels.setPyramid(content->draftPicture);
    if (content->draftCompared != m_draftLevels.compared())
        m_draftLevels.setCompared(content->draftCompared);
    m_levels.setLook(content->look);
    m_draftLevels.setLook(content->look);
    m_content = content;
}

PicturePtr SideDrawing::upright(const ViewTransform& transform, const FrameStyle& style) {
    const PictureKey key{m_content->number, LaidOver::asItIs(transform), style};
    if (m_upright && m_upright->key.isSame(key)) return m_upright;
    const auto image = m_pool.take(transform.paneSize());
    if (!image) return nullptr;
    m_frame = image.get();
    m_transform = transform;
    m_style = style;
    // Grid and values are clipped at the pane's edge, so they are drawn anew.
    const bool grid = style.marks && transform.zoom() > kGridAbove + kZoomSlack;
    const ViewTransform* before = m_upright ? &m_upright->key.view.upright : nullptr;
    const QPointF moved = before ? transform.origin() - before->origin() : QPointF();
    const QPoint by = moved.toPoint();
    if (before && !grid && m_upright->key.content == key.content && m_upright->key.style == style &&
        before->paneSize() == transform.paneSize() &&
        before->imageSize() == transform.imageSize() && before->zoom() == transform.zoom() &&
        QPointF(by) == moved && std::abs(by.x()) < image->width() &&
        std::abs(by.y()) < image->height()) {
        copyMoved(*m_upright->image, by);
    } else {
        render(image->rect());
        if (style.marks) drawMarks(*image, transform, style, {});
    }
    m_frame = nullptr;
    m_upright = std::make_shared<const SidePicture>(SidePicture{key, image});
    return m_upright;
}

PicturePtr SideDrawing::turned(const PictureKey& key) {
    FrameStyle plain = key.style;
    plain.marks = false;
    const PicturePtr picture = upright(key.view.upright, plain);
    const auto image = m_turnedPool.take(key.view.shown.paneSize());
    if (!picture || !image) return nullptr;
    // One step to the right and one down, in pixels of the upright picture.
    const PixelMap& map = key.view.uprightFromPane;
    const auto* from = reinterpret_cast<const QRgb*>(picture->image->constBits());
    const std::ptrdiff_t pitch = picture->image->bytesPerLine() / std::ptrdiff_t(sizeof(QRgb));
    const auto across = std::ptrdiff_t(map.xx) + std::ptrdiff_t(map.yx) * pitch;
    const auto down = std::ptrdiff_t(map.xy) + std::ptrdiff_t(map.yy) * pitch;
    const QPointF first = mapPoint(map, {0.5, 0.5});
    const auto begin = std::ptrdiff_t(first.x()) + std::ptrdiff_t(first.y()) * pitch;
    for (int y = 0; y < image->height(); ++y) {
        auto* row = reinterpret_cast<QRgb*>(image->scanLine(y));
        for (int x = 0; x < image->width(); ++x) row[x] = from[begin + y * down + x * across];
    }
    drawMarks(*image, key.view.shown, key.style, key.view.imageFromShown);
    return std::make_shared<const SidePicture>(SidePicture{key, image});
}

void SideDrawing::drawMarks(QImage& frame, const ViewTransform& transform, const FrameStyle& style,
                            const PixelMap& imageFromShown) {
    if (m_levels.isNull() && !m_content->draft) return;
    if (transform.zoom() > kGridAbove + kZoomSlack) drawPixelGrid(frame, transform);
    if (transform.zoom() >= kValuesFrom - kZoomSlack)
        m_values.draw(frame, transform, valueSources(), style.figures, style.dpr, imageFromShown);
}

void SideDrawing::copyMoved(const QImage& before, QPoint by) {
    const int width = m_frame->width();
    const int height = m_frame->height();
    const std::size_t bytes = std::size_t(width - std::abs(by.x())) * sizeof(QRgb);
    const int from = std::max(0, -by.x());
    const int to = std::max(0, by.x());
    for (int y = std::max(0, by.y()); y < height + std::min(0, by.y()); ++y) {
        const auto* source = reinterpret_cast<const QRgb*>(before.constScanLine(y - by.y()));
        std::memcpy(reinterpret_cast<QRgb*>(m_frame->scanLine(y)) + to, source + from, bytes);
    }
    if (by.y() != 0) render(QRect(0, by.y() > 0 ? 0 : height + by.y(), width, std::abs(by.y())));
    if (by.x() != 0) render(QRect(by.x() > 0 ? 0 : width + by.x(), 0, std::abs(by.x()), height));
}

void SideDrawing::render(const QRect& area) {
    const QRect inside = area & m_transform.imageRect();
    const QRect draft = renderDraft(inside);
    // What the draft covers is not drawn beneath it as well.
    for (const QRect& part : QRegion(inside).subtracted(draft))
        if (!renderImage(part)) fill(part);
    for (const QRect& part : QRegion(area).subtracted(inside)) fill(part);
}

void SideDrawing::fill(const QRect& area) {
    for (int y = area.top(); y <= area.bottom(); ++y) {
        QRgb* row = reinterpret_cast<QRgb*>(m_frame->scanLine(y));
        std::fill(row + area.left(), row + area.right() + 1, m_style.background | 0xff000000u);
    }
}

Checkerboard SideDrawing::checkerboard() const {
    return {m_style.checkerLight, m_style.checkerDark,
            std::max(1, int(std::lround(kCheckerSquare * m_style.dpr))),
            m_transform.imageRect().topLeft()};
}

bool SideDrawing::renderImage(const QRect& area) {
    if (area.isEmpty() || m_levels.isNull()) return false;
    const double zoom = m_transform.zoom();
    // The largest image of a result that is outdated may be gone.
    const int finest = m_levels.image().isNull() ? 1 : 0;
    const int level = std::max(finest, m_levels.pyramid()->levelFor(zoom));
    const double scale = std::ldexp(zoom, level);
    const Checkerboard board = checkerboard();
    return drawPart(*m_frame, area, m_levels, level, {m_transform.origin(), scale, scale},
                    zoom < 1.0 || finest > 0 ? Filter::Smooth : Filter::Nearest,
                    m_levels.hasAlpha() ? &board : nullptr);
}

QRect SideDrawing::renderDraft(const QRect& area) {
    if (area.isEmpty() || !m_content->draft) return {};
    const Rect& rect = m_content->draft->rect;
    const Image& picture = m_content->draft->picture;
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
    const double scale = zoom / m_content->draft->scale;
    const bool drawn = drawPart(*m_frame, clipped, m_draftLevels, 0, {first, scale, scale},
                                zoom >= 1.0 && wholePixels ? Filter::Nearest : Filter::Smooth,
                                m_draftLevels.hasAlpha() ? &board : nullptr);
    return drawn ? clipped : QRect();
}

std::vector<ValueSource> SideDrawing::valueSources() const {
    std::vector<ValueSource> sources;
    if (!m_levels.isNull()) {
        const Size size = m_levels.size();
        const PyramidPtr& minus = m_levels.compared();
        sources.push_back({m_levels.image(), {0, 0, size.width, size.height}, exactImage(minus)});
    }
    if (m_content->draft) {
        // A reduced draft has no value for a pixel.
        const bool wholePixels = m_content->draft->picture.size() == m_content->draft->rect.size();
        const PyramidPtr& minus = m_draftLevels.compared();
        sources.push_back({wholePixels ? m_content->draft->picture : Image(),
                           m_content->draft->rect,
                           minus && wholePixels ? minus->levels.front() : Image()});
    }
    return sources;
}

}  // namespace warpscope::gui
