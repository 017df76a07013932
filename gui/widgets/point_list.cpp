#include "gui/widgets/point_list.h"

#include <algorithm>

namespace warpscope::gui {

ParamSpec pointEditing(const ParamSpec& spec) {
    ParamSpec made = spec;
    made.step = std::min(spec.step, (spec.hardMax - spec.hardMin) / 100);
    return made;
}

CurvePoint betweenNeighbours(const PointList& points, int index, CurvePoint wanted,
                             const ParamSpec& spec) {
    const auto at = std::size_t(index);
    const double low = index > 0 ? points[at - 1].x + spec.step : spec.hardMin;
    const double high = at + 1 < points.size() ? points[at + 1].x - spec.step : spec.hardMax;
    // Points that were typed may lie nearer to each other than a step.
    wanted.x = low > high ? points[at].x : std::clamp(wanted.x, low, high);
    wanted.y = std::clamp(wanted.y, spec.hardMin, spec.hardMax);
    return wanted;
}

int addPoint(PointList& points, CurvePoint point, const ParamSpec& spec) {
    if (int(points.size()) >= spec.mostCount) return -1;
    const auto place = std::lower_bound(points.begin(), points.end(), point.x,
                                        [](const CurvePoint& p, double x) { return p.x < x; });
    const int index = int(place - points.begin());
    const double low = place != points.begin() ? (place - 1)->x + spec.step : spec.hardMin;
    const double high = place != points.end() ? place->x - spec.step : spec.hardMax;
    if (low > high) return -1;
    points.insert(place, point);
    points[std::size_t(index)] = betweenNeighbours(points, index, point, spec);
    return index;
}

bool removePoint(PointList& points, int index, const ParamSpec& spec) {
    if (index < 0 || index >= int(points.size()) || int(points.size()) <= spec.leastCount)
        return false;
    points.erase(points.begin() + index);
    return true;
}

std::optional<CurvePoint> middleOfWidestGap(const PointList& points) {
    if (points.size() < 2) return std::nullopt;
    std::size_t widest = 0;
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
        if (points[i + 1].x - points[i].x > points[widest + 1].x - points[widest].x) widest = i;
    const CurvePoint &a = points[widest], &b = points[widest + 1];
    return CurvePoint{(a.x + b.x) / 2, (a.y + b.y) / 2};
}

}  // namespace warpscope::gui
