// Members of JSON objects, named once for both ways: a template `members(io, thing)` is given a
// Reader or a Writer.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/image/pixel_format.h"
#include "engine/measure/timing.h"
#include "engine/operations/parameters.h"

namespace warpscope {

enum class Need { Required, Nullable, Optional };

constexpr std::uint64_t kAnyWhole = std::numeric_limits<std::uint64_t>::max();

// JSON has no infinity and no NaN; null says "no such number".
nlohmann::ordered_json numberOrNull(double value);

// Members of one object into variables, which keep what they are where a member is null or may be
// missing. The first thing that is wrong is kept, and what is read after it does not matter.
class Reader {
  public:
    Reader(const nlohmann::json& object, std::string place, std::optional<Error>& error);

    void text(const char* key, std::string& to, Need need = Need::Required);
    std::string text(const char* key);
    void boolean(const char* key, bool& to);
    // For other readers: it follows from what is read anyway.
    void derived(const char*, bool) {}
    // Of any sign: decibels.
    void number(const char* key, double& to, Need need = Need::Required);
    void figure(const char* key, double& to, Need need = Need::Required);

    template <class Whole>
    void whole(const char* key, Whole& to, std::uint64_t low, std::uint64_t high,
               Need need = Need::Required) {
        const nlohmann::json* value = find(key, need);
        if (!value || (need != Need::Required && value->is_null())) return;
        const bool fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= low &&
                          value->get<std::uint64_t>() <= high;
        if (!fits)
            return wrong(key, fmt::format("must be a whole number from {} to {}", low, high));
        to = Whole(value->get<std::uint64_t>());
    }

    void place(const char* key, Place& to);
    void hash(const char* key, std::uint64_t& to);
    void format(const char* key, PixelFormat& to);
    void parameters(const char* key, ParamSet& to);

    // Unknown where the member is null or missing.
    void known(const char* key, std::string& to) {
        if (given(key)) text(key, to, Need::Optional);
    }
    void known(const char* key, std::optional<bool>& to) {
        if (given(key)) boolean(key, to.emplace());
    }
    void known(const char* key, std::optional<double>& to) {
        if (given(key)) figure(key, to.emplace(), Need::Optional);
    }
    template <class Whole>
    void known(const char* key, std::optional<Whole>& to) {
        constexpr auto kMost = std::uint64_t(std::numeric_limits<Whole>::max());
        if (given(key)) whole(key, to.emplace(), 0, kMost, Need::Optional);
    }
    void known(const char* key, std::optional<std::vector<std::string>>& to);
    // An object within this one, with members of its own.
    template <class Part>
    void part(const char* key, std::optional<Part>& to) {
        const nlohmann::json* object = given(key);
        if (!object) return;
        Reader inner(*object, m_place.empty() ? key : fmt::format("{}.{}", m_place, key), m_error);
        members(inner, to.emplace());
    }

    const nlohmann::json* find(const char* key, Need need = Need::Required);
    void wrong(std::string_view key, std::string_view what);

  private:
    const nlohmann::json* given(const char* key) {
        const nlohmann::json* value = find(key, Need::Optional);
        return value && !value->is_null() ? value : nullptr;
    }

    const nlohmann::json& m_object;
    std::string m_place;
    std::optional<Error>& m_error;
};

// The other way, under the same names.
struct Writer {
    // Figures of a row without samples are null: a 0 would read as infinitely fast.
    bool measured = true;
    nlohmann::ordered_json object = {};

    void text(const char* key, const std::string& value, Need = {}) { object[key] = value; }
    void boolean(const char* key, bool value) { object[key] = value; }
    void derived(const char* key, bool value) { object[key] = value; }
    void figure(const char* key, double value, Need = {}) {
        object[key] = measured ? numberOrNull(value) : nlohmann::ordered_json();
    }
    void whole(const char* key, auto value, std::uint64_t, std::uint64_t, Need = {}) {
        object[key] = value;
    }
    void place(const char* key, const Place& value) { object[key] = value.id(); }
    // As text: 64 bits do not fit in the numbers of every JSON reader.
    void hash(const char* key, std::uint64_t value) { object[key] = fmt::format("{:016x}", value); }
    void format(const char* key, PixelFormat value) {
        object[key] = std::string(formatName(value));
    }
    void parameters(const char* key, const ParamSet& value);

    // What is not known is left out.
    void known(const char* key, const std::string& value) {
        if (!value.empty()) object[key] = value;
    }
    template <class Value>
    void known(const char* key, const std::optional<Value>& value) {
        if (value) object[key] = *value;
    }
    template <class Part>
    void part(const char* key, const std::optional<Part>& value) {
        if (!value) return;
        Writer inner{true, nlohmann::ordered_json::object()};
        members(inner, *value);
        object[key] = std::move(inner.object);
    }
};

}  // namespace warpscope
