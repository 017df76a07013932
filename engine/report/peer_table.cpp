#include "engine/report/peer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/measure/factor.h"
#include "engine/operations/registry.h"
#include "engine/report/report_text.h"

namespace warpscope {
namespace {

// One backend of ours, and what takes its part elsewhere.
struct Pair {
    const StepTiming* ours = nullptr;
    std::vector<const StepTiming*> peers;
};

struct Line {
    const StepTiming* any = nullptr;
    std::map<BackendKind, Pair> places;
};

constexpr BackendKind kOrder[] = {BackendKind::CpuSingle, BackendKind::Cpu, BackendKind::Cuda};

// In the order of the report.
std::vector<Line> linesOf(const TimingReport& report) {
    std::vector<Line> lines;
    std::map<StepKey, std::size_t> known;
    for (const StepTiming& row : report.results) {
        if (!row.measured() || row.variant != kAutomaticVariant || row.backendRequested.empty())
            continue;
        const auto [at, added] = known.try_emplace(inputKeyOf(row), lines.size());
        if (added) lines.push_back({&row, {}});
        Pair& pair = lines[at->second].places[row.backendRequested.kind()];
        if (row.peer.empty())
            pair.ours = &row;
        else
            pair.peers.push_back(&row);
    }
    std::erase_if(lines, [](const Line& line) {
        return std::ranges::none_of(line.places, [](const auto& one) { return one.second.ours; });
    });
    return lines;
}

std::string ratioOf(const StepTiming& ours, const StepTiming& peer) {
    const auto factor = factorOf({ours.time, ours.time.medianMs}, {peer.time, peer.time.medianMs});
    if (!factor) return "-";
    if (factor->low > 0 && factor->high > factor->low)
        return fmt::format("{} to {}", ratioText(factor->low), ratioText(factor->high));
    return ratioText(factor->value);
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + text;
    return all;
}

void addPlace(Cells& cells, const Pair& pair) {
    cells.push_back(pair.ours ? msText(pair.ours->time.medianMs) : "");
    std::vector<std::string> times, ratios;
    for (const StepTiming* peer : pair.peers) {
        times.push_back(msText(peer->time.medianMs));
        if (pair.ours) ratios.push_back(ratioOf(*pair.ours, *peer));
    }
    cells.push_back(joined(times));
    cells.push_back(joined(ratios));
}

// "OpenCV 4.6.0: identical; NPP 13.0.1: differs ...", each library once.
std::string resultsOf(const Line& line) {
    std::vector<std::string> texts;
    for (const BackendKind kind : kOrder) {
        const auto at = line.places.find(kind);
        if (at == line.places.end()) continue;
        for (const StepTiming* peer : at->second.peers) {
            std::string text = fmt::format("{}: {}", peer->peer, describe(peer->agreement));
            if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
        }
    }
    return joined(texts);
}

// "8, 16, float".
std::string samplesOf(const OperationDescription& description) {
    std::string text;
    for (const auto& [format, name] :
         {std::pair(PixelFormat::Gray8, "8"), std::pair(PixelFormat::Gray16, "16"),
          std::pair(PixelFormat::GrayF32, "float")}) {
        const PixelFormat colour = format == PixelFormat::Gray8    ? PixelFormat::Rgba8
                                   : format == PixelFormat::Gray16 ? PixelFormat::Rgba16
                                                                   : PixelFormat::RgbaF32;
        if (description.acceptsFormat(format) || description.acceptsFormat(colour))
            text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return text;
}

// Of results of our own: how alike they are on CPU and GPU.
std::string promiseOf(const OperationDescription& description, PixelFormat format) {
    const AgreementRule& rule = description.agreementFor(format);
    if (isFloat(format) && rule.maxUlp > 0) return fmt::format("within {} ulp", rule.maxUlp);
    if (rule.maxDifference == 0) return "same bits";
    if (rule.identicalFraction > 0 && rule.identicalFraction < 1)
        return fmt::format("within {}, {}% the same", rule.maxDifference,
                           100 * rule.identicalFraction);
    return fmt::format("within {}", rule.maxDifference);
}

// What tests compare an operation with beside its definition, which all are compared with.
std::string referenceOf(const std::string& id) {
    constexpr std::pair<std::string_view, std::string_view> kReferences[] = {
        {"grayscale", "OpenCV within 1"},
        {"invert", "OpenCV"},
        {"levels", "OpenCV"},
        {"curves", "OpenCV"},
        {"saturation", "OpenCV within 1"},
        {"equalize", "OpenCV within 1"},
        {"clahe", "OpenCV within 1, of 16 bits 2"},
        {"threshold", "OpenCV"},
        {"adaptive_threshold", "OpenCV but for its rounded mean"},
        {"extract_channel", "OpenCV; saturation, hue, lightness within 1"},
        {"false_colour", "OpenCV within 1"},
        {"gaussian_blur", "OpenCV within 1"},
        {"box_mean", "OpenCV within 1"},
        {"median", "OpenCV"},
        {"nl_means", "OpenCV alike"},
        {"bilateral", "OpenCV within 1"},
        {"unsharp_mask", "OpenCV within the blur's rounding"},
        {"difference_of_gaussians", "OpenCV within the blurs' rounding"},
        {"despeckle", "OpenCV"},
        {"gradient", "OpenCV"},
        {"laplacian", "OpenCV"},
        {"canny", "OpenCV"},
        {"convolve", "OpenCV"},
        {"morphology", "OpenCV"},
        {"local_statistics", "OpenCV"},
        {"connected_components", "OpenCV"},
        {"components", "OpenCV"},
        {"distance_transform", "OpenCV"},
        {"integral_image", "OpenCV"},
        {"histogram", "OpenCV"},
        {"blend", "OpenCV"},
        {"crop", "OpenCV"},
        {"flip_rotate", "OpenCV"},
        {"resize", "Pillow within 1"},
        {"rotate", "OpenCV, nearest"},
    };
    for (const auto& [known, reference] : kReferences)
        if (known == id) return std::string(reference);
    return "";
}

}  // namespace

TextTable peerTable(const TimingReport& report) {
    TextTable table{
        {{"operation", "parameters", "image", "cache", "1 thread ms", "peer ms", "peer / ours",
          "all cores ms", "peer ms", "peer / ours", "GPU kernels ms", "peer ms", "peer / ours",
          "of copying", "peer's result", "samples", "CPU and GPU", "tested against"}},
        4,
        13};
    const bool any = std::ranges::any_of(
        report.results, [](const StepTiming& row) { return row.measured() && !row.peer.empty(); });
    if (!any) return {};
    for (const Line& line : linesOf(report)) {
        Cells cells{line.any->operation, parameterText(line.any->parameters), imageText(*line.any),
                    line.any->cold ? "cold" : "warm"};
        for (const BackendKind kind : kOrder) {
            const auto at = line.places.find(kind);
            addPlace(cells, at == line.places.end() ? Pair() : at->second);
        }
        const auto gpu = line.places.find(BackendKind::Cuda);
        const double percent = gpu != line.places.end() && gpu->second.ours
                                   ? copyPercent(*gpu->second.ours, report.machine)
                                   : 0;
        cells.push_back(percent > 0 ? fmt::format("{:.0f}%", percent) : "");
        cells.push_back(resultsOf(line));
        const Operation* operation = findOperation(line.any->operation);
        cells.push_back(operation ? samplesOf(operation->description()) : "");
        cells.push_back(operation ? promiseOf(operation->description(), line.any->format) : "");
        cells.push_back(referenceOf(line.any->operation));
        table.lines.push_back(std::move(cells));
    }
    return table;
}

std::vector<std::string> peerNotes() {
    return {"Ratios are the other library's median over ours: above 1x ours is faster.",
            "Its result is compared with our one-thread result; where it differs it does another "
            "job, as near as the library comes.",
            "Of copying: bytes that must be read and written, over the time, in per cent of what "
            "copying reaches on that GPU: 50% is twice the floor. Above 100% the data stay in its "
            "cache.",
            "Samples: what the operation takes, in bits. CPU and GPU: how alike their results are. "
            "Tested against: what tests compare with beside the definition, to the bit unless it "
            "says otherwise."};
}

}  // namespace warpscope
