#include "engine/report/bench_command.h"

#include <fmt/format.h>

namespace warpscope {
namespace {

// Needs what came before it, or another image.
bool ofChain(const StepTiming& row) {
    if (row.stepIndex > 0) return true;
    const ParamValue* with = row.parameters.find("with");
    const auto* named = with ? std::get_if<std::string>(with) : nullptr;
    return named && *named != "source";
}

std::string stepText(const StepTiming& row) {
    std::string text = row.operation;
    char before = ':';
    const auto add = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{}={}", before, name, value);
        before = ',';
    };
    for (const auto& [name, value] : row.parameters.values()) add(name, toText(value));
    add("variant", row.variant);
    return text;
}

}  // namespace

std::vector<std::string> benchCommand(const StepTiming& row,
                                      const std::vector<std::string>& ofReport) {
    if (ofChain(row)) return ofReport;
    std::vector<std::string> words{"warpscope-cli", "bench"};
    const auto add = [&](const char* option, std::string value) {
        words.emplace_back(option);
        words.push_back(std::move(value));
    };
    if (!row.experiment.empty()) {
        words.emplace_back("--published");
    } else {
        add("--step", stepText(row));
        if (row.imageName.empty()) {
            add("--sizes", fmt::format("{}x{}", row.width, row.height));
            add("--pixels", isColor(row.format) ? "color" : "gray");
        } else {
            // A name that looks like an option is none behind a folder.
            add("--image", row.imageName.front() == '-' ? "./" + row.imageName : row.imageName);
        }
    }
    add("--backends", std::string(backendId(row.backendRequested.kind())));
    if (row.backendRequested.isPeer()) words.emplace_back("--peers");
    add("--cache", row.cold ? "cold" : "warm");
    return words;
}

std::string shellQuoted(const std::vector<std::string>& words) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace warpscope
