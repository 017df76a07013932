#include "gui/display/comparison.h"

#include <algorithm>
#include <cstring>

namespace warpscope::gui {
namespace {

constexpr int kMostDiffering = 4096;  // places that are marked and walked through

template <class T>
bool sameValue(T a, T b) {
    return a == b || (a != a && b != b);  // NaN is NaN
}

// Rows whose bytes are alike are the rule and cost little.
std::vector<QPoint> differingPixels(const Image& a, const Image& b) {
    std::vector<QPoint> found;
    if (a.size() != b.size() || a.format() != b.format()) return found;
    const auto rowBytes = std::size_t(a.width()) * std::size_t(bytesPerPixel(a.format()));
    visitSampleType(a.format(), [&]<class T>() {
        const auto first = a.view<T>();
        const auto second = b.view<T>();
        for (int y = 0; y < a.height() && int(found.size()) < kMostDiffering; ++y) {
            if (std::memcmp(a.rowBytes(y), b.rowBytes(y), rowBytes) == 0) continue;
            const T* p = first.row(y);
            const T* q = second.row(y);
            for (int x = 0; x < a.width() && int(found.size()) < kMostDiffering; ++x)
                for (int c = 0; c < first.channels; ++c)
                    if (!sameValue(p[x * first.channels + c], q[x * first.channels + c])) {
                        found.push_back({x, y});
                        break;
                    }
        }
    });
    return found;
}

}  // namespace

bool takesRegion(const Comparison& comparison, Size source) {
    const PyramidPtr& first = comparison.commonFirst ? comparison.commonFirst : comparison.first;
    return first && first->levels.front().size() == source;
}

Result<Comparison> prepareComparison(const Image& a, const Image& b, const QString& labelA,
                                     const QString& labelB, const std::stop_token& stop) {
    const CpuContext context{Threading::AllCores, stop, {}};
    auto first = buildPyramid(a, context);
    if (!first) return fail(first.error());
    auto second = buildPyramid(b, context);
    if (!second) return fail(second.error());
    return comparisonOf(std::make_shared<const Pyramid>(std::move(*first)),
                        std::make_shared<const Pyramid>(std::move(*second)), labelA, labelB, stop);
}

Result<Comparison> comparisonOf(const PyramidPtr& a, const PyramidPtr& b, const QString& labelA,
                                const QString& labelB, const std::stop_token& stop) {
    Comparison made{a, b, labelA, labelB, {}, {}, {}, {}};
    Image first = a->levels.front(), second = b->levels.front();
    if (first.format() != second.format()) return made;
    if (first.size() != second.size()) {
        const Rect common{0, 0, std::min(first.width(), second.width()),
                          std::min(first.height(), second.height())};
        first = first.crop(common);
        second = second.crop(common);
        const CpuContext context{Threading::AllCores, stop, {}};
        for (const auto& [image, to] :
             {std::pair{first, &made.commonFirst}, std::pair{second, &made.commonSecond}}) {
            auto pyramid = buildPyramid(image, context);
            if (!pyramid) return fail(pyramid.error());
            *to = std::make_shared<const Pyramid>(std::move(*pyramid));
        }
    }
    made.agreement = compareImages(first, second, AgreementRule{});
    made.differing = differingPixels(first, second);
    return made;
}

}  // namespace warpscope::gui
