#include "engine/operations/tone/extract_channel.h"

#include <cmath>

namespace warpscope {
namespace {

OperationDescription describe() {
    return {
        .id = "extract_channel",
        .label = "Extract channel",
        .category = "Tone",
        .summary = "One channel as a gray image",
        .help =
            "Makes a gray image of one channel: a stored one, to see what red, green, blue or "
            "alpha hold, or one that is computed from the three colours. Hue, saturation and "
            "value are those of HSV: hue goes once around the circle of colours, from red over "
            "yellow, green and blue back to red; lightness is how bright the eye sees a colour, "
            "in equal steps. A gray image counts as three equal colours with opaque alpha.",
        .formula =
            "Luma: (19595 R + 38470 G + 7471 B + 32768) >> 16. Value: max(R, G, B).\n"
            "Saturation: (2 M (max - min) + max) / (2 max), 0 where max is 0.\n"
            "Hue: ((2 L (s D + d) + 6 D) / (12 D)) mod L, D = max - min, L = M + 1; (s, d) = "
            "(0, G - B) where R is the largest, s = 6 where d < 0; (2, B - R) where G is; (4, R - "
            "G) where B is, R before G before B; 0 where D is 0.\n"
            "Lightness: CIE L* of sRGB, D65, M L* / 100, rounded, within 1: light c / 12.92 up to "
            "0.04045, else ((c + 0.055) / 1.055)^2.4; Y = 0.2126 R + 0.7152 G + 0.0722 B; L* = 116 "
            "Y^(1/3) - 16 above 216 / 24389, else 24389 / 27 Y.\n"
            "Float alike with M = L = 1, not rounded; NaN in a colour that takes part gives NaN. "
            "Alpha: M where there is none.",
        .source =
            "A. R. Smith, Color gamut transform pairs, 1978; CIE 15, Colorimetry; "
            "IEC 61966-2-1 (sRGB)",
        .parameters = {choiceParameter(
            "channel", "Channel",
            {{"luma", "Luma", "0.299 R + 0.587 G + 0.114 B, as grayscale makes it"},
             {"red", "Red", "As stored"},
             {"green", "Green", "As stored"},
             {"blue", "Blue", "As stored"},
             {"alpha", "Alpha", "As stored; white where there is none"},
             {"hue", "Hue", "Which colour: once around the circle from black to white"},
             {"saturation", "Saturation", "How far from gray: white for pure colours"},
             {"value", "Value", "The largest of the three"},
             {"lightness", "Lightness", "CIE L*, in steps that the eye sees as equal"}},
            "What becomes the gray image")},
        .variants = {automaticVariant("One pass; each pixel is read and written once")},
        .accepts = kFilterFormats,
        .dropsAlpha = true};
}

ExtractedChannel channelFromId(std::string_view id) {
    constexpr std::string_view kIds[] = {"luma", "red",        "green", "blue",     "alpha",
                                         "hue",  "saturation", "value", "lightness"};
    for (std::size_t i = 0; i < std::size(kIds); ++i)
        if (kIds[i] == id) return ExtractedChannel(i);
    return ExtractedChannel::Luma;
}

bool isComputed(ExtractedChannel channel) {
    return channel == ExtractedChannel::Hue || channel == ExtractedChannel::Saturation ||
           channel == ExtractedChannel::Lightness;
}

// As `work` counts.
double workOf(ExtractedChannel channel) {
    switch (channel) {
        case ExtractedChannel::Luma:
            return 6;
        case ExtractedChannel::Value:
            return 2;
        case ExtractedChannel::Saturation:
            return 9;
        case ExtractedChannel::Hue:
            return 14;
        case ExtractedChannel::Lightness:
            return 30;
        default:
            return 0;
    }
}

Result<void> completePlan(const PlanRequest& request, ExtractChannelPlan& plan) {
    plan.channel = channelFromId(request.parameters.choice("channel"));
    plan.output = *withChannels(request.format, false);
    const bool alpha = plan.channel == ExtractedChannel::Alpha;
    plan.identity = !isColor(request.format) && !alpha && !isComputed(plan.channel);
    // These end at the white of the format, whatever white the file had.
    plan.fillsRange = alpha || isComputed(plan.channel);
    if (plan.channel == ExtractedChannel::Lightness)
        plan.guessedMsPerMegapixel = isFloat(request.format) ? 90 : 10;
    else
        plan.guessedMsPerMegapixel = isComputed(plan.channel) ? 5 : 1;
    plan.work = plan.pixels() * workOf(plan.channel);
    return {};
}

std::vector<float> madeLinearLevels(std::size_t count) {
    std::vector<float> levels(count);
    for (std::size_t v = 0; v < count; ++v) {
        const double c = double(v) / double(count - 1);
        levels[v] = float(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return levels;
}

}  // namespace

const std::vector<float>& linearLevels(int bytesPerSample) {
    static const std::vector<float> eight = madeLinearLevels(256);
    if (bytesPerSample == 1) return eight;
    static const std::vector<float> sixteen = madeLinearLevels(65536);
    return sixteen;
}

const Operation& extract_channel_operation() {
    static const OperationOf<ExtractChannelPlan> operation(describe(), completePlan,
                                                           runExtractChannelCpu);
    return operation;
}

}  // namespace warpscope
