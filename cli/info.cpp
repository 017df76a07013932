// warpscope-cli info: what an image is.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "engine/image/statistics.h"
#include "engine/io/isolated_reader.h"

namespace warpscope::cli {
namespace {

std::vector<std::string> channelLabels(const Image& image) {
    if (!isColor(image.format())) return {"gray"};
    if (image.info().hasAlpha) return {"red", "green", "blue", "alpha"};
    return {"red", "green", "blue"};
}

// "name, 640 x 480, Gray16", what is known of it.
std::string pageText(const PageInfo& page) {
    std::string text = page.name;
    const auto add = [&](std::string_view more) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", more);
    };
    if (!page.size.empty()) add(fmt::format("{} x {}", page.size.width, page.size.height));
    if (page.format) add(formatName(*page.format));
    if (!page.problem.empty()) add("not read: " + page.problem);
    return text;
}

std::string asTable(const std::string& file, const Image& image, const std::vector<PageInfo>& pages,
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
    for (std::size_t i = 0; pages.size() > 1 && i < pages.size(); ++i)
        line(fmt::format("page {}", i + 1), pageText(pages[i]));
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

std::string asJson(const std::string& file, const Image& image, const std::vector<PageInfo>& pages,
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
    json["pages"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; pages.size() > 1 && i < pages.size(); ++i) {
        const PageInfo& page = pages[i];
        json["pages"].push_back({{"name", page.name},
                                 {"width", page.size.width},
                                 {"height", page.size.height},
                                 {"format", page.format ? formatName(*page.format) : ""},
                                 {"problem", page.problem}});
    }
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

// Standard input is gone once it is read.
Result<std::vector<PageInfo>> pagesOf(const std::string& file, const MemoryOption& memory) {
    if (file == kStream) return std::vector<PageInfo>(1);
    ReadOptions options;
    options.limits.maxDecodedBytes = memory.bytes();
    options.stop = interruptToken();
    const EndableWork work;
    return listPagesIsolated(file, options);
}

int run(const std::string& file, const std::string& format, const MemoryOption& memory,
        const PageOption& page) {
    auto image = readInput(file, memory, page);
    if (!image) return failWith(image.error());
    const auto pages = pagesOf(file, memory);
    if (!pages) return failWith(pages.error());
    auto statistics =
        computeStatistics(*image, CpuContext{Threading::AllCores, interruptToken(), {}});
    if (!statistics) return failWith(statistics.error());
    const std::string text = format == "json" ? asJson(file, *image, *pages, *statistics)
                                              : asTable(file, *image, *pages, *statistics);
    if (auto written = writeOutput(text, ""); !written) return failWith(written.error());
    return kDone;
}

}  // namespace

void addInfo(CLI::App& app, int& exitCode) {
    struct Options {
        std::string input;
        std::string format = "table";
        MemoryOption memory;
        PageOption page;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("info", "Size, format, statistics and metadata of an image");
    command->add_option("INPUT", options->input, "Image to read")->required();
    command->add_option("--format", options->format, "Form of the output")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    options->memory.addTo(*command);
    options->page.addTo(*command);
    command->callback([options, &exitCode] {
        exitCode = run(options->input, options->format, options->memory, options->page);
    });
}

}  // namespace warpscope::cli
