// What an analysis found, as text.
#pragma once

#include <string>
#include <string_view>

#include "engine/operations/operation.h"

namespace warpscope {

// A row a bin, a column a channel; first a column "value" (8 and 16 bits) or "from", the left edge
// of the bin (float and sums).
AnalysisTable tableFrom(const HistogramSet& set);

// "table": aligned columns with labels and units; a wide table of few rows is turned, a line a
// column.
// "csv": as RFC 4180 quotes, a heading of ids, lines end with a line feed.
// "json": {"columns": [{"id", "label", "unit"}], "rows": [{id: value}]}; what is not finite is
// null.
std::string analysisText(const AnalysisResult& result, std::string_view format);

}  // namespace warpscope
