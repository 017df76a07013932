// Where the canvas's pictures come from: a thread draws them, and until they are there the last
// ones stand in, moved and scaled.
#include <algorithm>

#include "gui/canvas/canvas.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

FrameStyle Canvas::frameStyle() const {
    const ThemeColors& colors = Theme::instance().colors();
    return {colors.canvas.rgb(), colors.checkerLight.rgb(), colors.checkerDark.rgb(),
            Theme::instance().figureFont(), m_panes.dpr()};
}

std::vector<Canvas::Layer> Canvas::layers() const {
    const FrameStyle style = frameStyle();
    const QRect& whole = m_panes.first();
    // Until there is a result the source stands in for it, and the sign says so.
    const SideRenderer& before = m_pair.first();
    const SideRenderer& after = m_heldSource || m_pair.second().isNull() ? before : m_pair.second();
    const auto alone = [&](const SideRenderer& side, const QRect& pane) {
        const LaidOver view = LaidOver::asItIs(viewIn(pane).transform());
        return Layer{&side, side.key(view, style), pane.topLeft(), pane};
    };
    const bool stays = &after == &before || m_pair.isAsSource();
    const auto over = stays ? std::nullopt : laidOver(m_view.transform(), m_pair.secondPlace());
    const auto ofSource = [&](const SideRenderer& side, const QRect& part) {
        const LaidOver view = LaidOver::asItIs(m_view.transform());
        return Layer{&side, side.key(view, style), whole.topLeft(), part};
    };
    // The result in the source's pixels. Where that is impossible the notice says so.
    const auto overSource = [&](const QRect& part) {
        if (over) return Layer{&after, after.key(*over, style), whole.topLeft(), part};
        return ofSource(stays ? after : before, part);
    };
    switch (m_heldSource && m_mode != ViewMode::SideBySide ? ViewMode::Source : m_mode) {
        case ViewMode::Source:
            return {alone(before, whole)};
        case ViewMode::Result:
            return {alone(showsInput() ? m_handled : after, whole)};
        case ViewMode::Blink:
            // The one that is not seen now is ready for its turn.
            return {ofSource(before, m_blinkFirst ? whole : QRect()),
                    overSource(m_blinkFirst ? QRect() : whole)};
        case ViewMode::Difference: {
            // Where there is none: an empty frame.
            const SideRenderer& difference = m_pair.difference();
            const ResultPlace place = m_pair.differencePlace();
            const auto there =
                place == m_pair.firstPlace() ? std::nullopt : laidOver(m_view.transform(), place);
            if (!there) return {alone(difference, whole)};
            return {Layer{&difference, difference.key(*there, style), whole.topLeft(), whole}};
        }
        case ViewMode::SideBySide:
            return {alone(before, whole), alone(after, m_panes.all().back())};
        case ViewMode::Wipe: {
            const auto [near, far] = m_wipe.split(whole);
            return {ofSource(before, near), overSource(far)};
        }
    }
    return {};
}

void Canvas::paintPanes(QPainter& painter, bool onScreen) {
    const std::vector<Layer> wanted = layers();
    m_pictures.resize(wanted.size());
    bool complete = true;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Layer& layer = wanted[i];
        PicturePtr& picture = m_pictures[i];
        if (!picture || !picture->key.isSame(layer.key)) {
            // Whoever asks for the widget's picture gets it as it will be.
            if (!onScreen && !layer.part.isEmpty()) picture = layer.side->picture(layer.key);
            complete = complete && !onScreen;
        }
        if (!layer.part.isEmpty()) paintLayer(painter, layer, picture);
    }
    if (m_mode == ViewMode::SideBySide) {
        const QRect& left = m_panes.first();
        painter.fillRect(QRect(QPoint(left.right() + 1, 0),
                               QPoint(m_panes.all().back().left() - 1, left.bottom())),
                         Theme::instance().colors().border);
    }
    if (!complete) requestPictures(wanted);
}

