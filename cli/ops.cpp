// warpscope-cli ops: every operation with its parameters and variants, made from the descriptions.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "engine/operations/registry.h"
#include "engine/pipeline/parameter_json.h"
#include "engine/report/operation_pictures.h"

namespace warpscope::cli {
namespace {

std::string_view kindText(const Operation& operation) {
    return operation.description().kind == OperationKind::Analysis ? "analysis" : "filter";
}

std::string asTable() {
    std::string text;
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        text += fmt::format("{}  ({}, {})\n    {}\n", d.id, kindText(*operation), d.category,
                            d.summary);
        for (const ParamSpec& spec : d.parameters)
            text += fmt::format("    {:<12} {} (default {})\n                 {}\n", spec.id + "=",
                                allowedText(spec), toText(spec.defaultValue), spec.help);
        for (const VariantSpec& variant : d.variants)
            text += fmt::format("    variant={:<12} {}\n", variant.id, variant.help);
        if (!d.wrongVariants.empty()) text += "    Wrong on purpose, for teaching:\n";
        for (const VariantSpec& variant : d.wrongVariants)
            text += fmt::format("    variant={:<12} {}\n", variant.id, variant.help);
        text += '\n';
    }
    return text;
}

// Two spaces end a line in every Markdown.
std::string keepingLines(std::string_view text) {
    std::string kept;
    for (const char c : text) kept += c == '\n' ? std::string("  \n") : std::string(1, c);
    return kept;
}

// A bar would end a cell.
std::string inCell(std::string_view text) {
    std::string cell;
    for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
}

// What GitHub makes of "Label (`id`)".
std::string anchorOf(const OperationDescription& d) {
    std::string anchor;
    for (const char c : d.label + " " + d.id) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
            anchor += char(std::tolower(static_cast<unsigned char>(c)));
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

// By category, in the order of the registry.
std::string markdownContents() {
    std::vector<std::string> categories;
    for (const Operation* operation : allOperations())
        if (std::ranges::find(categories, operation->description().category) == categories.end())
            categories.push_back(operation->description().category);
    std::string text;
    for (const std::string& category : categories) {
        text += fmt::format("\n{}:\n\n", category);
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.category == category)
                text += fmt::format("- [{}](#{}): {}\n", d.label, anchorOf(d), d.summary);
        }
    }
    return text;
}

// A table of them; nothing where there are none.
std::string markdownPictures(const Operation& operation) {
    const auto pictures = picturesOf(operation);
    if (!pictures) return {};
    std::string titles, line, row;
    const auto add = [&](const std::string& title, const std::string& name,
                         std::string_view alternative) {
        titles += fmt::format("| {} ", title);
        line += "|---";
        row += fmt::format("| ![{}](pictures/{}.png) ", alternative, name);
    };
    add(pictures->prepared.empty() ? "before" : fmt::format("before: `{}`", pictures->prepared),
        pictures->before, "Before");
    if (pictures->second) add("second image", *pictures->second, "Second image");
    add(fmt::format("{}: `{}`{}{}{}", pictures->legend.empty() ? "after" : "found", pictures->step,
                    pictures->falseColours ? ", in false colours" : "",
                    pictures->legend.empty() ? "" : ": ", pictures->legend),
        pictures->after, operation.description().label);
    return fmt::format("\n{}|\n{}|\n{}|\n", titles, line, row);
}

