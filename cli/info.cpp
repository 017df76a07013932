// warpscope-cli info: what an image is.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "engine/image/statistics.h"

namespace warpscope::cli {
namespace {

std::vector<std::string> channelLabels(const Image& image) {
    if (!isColor(image.format())) return {"gray"};
    if (image.info().hasAlpha) return {"red", "green", "blue", "alpha"};
    return {"red", "green", "blue"};
}

std::string asTable(const std::string& file, const Image& image,
                    const std::vector<ChannelStatistics>& statistics) {
    const ImageInfo& info = image.info();
    std::string text;
    const auto line = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{:<14}{}\n", name, value);
    };
    line("file", file);
    line("size", fmt::format("{} x {} pixels", image.width(), image.height()));
    line("stored as", info.sourceFormat);
    line("samples", fmt::format("{}{}", formatName(image.format()),
                                isColor(image.format()) && !info.hasAlpha ? ", opaque" : ""));
    line("white level", fmt::format("{}", info.whiteLevel));
    line("in memory", fmt::format("{:.1f} MiB", double(image.byteCount()) / 1048576.0));
    if (info.iccProfile) line("ICC profile", fmt::format("{} bytes", info.iccProfile->size()));
    for (const auto& [name, value] : info.metadata) line(name, value);
    for (const std::string& text_ : info.notices) line("note", text_);
    text += fmt::format("\n{:<10}{:>14}{:>14}{:>14}{:>14}{:>12}\n", "channel", "minimum", "maximum",
                        "mean", "std. dev.", "not finite");
    const auto labels = channelLabels(image);
    for (std::size_t c = 0; c < labels.size(); ++c) {
        const ChannelStatistics& s = statistics[c];
        text += fmt::format("{:<10}{:>14.6g}{:>14.6g}{:>14.6g}{:>14.6g}{:>12}\n", labels[c],
                            s.minimum, s.maximum, s.mean, s.standardDeviation, s.notFinite);
    }
    return text;
}

std::string asJson(const std::string& file, const Image& image,
                   const std::vector<ChannelStatistics>& statistics) {
    const ImageInfo& info = image.info();
    nlohmann::ordered_json json;
    json["file"] = file;
    json["width"] = image.width();
    json["height"] = image.height();
    json["stored_as"] = info.sourceFormat;
    json["format"] = formatName(image.format());
    json["has_alpha"] = info.hasAlpha;
    json["white_level"] = info.whiteLevel;
    json["icc_profile_bytes"] = info.iccProfile ? info.iccProfile->size() : 0;
    json["content_hash"] = fmt::format("{:016x}", contentHash(image));
    json["metadata"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : info.metadata) json["metadata"][name] = value;
    json["notices"] = info.notices;
    json["statistics"] = nlohmann::ordered_json::object();
    const auto labels = channelLabels(image);
    for (std::size_t c = 0; c < labels.size(); ++c) {
        const ChannelStatistics& s = statistics[c];
        json["statistics"][labels[c]] = {
            {"minimum", s.minimum}, {"maximum", s.maximum},
            {"mean", s.mean},       {"standard_deviation", s.standardDeviation},
            {"count", s.count},     {"not_finite", s.notFinite}};
    }
    // Text of a file may be in any encoding: what is no UTF-8 is replaced.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run(const std::string& file, const std::string& format, const MemoryOption& memory) {
    auto image = readInput(file, memory);
    if (!image) return failWith(image.error());
    auto statistics =
        computeStatistics(*image, CpuContext{Threading::AllCores, interruptToken(), {}});
    if (!statistics) return failWith(statistics.error());
    const std::string text =
        format == "json" ? asJson(file, *image, *statistics) : asTable(file, *image, *statistics);
    if (auto written = writeOutput(text, ""); !written) return failWith(written.error());
    return kDone;
}

}  // namespace

void addInfo(CLI::App& app, int& exitCode) {
    struct Options {
        std::string input;
        std::string format = "table";
        MemoryOption memory;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("info", "Size, format, statistics and metadata of an image");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    options->memory.addTo(*command);
    command->callback(
        [options, &exitCode] { exitCode = run(options->input, options->format, options->memory); });
}

}  // namespace warpscope::cli