void Canvas::paintLayer(QPainter& painter, const Layer& layer, const PicturePtr& picture) const {
    const QColor background = QColor::fromRgb(layer.key.style.background);
    if (!picture) return painter.fillRect(layer.part, background);
    const LaidOver& from = picture->key.view;
    const LaidOver& to = layer.key.view;
    if (from.isSame(to))
        return painter.drawImage(layer.part.topLeft(), *picture->image,
                                 layer.part.translated(-layer.at));
    // Where the pixels of the older picture lie now; those of another image lie where they were.
    QRectF place(layer.at, QSizeF(picture->image->size()));
    if (from.shown.imageSize() == to.shown.imageSize()) {
        const double scale = to.shown.zoom() / from.shown.zoom();
        place = QRectF(layer.at + to.shown.origin() - from.shown.origin() * scale,
                       place.size() * scale);
    }
    painter.save();
    painter.setClipRect(layer.part, Qt::IntersectClip);
    painter.fillRect(layer.part, background);
    painter.drawImage(place, *picture->image);
    painter.restore();
}

void Canvas::requestPictures(const std::vector<Layer>& wanted) {
    std::vector<PictureMaker::Wanted> missing;
    std::vector<PictureKey> keys;
    m_pictures.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Layer& layer = wanted[i];
        keys.push_back(layer.key);
        if (!m_pictures[i] || !m_pictures[i]->key.isSame(layer.key))
            missing.push_back({int(i), layer.side->drawing(layer.key)});
    }
    const auto same = [](const PictureKey& a, const PictureKey& b) { return a.isSame(b); };
    if (missing.empty() || std::ranges::equal(keys, m_asked, same)) return;
    m_asked = std::move(keys);
    m_askedNumber = m_maker.make(std::move(missing));
}

void Canvas::takePictures(const PictureMaker::Made& made) {
    if (made.number == m_askedNumber) m_asked.clear();
    const std::vector<Layer> wanted = layers();
    m_pictures.resize(wanted.size());
    QRegion changed;
    for (const PictureMaker::Picture& ready : made.pictures) {
        const auto slot = std::size_t(ready.slot);
        if (!ready.picture || slot >= wanted.size()) continue;
        const Layer& layer = wanted[slot];
        PicturePtr& picture = m_pictures[slot];
        if (picture && picture->key.isSame(layer.key)) continue;
        const bool sameView = picture && picture->key.view.isSame(ready.picture->key.view) &&
                              picture->key.style == ready.picture->key.style;
        picture = ready.picture;
        // Beside the image nothing is another than before.
        const QRect image = picture->key.view.shown.imageRect().translated(layer.at);
        changed += sameView ? image & layer.part : layer.part;
    }
    // Signs stand beside an image that lies out of the view, too.
    if (signs() != m_paintedSigns) return update();
    if (changed.isEmpty()) return;
    const double dpr = m_panes.dpr();
    for (const QRect& part : changed)
        update(QRectF(part.x() / dpr, part.y() / dpr, part.width() / dpr, part.height() / dpr)
                   .toAlignedRect());
}

bool Canvas::picturesAreReady() const {
    const std::vector<Layer> wanted = layers();
    return std::ranges::equal(wanted, m_pictures, [](const Layer& layer, const PicturePtr& made) {
        return made && made->key.isSame(layer.key);
    });
}

// --- frames ---

void Canvas::takeFrame(quint64 revision) {
    updateNavigator();
    // No paint comes before the window is seen again, or none shows it.
    if (!isSeen() || !showsResult()) {
        if (signs() != m_paintedSigns) update();
        return emit frameMissed(revision);
    }
    const std::vector<Layer> wanted = layers();
    std::uint64_t content = 0;
    for (const Layer& layer : wanted) content = std::max(content, layer.key.content);
    m_frames.push_back({content, revision});
    // Painted once they are there.
    if (picturesAreReady() || m_pair.isEmpty()) return update();
    requestPictures(wanted);
}

// What was painted is not older than its newest picture.
void Canvas::reportFrames() {
    std::uint64_t shown = 0;
    for (const PicturePtr& picture : m_pictures)
        if (picture) shown = std::max(shown, picture->key.content);
    std::optional<quint64> newest;
    while (!m_frames.empty() && (m_frames.front().content <= shown || !showsResult())) {
        newest = m_frames.front().revision;
        m_frames.pop_front();
    }
    if (!newest) return;
    if (showsResult())
        emit framePainted(*newest);
    else
        emit frameMissed(*newest);
}

}  // namespace warpscope::gui
