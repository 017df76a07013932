#include "gui/canvas/side_picture.h"

namespace warpscope::gui {
namespace {

// Of one side at most three are in use at a time: one on the screen, one on its way there, and one
// that is being drawn.
constexpr std::size_t kMostKeptPictures = 3;

}  // namespace

std::shared_ptr<QImage> PicturePool::take(QSize size) {
    std::unique_ptr<QImage> image;
    std::vector<std::unique_ptr<QImage>> outgrown;  // let go outside the lock
    {
        const std::lock_guard lock(m_kept->mutex);
        if (m_kept->size != size) {
            outgrown = std::exchange(m_kept->images, {});
            m_kept->size = size;
        }
        if (!m_kept->images.empty()) {
            image = std::move(m_kept->images.back());
            m_kept->images.pop_back();
        }
    }
    if (!image) image = std::make_unique<QImage>(size, QImage::Format_RGB32);
    if (image->isNull() && !size.isEmpty()) return nullptr;
    return {image.release(), [kept = m_kept](QImage* given) {
                std::unique_ptr<QImage> back(given);
                const std::lock_guard lock(kept->mutex);
                if (back->size() == kept->size && kept->images.size() < kMostKeptPictures)
                    kept->images.push_back(std::move(back));
            }};
}

}  // namespace warpscope::gui
