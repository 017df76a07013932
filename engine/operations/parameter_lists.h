// Parameters that are more than a number or a name: point lists, matrices, the choice of an image.
// What parameters.h promises of all kinds is done here for these.
#pragma once

#include <charconv>
#include <system_error>

#include "engine/operations/parameters.h"

namespace warpscope {

constexpr bool isList(ParamKind kind) {
    return kind == ParamKind::Points || kind == ParamKind::Matrix || kind == ParamKind::Image;
}

// What all kinds have.
ParamSpec specOf(ParamKind kind, NumberSpec number, std::string id, std::string label,
                 ParamValue defaultValue, std::string help);

std::string listText(const ParamValue& value);
Result<ParamValue> checkList(const ParamSpec& spec, const ParamValue& value);
Result<ParamValue> parseList(const ParamSpec& spec, std::string_view word);

// Without white space at both ends.
std::string_view trimmed(std::string_view text);

// Reads the whole text or nothing. from_chars knows no locale: the decimal point is a point.
template <class T>
std::errc readNumber(std::string_view text, T& number) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && stop != end) return std::errc::invalid_argument;
    if (error == std::errc::result_out_of_range && stop != end) return std::errc::invalid_argument;
    return error;
}

}  // namespace warpscope
