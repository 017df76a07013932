#include "engine/report/json_members.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "engine/pipeline/parameter_json.h"
#include "engine/pipeline/strict_json.h"

namespace warpscope {

nlohmann::ordered_json numberOrNull(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

Reader::Reader(const nlohmann::json& object, std::string place, std::optional<Error>& error)
    : m_object(object), m_place(std::move(place)), m_error(error) {
    if (!object.is_object()) wrong("", "must be an object");
}

void Reader::text(const char* key, std::string& to, Need need) {
    const nlohmann::json* value = find(key, need);
    if (!value) return;
    if (!value->is_string()) return wrong(key, "must be a text");
    // Shown in tables and windows: no line breaks, no novels.
    to = printable(value->get_ref<const std::string&>(), 1024);
}

std::string Reader::text(const char* key) {
    std::string to;
    text(key, to);
    return to;
}

void Reader::boolean(const char* key, bool& to) {
    const nlohmann::json* value = find(key);
    if (!value) return;
    if (!value->is_boolean()) return wrong(key, "must be true or false");
    to = value->get<bool>();
}

void Reader::number(const char* key, double& to, Need need) {
    const nlohmann::json* value = find(key, need);
    if (!value || value->is_null()) return;
    if (!value->is_number()) return wrong(key, "must be a number or null");
    to = value->get<double>();
}

void Reader::figure(const char* key, double& to, Need need) {
    double value = 0;
    number(key, value, need);
    if (!std::isfinite(value) || value < 0) return wrong(key, "must not be negative");
    if (const nlohmann::json* given = find(key, need); given && !given->is_null()) to = value;
}

void Reader::place(const char* key, Place& to) {
    to = Place::fromId(text(key));
}

void Reader::hash(const char* key, std::uint64_t& to) {
    const std::string digits = text(key);
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, to, 16);
    if (read.ec != std::errc() || read.ptr != end)
        wrong(key, "must be a hexadecimal number of 64 bits");
}

void Reader::format(const char* key, PixelFormat& to) {
    const auto known = formatFromName(text(key));
    if (!known) return wrong(key, "is no pixel format");
    to = *known;
}

void Reader::parameters(const char* key, ParamSet& to) {
    const nlohmann::json* object = find(key);
    if (!object) return;
    if (!object->is_object()) return wrong(key, "must be an object");
    for (const auto& item : object->items()) {
        const std::string id = printable(item.key());
        if (auto value = parameterFromJson(item.value()))
            to.set(id, std::move(*value));
        else
            wrong(fmt::format("{}.{}", key, id), value.error().message);
    }
}

void Reader::known(const char* key, std::optional<std::vector<std::string>>& to) {
    const nlohmann::json* value = given(key);
    if (!value) return;
    if (!value->is_array()) return wrong(key, "must be a list of texts");
    to.emplace();
    for (const nlohmann::json& one : *value) {
        if (!one.is_string()) return wrong(key, "must be a list of texts");
        to->push_back(printable(one.get_ref<const std::string&>(), 1024));
    }
}

const nlohmann::json* Reader::find(const char* key, Need need) {
    if (m_error || !m_object.is_object()) return nullptr;
    const auto found = m_object.find(key);
    if (found != m_object.end()) return &*found;
    if (need != Need::Optional) wrong(key, "is missing");
    return nullptr;
}

void Reader::wrong(std::string_view key, std::string_view what) {
    if (m_error) return;
    const std::string dot = m_place.empty() || key.empty() ? "" : ".";
    std::string place = fmt::format("{}{}{}", m_place, dot, key);
    if (place.empty()) place = "the file";
    m_error = Error{ErrorCode::InvalidArgument, fmt::format("{} {}", place, what)};
}

void Writer::parameters(const char* key, const ParamSet& value) {
    object[key] = parametersToJson(value);
}

}  // namespace warpscope
