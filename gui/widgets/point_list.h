// The rules of editing the points of a curve, for every place where that is done. `spec` gives the
// range of both axes, the least distance between points (`step`) and how many there may be.
#pragma once

#include <optional>

#include "engine/operations/parameters.h"

namespace warpscope::gui {

// For editing points by hand: one level, or a hundredth of the range where that is less.
ParamSpec pointEditing(const ParamSpec& spec);

// As near to `wanted` as the neighbours of that point let it be.
CurvePoint betweenNeighbours(const PointList& points, int index, CurvePoint wanted,
                             const ParamSpec& spec);

// Where the new point stands in the list; -1: there is no room for it.
int addPoint(PointList& points, CurvePoint point, const ParamSpec& spec);

// False where so few are left that none may go.
bool removePoint(PointList& points, int index, const ParamSpec& spec);

std::optional<CurvePoint> middleOfWidestGap(const PointList& points);

}  // namespace warpscope::gui
