#include "engine/operations/geometry/resize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpscope {
namespace {

enum class ResizeMethod { Nearest, Bilinear, Area, Bicubic, Lanczos };

OperationDescription describe() {
    // Of the image that the person sees: a draft scales them with its reduced copy.
    const NumberSpec extent{.unit = "px",
                            .hardMax = kMaxSide,
                            .sliderMax = 2048,
                            .spatial = false,
                            .zeroIsAutomatic = true};
    return {
        .id = "resize",
        .label = "Resize",
        .category = "Geometry",
        .summary = "Another number of pixels",
        .help =
            "Makes the image larger or smaller. Give a width, a height or both; where one is 0 it "
            "follows from the other, and where both are 0 the percentage counts. When reducing, "
            "kernels are widened so that every pixel counts and nothing flickers; nearest takes "
            "single pixels.",
        .formula =
            "s = n / N, f = max(s, 1), centre c = (x + 0.5) s; taps int(c - R f + 0.5) to "
            "int(c + R f + 0.5) - 1 inside the image, weights k((i + 0.5 - c) / f), normalised. R "
            "= 0.5 (area), 1 (bilinear), 2 (bicubic, a = -0.5), 3 (lanczos3). Nearest: "
            "((2 x + 1) n) / (2 N).\n"
            "Fixed point of 2^16 (16-bit samples: 2^30): w_i = round(S c_i) - round(S c_(i-1)), c "
            "the running sum. Row pass with 8 more bits, then column pass; both rounded half up "
            "and clamped. Float: weights and sums in double, rounded after each pass.\n"
            "Alpha is a channel like the others.",
        .source = "K. Turkowski, Filters for common resampling tasks, 1990",
        .parameters = {numberParameter("width", "Width", 0, extent,
                                       "Of the result; 0: from the height, or the percentage"),
                       numberParameter("height", "Height", 0, extent,
                                       "Of the result; 0: from the width, or the percentage"),
                       numberParameter("percent", "Percentage", 50.0,
                                       {.unit = "%",
                                        .hardMin = 0.01,
                                        .hardMax = 10000,
                                        .sliderMin = 5,
                                        .sliderMax = 400,
                                        .logarithmic = true},
                                       "Of width and height, where both are 0"),
                       choiceParameter(
                           "method", "Method",
                           {{"bicubic", "Bicubic", "Sharp and smooth: for most images"},
                            {"nearest", "Nearest", "Single pixels: for labels and pixel art"},
                            {"bilinear", "Bilinear", "Soft, never beyond the levels around"},
                            {"area", "Area", "The mean of what a pixel covers"},
                            {"lanczos3", "Lanczos", "Sharpest; rings slightly at edges"}},
                           "How samples are made")},
        .variants = {automaticVariant("A pass along rows and one along columns")},
        .accepts = kFilterFormats};
}

double sinc(double t) {
    if (t == 0) return 1;
    const double at = t * std::numbers::pi;
    return std::sin(at) / at;
}

double kernelAt(ResizeMethod method, double t) {
    const double far = std::abs(t);
    switch (method) {
        case ResizeMethod::Area:
            return t > -0.5 && t <= 0.5 ? 1 : 0;
        case ResizeMethod::Bilinear:
            return far < 1 ? 1 - far : 0;
        case ResizeMethod::Bicubic: {
            constexpr double a = -0.5;
            if (far < 1) return ((a + 2) * far - (a + 3)) * far * far + 1;
            if (far < 2) return (((far - 5) * far + 8) * far - 4) * a;
            return 0;
        }
        case ResizeMethod::Lanczos:
            return far < 3 ? sinc(t) * sinc(t / 3) : 0;
        case ResizeMethod::Nearest:
            break;
    }
    return 0;
}

double reachOf(ResizeMethod method) {
    switch (method) {
        case ResizeMethod::Bilinear:
            return 1;
        case ResizeMethod::Bicubic:
            return 2;
        case ResizeMethod::Lanczos:
            return 3;
        default:
            return 0.5;
    }
}

// Output pixels [begin, begin + length) of `to`, made of input pixels [from, from + available) of
// `n`.
ResizeAxis axisOf(ResizeMethod method, int n, int to, int begin, int length, int from,
                  int available, PixelFormat format) {
    ResizeAxis axis;
    const double unit = bytesPerSample(format) == 1 ? 65536.0 : 1073741824.0;
    const double s = double(n) / to, f = std::max(s, 1.0);
    const double reach = reachOf(method) * f;
    std::vector<double> weights;
    for (int x = begin; x < begin + length; ++x) {
        int first = 0;
        if (method == ResizeMethod::Nearest) {
            first = int((2 * std::int64_t(x) + 1) * n / (2 * std::int64_t(to)));
            weights.assign(1, 1.0);
        } else {
            const double centre = (x + 0.5) * s;
            first = std::max(0, int(centre - reach + 0.5));
            const int last = std::min(n, int(centre + reach + 0.5));
            weights.clear();
            double sum = 0;
            for (int i = first; i < last; ++i) {
                weights.push_back(kernelAt(method, (i + 0.5 - centre) / f));
                sum += weights.back();
            }
            for (double& weight : weights) weight /= sum;
        }
        axis.first.push_back(std::clamp(first - from, 0, available - 1));
        axis.begin.push_back(std::int32_t(axis.weights.size() + axis.realWeights.size()));
        double running = 0;
        std::int64_t before = 0;
        int count = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            running += weights[k];
            const auto upTo = std::int64_t(std::floor(unit * running + 0.5));
            // Of a part: what lies beyond it is missed by pixels that nobody asked for.
            const int i = first + int(k) - from;
            if (i >= 0 && i < available) {
                if (isFloat(format))
                    axis.realWeights.push_back(weights[k]);
                else
                    axis.weights.push_back(std::int32_t(upTo - before));
                ++count;
            }
            before = upTo;
        }
        axis.count.push_back(count);
    }
    return axis;
}

