#include "engine/report/svg_text.h"

#include <cstddef>
#include <cstdint>

namespace warpscope {
namespace {

// Length of the UTF-8 sequence at the start of the text; 0 if there is none. Overlong forms,
// surrogates and what XML forbids (U+FFFE, U+FFFF) are none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) { return std::uint32_t(std::uint8_t(text[i])); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
    std::uint32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return 0;
        code = (code << 6) | (byte(i) & 0x3F);
    }
    const std::uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool forbidden = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code < least || surrogate || forbidden ? 0 : length;
}

}  // namespace

std::string svgEscaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = sequenceLength(text);
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (length == 0)
            out += "\xEF\xBF\xBD";
        else if (length > 1 || (std::uint8_t(c) >= 0x20 && c != 0x7F))
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

double svgTextWidth(std::string_view text) {
    double width = 0;
    for (const char c : text) {
        if ((std::uint8_t(c) & 0xC0) == 0x80) continue;  // inside a sequence
        if (std::string_view("ijlItf.,:;|'!()[] ").find(c) != std::string_view::npos)
            width += 0.37;
        else if (std::string_view("mwMW@%").find(c) != std::string_view::npos)
            width += 0.95;
        else
            width += c >= 'A' && c <= 'Z' ? 0.7 : 0.63;
    }
    return width;
}

}  // namespace warpscope
