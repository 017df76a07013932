#include "gui/canvas/line_profile.h"

#include <algorithm>
#include <cmath>

namespace warpscope::gui {

LineProfile profileAlong(const Image& image, const QLineF& line, int most) {
    LineProfile profile;
    profile.length = line.length();
    if (image.isNull()) return profile;
    const int count = std::clamp(int(std::lround(profile.length)) + 1, 2, std::max(2, most));
    profile.values.reserve(std::size_t(count));
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int i = 0; i < count; ++i) {
            const QPointF at = line.pointAt(i / double(count - 1));
            const int x = std::clamp(int(std::floor(at.x())), 0, view.width - 1);
            const int y = std::clamp(int(std::floor(at.y())), 0, view.height - 1);
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            profile.values.push_back(view.channels == 1
                                         ? double(p[0])
                                         : 0.299 * double(p[0]) + 0.587 * double(p[1]) +
                                               0.114 * double(p[2]));
        }
    });
    return profile;
}

}  // namespace warpscope::gui
