#include "engine/report/manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace warpscope {
namespace {

// Signs that the formatter would take for its own, or print as another one.
std::string_view escapeOf(char c) {
    switch (c) {
        case '\\':
            return "\\e";
        case '-':
            return "\\-";
        case '\'':
            return "\\(aq";
        case '`':
            return "\\(ga";
        case '^':
            return "\\(ha";
        case '~':
            return "\\(ti";
        case '"':
            return "\\(dq";
        default:
            return {};
    }
}

// One line: no control characters, and no request at its beginning.
std::string inLine(std::string_view text) {
    std::string line;
    for (const char c : text) {
        if (const std::string_view escape = escapeOf(c); !escape.empty())
            line += escape;
        else
            line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return line.starts_with('.') ? "\\&" + line : line;
}

// A list of choices may go on in the next line behind each comma.
std::string breakable(std::string_view text) {
    std::string list;
    for (const char c : text) {
        list += c;
        if (c == ',') list += "\\:";
    }
    return list;
}

std::string inLines(std::string_view text) {
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::size_t begin = text.find_first_not_of(' ');
        if (begin < end) {
            if (!lines.empty()) lines += ".br\n";
            lines += inLine(text.substr(begin, end - begin)) + "\n";
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string inCapitals(std::string_view text) {
    std::string capitals;
    for (const char c : text) capitals += char(std::toupper(static_cast<unsigned char>(c)));
    return capitals;
}

}  // namespace

// Without a date: a page is as old as its version, and the same source gives the same bytes.
ManualPage::ManualPage(std::string_view name, int section, std::string_view summary)
    : m_text(fmt::format(".TH \"{}\" {} \"\" \"Warpscope {}\" \"{}\"\n"
                         ".nh\n.ad l\n.SH NAME\n{} \\- {}\n",
                         inLine(inCapitals(name)), section, WARPSCOPE_VERSION,
                         section == 1 ? "User Commands" : "Warpscope", inLine(name),
                         inLine(summary))) {}

void ManualPage::heading(std::string_view text) {
    m_text += fmt::format(".SH \"{}\"\n", inLine(inCapitals(text)));
}

void ManualPage::subheading(std::string_view text) {
    m_text += fmt::format(".SS \"{}\"\n", inLine(text));
}

void ManualPage::paragraph(std::string_view text) {
    m_text += ".PP\n" + inLines(text);
}

void ManualPage::command(std::string_view text) {
    m_text += ".PP\n.B " + inLine(text) + "\n";
}

void ManualPage::entry(std::string_view term, std::string_view argument, std::string_view meaning) {
    m_text += fmt::format(".TP\n\\fB{}\\fR", inLine(term));
    if (!argument.empty()) m_text += fmt::format(" \\fI{}\\fR", breakable(inLine(argument)));
    m_text += "\n" + inLines(meaning);
}

void ManualPage::alsoSee(std::string_view name, int section) {
    if (!m_alsoSee.empty()) m_alsoSee += ",\n";
    m_alsoSee += fmt::format("\\fB{}\\fR({})", inLine(name), section);
}

std::string ManualPage::text() const {
    return m_alsoSee.empty() ? m_text : m_text + ".SH \"SEE ALSO\"\n" + m_alsoSee + "\n";
}

}  // namespace warpscope
