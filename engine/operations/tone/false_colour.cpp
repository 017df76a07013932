#include "engine/operations/tone/false_colour.h"

#include <fmt/format.h>

namespace warpscope {
namespace {

// Labels and sums of 32 bits too.
constexpr PixelFormat kAccepted[] = {
    PixelFormat::Gray8,   PixelFormat::Rgba8,   PixelFormat::Gray16, PixelFormat::Rgba16,
    PixelFormat::GrayF32, PixelFormat::RgbaF32, PixelFormat::Gray32};

OperationDescription describe() {
    const NumberSpec level{.unit = "grey levels", .hardMax = 255};
    return {
        .id = "false_colour",
        .label = "False colour",
        .category = "Tone",
        .summary = "Levels as colours of a map",
        .help =
            "Gives each brightness a colour of its own, so that small differences show that gray "
            "hides. Low and high say which levels get the first and the last colour. Viridis, "
            "inferno, magma, plasma and cividis rise evenly in brightness, cividis looks alike to "
            "the colour-blind; signed is for differences around the middle, cyclic for angles and "
            "hues, labels for numbered regions. Colour images are taken by their BT.601 luma. The "
            "result has 8 bits and colour; alpha passes on.",
        .formula =
            "i = floor(255 (v - low) / (high - low) + 0.5), clamped to 0 to 255; low and high are "
            "levels of 8 bits, times 257 for 16 bits, over 255 for float, and the numbers "
            "themselves for samples of 32 bits. NaN: 0. low >= high is refused.\n"
            "Viridis, inferno, magma, plasma, cividis, turbo: the 256 entries of matplotlib, "
            "floor(255 c + 0.5).\n"
            "Jet: (766 - abs(8 i - k)) >> 1, k = 1530, 1020, 510 for R, G, B. Hot: (5 i + 1) >> 1, "
            "(5 i - 509) >> 1, 5 i - 1020. Signed: min(255, 2 i), 255 - abs(2 i - 255), min(255, "
            "510 - 2 i). Cyclic: abs(6 i - 768) - 256, 512 - abs(6 i - 512), 512 - abs(6 i - "
            "1024). All clamped.\n"
            "Labels, low and high unused: 0 is black, else i = 1 + (label - 1) mod 255, its colour "
            "c that of cyclic at 157 i mod 256, where i mod 3 is 1 (2 c + 1) / 3, where it is 2 "
            "(c + 255) / 2. Float: the nearest number.\n"
            "16-bit alpha: (255 a + 32895) >> 16; float: floor(255 a + 0.5), clamped.",
        .source =
            "Maps by S. van der Walt, N. Smith and E. Firing (matplotlib); J. Nuñez and "
            "others (cividis); A. Mikhailov (turbo)",
        .parameters =
            {choiceParameter(
                 "map", "Map",
                 {{"viridis", "Viridis", "Dark violet over green to yellow, evenly brighter"},
                  {"inferno", "Inferno", "Black over red to pale yellow, evenly brighter"},
                  {"magma", "Magma", "Black over violet to pale rose, evenly brighter"},
                  {"plasma", "Plasma", "Blue over red to yellow, evenly brighter"},
                  {"cividis", "Cividis", "Blue to yellow, alike to the colour-blind"},
                  {"turbo", "Turbo", "The rainbow, without its false edges"},
                  {"hot", "Hot", "Black, red, yellow, white"},
                  {"jet", "Jet", "The old rainbow: has edges where the image has none"},
                  {"signed", "Signed", "Blue below the middle, white at it, red above"},
                  {"cyclic", "Cyclic", "The circle of hues; both ends meet"},
                  {"labels", "Labels", "Black for 0, else another colour for each number"}},
                 "The colours from the lowest level to the highest"),
             numberParameter("low", "Low", 0.0, level, "The level of the first colour"),
             numberParameter("high", "High", 255.0, level, "The level of the last colour")},
        .variants = {automaticVariant("A table that is made once")},
        .accepts = kAccepted};
}

Result<void> completePlan(const PlanRequest& request, FalseColourPlan& plan) {
    const std::string& map = request.parameters.choice("map");
    const double low = request.parameters.real("low"), high = request.parameters.real("high");
    plan.index.labels = map == "labels";
    if (!plan.index.labels && low >= high)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("low is {} and high is {}, but low must be below high", low, high));
    plan.output = PixelFormat::Rgba8;
    plan.fillsRange = true;
    plan.colors = colorTable(map);
    const int bytes = bytesPerSample(plan.input);
    if (isFloat(plan.input)) {
        plan.index.low = low / 255, plan.index.high = high / 255;
    } else {
        const double unit = bytes == 2 ? 257 : 1;
        plan.index.low = low * unit, plan.index.high = high * unit;
    }
    if (bytes == 1)
        for (std::uint32_t v = 0; v < 256; ++v)
            plan.colorOfLevel.push_back(plan.colors[plan.index(v)]);
    if (bytes == 2)
        for (std::uint32_t v = 0; v < 65536; ++v)
            plan.indexOfLevel.push_back(std::uint8_t(plan.index(v)));
    plan.guessedMsPerMegapixel = bytes == 4 ? 6 : 1.5;
    // A look-up, luma where there is colour (see grayscale). 32 bits: a difference, a product, a
    // quotient, a sum and two limits too.
    plan.work = plan.pixels() * (1 + (isColor(plan.input) ? 6 : 0) + (bytes == 4 ? 6 : 0));
    return {};
}

}  // namespace

const Operation& false_colour_operation() {
    static const OperationOf<FalseColourPlan> operation(describe(), completePlan,
                                                        runFalseColourCpu);
    return operation;
}

}  // namespace warpscope
