#include "gui/canvas/side_renderer.h"

#include <atomic>
#include <cmath>
#include <utility>

namespace warpscope::gui {
namespace {

std::uint64_t nextContentNumber() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

PictureContentPtr emptyContent() {
    PictureContent content;
    content.number = nextContentNumber();
    return std::make_shared<const PictureContent>(std::move(content));
}

PyramidPtr pyramidOfOne(const Image& image) {
    return std::make_shared<const Pyramid>(Pyramid{{image}});
}

}  // namespace

SideRenderer::SideRenderer()
    : m_content(emptyContent()), m_drawing(std::make_shared<SideDrawing>()) {}

template <class Change>
void SideRenderer::change(const Change& to) {
    PictureContent next = *m_content;
    to(next);
    next.number = nextContentNumber();
    m_content = std::make_shared<const PictureContent>(std::move(next));
}

void SideRenderer::setPyramid(PyramidPtr pyramid) {
    if (pyramid == m_content->pyramid) return;
    change([&](PictureContent& content) { content.pyramid = std::move(pyramid); });
    m_drawing->letGo();
}

void SideRenderer::setCompared(PyramidPtr other) {
    if (other == m_content->compared) return;
    change([&](PictureContent& content) { content.compared = std::move(other); });
    m_drawing->letGo();
}

void SideRenderer::setLook(const DisplayLook& look) {
    if (look == m_content->look) return;
    change([&](PictureContent& content) { content.look = look; });
}

void SideRenderer::setDraft(const DraftReady& draft) {
    if (draft.picture.isNull() || draft.rect.empty()) return;
    change([&](PictureContent& content) {
        content.draft = draft;
        content.draftPicture = pyramidOfOne(draft.picture);
    });
}

void SideRenderer::setComparedDraft(const DraftReady& draft) {
    dropDraft();
    const PyramidPtr& minus = m_content->compared;
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
    change([&](PictureContent& content) {
        content.draft = draft;
        content.draftPicture = pyramidOfOne(draft.picture);
        content.draftCompared = pyramidOfOne(whole.crop(place));
    });
}

void SideRenderer::dropDraft() {
    if (!m_content->draft) return;
    change([](PictureContent& content) {
        content.draft.reset();
        content.draftPicture.reset();
        content.draftCompared.reset();
    });
}

PictureKey SideRenderer::key(const LaidOver& view, const FrameStyle& style) const {
    return {m_content->number, view.isTurned() ? view : LaidOver::asItIs(view.upright), style};
}

SideRenderer::Drawing SideRenderer::drawing(const PictureKey& key) const {
    return [drawing = m_drawing, content = m_content, key] { return drawing->draw(content, key); };
}

}  // namespace warpscope::gui
