// Finding an operation by what people type: part of its name, of its id, of what it does, or just
// some letters of its name in their order.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope::gui {

// How well an operation fits, higher is better; empty if a word of the query is nowhere. An empty
// query fits everything alike.
std::optional<int> searchScore(const QString& query, const OperationDescription& description);

// What people call it who do not know its name, or what they want with it; in their language.
QString everydayWords(const std::string& id);

// Why an operation cannot take images of that format: "takes no float samples"; empty if it can.
QString refusal(const OperationDescription& description, PixelFormat format);

// The filters of the registry that fit, best first; without a query by category, in the order of
// the registry.
std::vector<const Operation*> searchFilters(const QString& query);

}  // namespace warpscope::gui