Result<void> completePlan(const PlanRequest& request, ResizePlan& plan) {
    const Size whole = plan.place.whole;
    double width = double(request.parameters.integer("width"));
    double height = double(request.parameters.integer("height"));
    const double percent = request.parameters.real("percent");
    const auto rounded = [](double side) { return std::max(1.0, std::floor(side + 0.5)); };
    if (width == 0 && height == 0) {
        width = rounded(whole.width * percent / 100);
        height = rounded(whole.height * percent / 100);
    } else if (height == 0) {
        height = rounded(whole.height * width / whole.width);
    } else if (width == 0) {
        width = rounded(whole.width * height / whole.height);
    }
    if (width > kMaxSide || height > kMaxSide || width * height > double(std::int64_t{1} << 33))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{:.0f} x {:.0f} is too large for an image", width, height));
    Placement& place = plan.outputPlace;
    place.whole = {int(width), int(height)};
    place.reduced = place.whole;
    if (place.scale != 1) {
        place.reduced = {int(rounded(width * place.scale)), int(rounded(height * place.scale))};
    }
    const Rect all{0, 0, place.reduced.width, place.reduced.height};
    place.part = intersect(mapped(inverse(plan.inputFromOutput()), plan.place.part), all);
    if (place.part.empty())
        return fail(ErrorCode::Unsupported, "nothing of the result lies in this part");
    plan.outputSize = place.part.size();
    const std::string& id = request.parameters.choice("method");
    const ResizeMethod method = id == "nearest"    ? ResizeMethod::Nearest
                                : id == "bilinear" ? ResizeMethod::Bilinear
                                : id == "area"     ? ResizeMethod::Area
                                : id == "lanczos3" ? ResizeMethod::Lanczos
                                                   : ResizeMethod::Bicubic;
    const Rect& part = plan.place.part;
    plan.across = axisOf(method, plan.place.reduced.width, place.reduced.width, place.part.x,
                         place.part.width, part.x, part.width, plan.input);
    plan.down = axisOf(method, plan.place.reduced.height, place.reduced.height, place.part.y,
                       place.part.height, part.y, part.height, plan.input);
    plan.key = fmt::format("resize {} of {}:", id, int(plan.input));
    for (const Rect& one :
         {part, place.part, Rect{0, 0, plan.place.reduced.width, plan.place.reduced.height}, all})
        plan.key += fmt::format(" {} {} {} {}", one.x, one.y, one.width, one.height);
    const double scale = std::max(double(plan.place.reduced.width) / place.reduced.width,
                                  double(plan.place.reduced.height) / place.reduced.height);
    plan.halo = int(std::ceil(reachOf(method) * std::max(scale, 1.0))) + 1;
    plan.identity = plan.outputPlace == plan.place;
    const int channels = channelCount(plan.input);
    const auto taps = [](const ResizeAxis& axis) {
        return double(axis.weights.size() + axis.realWeights.size());
    };
    plan.work =
        method == ResizeMethod::Nearest
            ? 0
            : 2.0 * channels *
                  (taps(plan.across) * plan.size.height + taps(plan.down) * plan.outputSize.width);
    // Of a product and of a sample written, in nanoseconds.
    const double product = bytesPerSample(plan.input) == 1 ? 0.06 : 0.2;
    const double sample = 0.1 * bytesPerSample(plan.input);
    plan.guessedMsPerMegapixel =
        (product * plan.work / 2 + sample * channels * double(plan.outputSize.pixels())) /
        std::max(1.0, plan.pixels());
    return {};
}

}  // namespace

const Operation& resize_operation() {
    static const OperationOf<ResizePlan> operation(describe(), completePlan, runResizeCpu);
    return operation;
}

}  // namespace warpscope
