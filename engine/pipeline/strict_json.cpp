#include "engine/pipeline/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace warpscope {
namespace {

using Json = nlohmann::json;

// The reader's own message without its prefix and place, which are said in our words. A long token
// is cut, because the message is shown in one line.
std::string plainMessage(std::string what) {
    if (const std::size_t bracket = what.find("] "); bracket != std::string::npos)
        what.erase(0, bracket + 2);
    if (what.starts_with("parse error at ")) {
        if (const std::size_t colon = what.find(": "); colon != std::string::npos)
            what.erase(0, colon + 2);
    }
    return printable(what, 160);
}

class TreeBuilder final : public nlohmann::json_sax<Json> {
  public:
    TreeBuilder(std::string_view text, const JsonLimits& limits) : m_text(text), m_limits(limits) {}

    Json take() { return std::move(m_root); }
    const std::string& error() const { return m_error; }

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
    bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
    bool string(string_t& value) override { return add(Json(std::move(value))); }
    bool binary(binary_t&) override { return refuse("binary data is not JSON"); }

    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        m_key = std::move(name);
        if (m_open.back()->contains(m_key)) return refuse(place() + " is given twice");
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& exception) override {
        const std::string_view before =
            m_text.substr(0, std::min(position == 0 ? 0 : position - 1, m_text.size()));
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t lastFeed = before.rfind('\n');
        const std::size_t column =
            before.size() - (lastFeed == std::string_view::npos ? 0 : lastFeed + 1) + 1;
        return refuse(
            fmt::format("line {}, column {}: {}", line, column, plainMessage(exception.what())));
    }

  private:
    bool refuse(std::string message) {
        m_error = std::move(message);
        return false;
    }

    // Where the value that comes next will stand.
    std::string place() const {
        std::string path;
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            const bool innermost = i + 1 == m_open.size();
            if (m_open[i]->is_array()) {
                path += fmt::format("[{}]", innermost ? m_open[i]->size() : m_open[i]->size() - 1);
            } else {
                const std::string& name = innermost ? m_key : m_keys[i];
                path += (path.empty() ? "" : ".") + printable(name);
            }
        }
        return path;
    }

    Json* attach(Json value) {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back();
        if (parent.is_object()) return &(parent[m_key] = std::move(value));
        if (parent.size() >= m_limits.arrayLength) {
            refuse(fmt::format("{}: more than {} entries are not allowed", place(),
                               m_limits.arrayLength));
            return nullptr;
        }
        parent.push_back(std::move(value));
        return &parent.back();
    }

    bool add(Json value) { return attach(std::move(value)) != nullptr; }

    bool open(Json container) {
        if (m_open.size() >= m_limits.depth) {
            return refuse(fmt::format("{}: nested deeper than {} levels", printable(place()),
                                      m_limits.depth));
        }
        Json* opened = attach(std::move(container));
        if (!opened) return false;
        if (!m_open.empty()) m_keys.back() = m_key;
        m_open.push_back(opened);
        m_keys.emplace_back();
        return true;
    }

    bool close() {
        m_open.pop_back();
        m_keys.pop_back();
        return true;
    }

    std::string_view m_text;
    JsonLimits m_limits;
    Json m_root;
    std::vector<Json*> m_open;  // containers from the root to the innermost; a container stays
                                // where it is while it is the last of its parent
    std::vector<std::string> m_keys;  // of the child that is open in each of them
    std::string m_key;
    std::string m_error;
};

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
    std::string shown(text);
    if (shown.size() > longest) {
        std::size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) --end;
        shown.resize(end);
        shown += "...";
    }
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return shown;
}

Result<nlohmann::json> parseStrictJson(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.bytes) {
        return fail(ErrorCode::InvalidArgument, fmt::format("{} bytes are too many: at most {} MiB",
                                                            text.size(), limits.bytes >> 20));
    }
    if (const std::size_t bad = findInvalidUtf8(text); bad != std::string_view::npos)
        return fail(ErrorCode::InvalidArgument, fmt::format("not UTF-8 at byte {}", bad + 1));
    TreeBuilder builder(text, limits);
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        return fail(ErrorCode::InvalidArgument, builder.error());
    return builder.take();
}

}  // namespace warpscope