std::string asMarkdown() {
    std::string text =
        "# Operations\n\nMade by `warpscope-cli ops --format markdown` from what the program knows "
        "of itself; *Help > Operations* shows the same. Pictures are parts of the sample scene, "
        "made "
        "by `warpscope-cli manual --pictures docs/pictures`.\n" +
        markdownContents();
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        text += fmt::format("\n## {} (`{}`)\n\n{}\n{}\n{}\n\nComputes:  \n{}\n\nSource: {}\n",
                            d.label, d.id, d.summary, markdownPictures(*operation), d.help,
                            keepingLines(d.formula), d.source);
        if (!d.parameters.empty()) {
            text += "\n| parameter | allowed | default | meaning |\n|---|---|---|---|\n";
            for (const ParamSpec& spec : d.parameters)
                text += fmt::format("| `{}` | {} | {} | {} |\n", spec.id, inCell(allowedText(spec)),
                                    inCell(toText(spec.defaultValue)), inCell(spec.help));
        }
        text += "\n| variant | how | from |\n|---|---|---|\n";
        for (const VariantSpec& variant : d.variants)
            text += fmt::format("| `{}` | {} | {} |\n", variant.id, inCell(variant.help),
                                variant.source.empty() ? "ours" : inCell(variant.source));
        if (!d.wrongVariants.empty())
            text +=
                "\n| wrong on purpose, for teaching | the trap | who walks into it |\n"
                "|---|---|---|\n";
        for (const VariantSpec& variant : d.wrongVariants)
            text += fmt::format("| `{}` | {} | {} |\n", variant.id, inCell(variant.help),
                                inCell(variant.source));
    }
    return text;
}

std::string asJson() {
    auto list = nlohmann::ordered_json::array();
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        nlohmann::ordered_json json = {{"id", d.id},
                                       {"label", d.label},
                                       {"kind", kindText(*operation)},
                                       {"category", d.category},
                                       {"summary", d.summary},
                                       {"help", d.help},
                                       {"formula", d.formula},
                                       {"source", d.source}};
        json["parameters"] = nlohmann::ordered_json::array();
        for (const ParamSpec& spec : d.parameters) {
            nlohmann::ordered_json p = {{"id", spec.id},
                                        {"label", spec.label},
                                        {"unit", spec.unit},
                                        {"default", parameterToJson(spec.defaultValue)},
                                        {"help", spec.help}};
            p["kind"] = kindId(spec.kind);
            if (spec.kind == ParamKind::Choice) {
                p["choices"] = nlohmann::ordered_json::array();
                for (const ChoiceSpec& choice : spec.choices)
                    p["choices"].push_back(
                        {{"id", choice.id}, {"label", choice.label}, {"help", choice.help}});
            } else if (spec.kind != ParamKind::Image) {
                p["minimum"] = spec.hardMin;
                p["maximum"] = spec.hardMax;
            }
            if (spec.kind == ParamKind::Points) p["least"] = spec.leastCount;
            if (spec.kind == ParamKind::Points || spec.kind == ParamKind::Matrix)
                p["most"] = spec.mostCount;
            for (const PresetSpec& preset : spec.presets)
                p["presets"][preset.id] = parameterToJson(preset.value);
            json["parameters"].push_back(std::move(p));
        }
        const auto addVariants = [&json](const char* key, const std::vector<VariantSpec>& which) {
            json[key] = nlohmann::ordered_json::array();
            for (const VariantSpec& v : which)
                json[key].push_back(
                    {{"id", v.id}, {"label", v.label}, {"help", v.help}, {"source", v.source}});
        };
        addVariants("variants", d.variants);
        addVariants("wrong_variants", d.wrongVariants);
        json["accepts"] = nlohmann::ordered_json::array();
        for (const PixelFormat format : d.accepts) json["accepts"].push_back(formatName(format));
        list.push_back(std::move(json));
    }
    return list.dump(2) + "\n";
}

}  // namespace

void addOps(CLI::App& app, int& exitCode) {
    auto format = std::make_shared<std::string>("table");
    CLI::App* command =
        app.add_subcommand("ops", "Every operation with its parameters and variants");
    command->add_option("--format", *format, "Form of the output")
        ->check(CLI::IsMember({"table", "json", "markdown"}))
        ->capture_default_str();
    command->callback([format, &exitCode] {
        const std::string text = *format == "json"       ? asJson()
                                 : *format == "markdown" ? asMarkdown()
                                                         : asTable();
        if (auto written = writeOutput(text, ""); !written) exitCode = failWith(written.error());
    });
}

}  // namespace warpscope::cli
