#include "engine/pipeline/parameter_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

using Json = nlohmann::json;

tl::unexpected<Error> notAList() {
    return fail(ErrorCode::InvalidArgument,
                "must be a list of points [x, y] or of equally long rows of whole numbers");
}

bool isPoint(const Json& value) {
    return value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
}

Result<ParamValue> listFromJson(const Json& list) {
    if (list.empty()) return notAList();
    if (std::all_of(list.begin(), list.end(), isPoint)) {
        PointList points;
        for (const Json& point : list)
            points.push_back({point[0].get<double>(), point[1].get<double>()});
        return points;
    }
    IntMatrix matrix;
    for (const Json& row : list) {
        if (!row.is_array() || row.empty() || (matrix.columns && int(row.size()) != matrix.columns))
            return notAList();
        matrix.columns = int(row.size());
        for (const Json& entry : row) {
            if (!entry.is_number_integer()) return notAList();
            // Beyond 63 bits is beyond 31 too, whatever get() makes of it.
            const auto value = entry.is_number_unsigned() && entry.get<std::uint64_t>() > INT32_MAX
                                   ? std::int64_t(INT64_MAX)
                                   : entry.get<std::int64_t>();
            if (value < INT32_MIN || value > INT32_MAX) return notAList();
            matrix.values.push_back(std::int32_t(value));
        }
    }
    return matrix;
}

}  // namespace

nlohmann::ordered_json parameterToJson(const ParamValue& value) {
    using Ordered = nlohmann::ordered_json;
    if (const auto* points = std::get_if<PointList>(&value)) {
        Ordered list = Ordered::array();
        for (const CurvePoint& point : *points) list.push_back(Ordered::array({point.x, point.y}));
        return list;
    }
    if (const auto* matrix = std::get_if<IntMatrix>(&value)) {
        Ordered list = Ordered::array();
        for (int row = 0; row < matrix->rows(); ++row) {
            const auto first = matrix->values.begin() + std::ptrdiff_t(row) * matrix->columns;
            list.push_back(std::vector<std::int32_t>(first, first + matrix->columns));
        }
        return list;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::get<std::string>(value);
}

nlohmann::ordered_json parametersToJson(const ParamSet& parameters) {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [id, value] : parameters.values()) object[id] = parameterToJson(value);
    return object;
}

Result<ParamValue> parameterFromJson(const Json& value) {
    switch (value.type()) {
        case Json::value_t::number_integer:
            return value.get<std::int64_t>();
        case Json::value_t::number_unsigned: {
            const auto whole = value.get<std::uint64_t>();
            if (whole <= std::uint64_t(INT64_MAX)) return std::int64_t(whole);
            return double(whole);
        }
        case Json::value_t::number_float:
            return value.get<double>();
        case Json::value_t::string: {
            // A list as text is long; no choice has a name that would be changed or cut.
            const auto& text = value.get_ref<const std::string&>();
            const bool numbers = text.find_first_not_of("0123456789+-.e:; ") == std::string::npos;
            return numbers ? text : printable(text);
        }
        case Json::value_t::array:
            return listFromJson(value);
        default:
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("must be a number, a name or a list, is {}", value.type_name()));
    }
}

}  // namespace warpscope
