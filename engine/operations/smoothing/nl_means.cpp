#include "engine/operations/smoothing/nl_means.h"

#include <cmath>
#include <numbers>

#include "engine/image/format_words.h"

namespace warpscope {
namespace {

constexpr const char* kText = "A study of non-local means on integral images in CUDA";

OperationDescription describe() {
    return {
        .id = "nl_means",
        .label = "Non-local means",
        .category = "Smoothing",
        .summary = "Takes noise away by averaging pixels whose neighbourhoods look alike",
        .help =
            "Replaces each pixel by a mean of the pixels around it, each weighted by how much the "
            "patch around it resembles the patch around the pixel. Unlike a blur it keeps edges "
            "and repeated texture. The strength should follow the noise: too low leaves it, too "
            "high washes fine detail out. Alpha passes unchanged.",
        .formula =
            "For every q in the (2 s + 1)^2 search window around p, p included:\n"
            "D = mean over the (2 r + 1)^2 patch, and over R, G and B of a colour image, of the "
            "squared difference between the patches around p and q; w(q) = exp(-D / h^2).\n"
            "Result = sum(w v) / sum(w), rounded half up.\n"
            "Beyond the border the image is mirrored with the edge pixel repeated, again and again "
            "where the window is larger than the image.\n"
            "16 bits: h times 257; all ways to compute it agree within 4 of 65,536 levels.\n"
            "Float: h / 255, in float, not rounded to levels; all ways agree within 10^-4 of the "
            "largest magnitude.",
        .source = kText,
        .parameters =
            {numberParameter(
                 "h", "Strength", 10.0,
                 {.unit = "levels",
                  .hardMin = 0.1,
                  .hardMax = 200,
                  .sliderMin = 1,
                  .sliderMax = 60,
                  .step = 0.5,
                  .logarithmic = true},
                 "How far patches may differ and still count, in grey levels of 8 bits at every "
                 "depth; about the standard deviation of the noise, or a little more"),
             numberParameter("patch_radius", "Patch radius", 3,
                             {.unit = "px", .hardMax = kMaxPatchRadius},
                             "Patches of side 2 radius + 1 are compared; 0 compares single pixels"),
             numberParameter("search_radius", "Search radius", 10,
                             {.unit = "px", .hardMax = kMaxSearchRadius},
                             "Pixels within a square of side 2 radius + 1 are averaged; time grows "
                             "with its area")},
        .variants = {automaticVariant(
                         "CPU: each pair of pixels is compared once for both, and patch sums slide "
                         "down the rows, so that work grows with the search window, hardly with "
                         "the patch. GPU: everything between input and output stays on the "
                         "multiprocessor; gray with patch radius 1 to 3 is the fastest"),
                     {"direct", "Direct",
                      "Sums every patch anew for every offset: (2 s + 1)^2 (2 r + 1)^2 squared "
                      "differences a pixel. CPU: plain code, for comparison",
                      kText},
                     {"integral_per_offset", "Integral image per offset",
                      "For each search offset an integral image of the squared differences, summed "
                      "in blocks whose sums are carried on, along rows and then columns; then four "
                      "reads a patch: work does not depend on the patch; one image of 32-bit sums "
                      "(64-bit for 16-bit samples) in memory. GPU: three launches an offset, where "
                      "the text takes one for each step. Not for float. CPU: plain code, for "
                      "comparison",
                      kText},
                     {"integral_rows", "Integral images per row of offsets",
                      "As the one before, for all 2 s + 1 offsets of a row at once: fewer and "
                      "larger passes, 2 s + 1 such images in memory, where the text sums a whole "
                      "line in each thread. Not for float. CPU: plain code, for comparison",
                      kText}},
        .accepts = kFilterFormats,
        .agreement = AgreementRule{1, 0.999},
        .agreementOf16Bits = AgreementRule{4},
        // So many are at most 10^-4 of the largest magnitude.
        .agreementOfFloat = AgreementRule{.maxUlp = 838}};
}

Result<void> completePlan(const PlanRequest& request, NlMeansPlan& plan) {
    if (isFloat(request.format) && request.variant.starts_with("integral"))
        return fail(ErrorCode::Unsupported,
                    "nl_means takes " + std::string(formatWords(request.format)) +
                        " without integral images only: sums of float samples are not exact");
    plan.h = request.parameters.real("h");
    plan.patchRadius = int(request.parameters.integer("patch_radius"));
    plan.searchRadius = int(request.parameters.integer("search_radius"));
    const int side = 2 * plan.patchRadius + 1;
    plan.patchSamples = side * side * (isColor(request.format) ? 3 : 1);
    const double h = isFloat(request.format)               ? plan.h / 255
                     : bytesPerSample(request.format) == 2 ? plan.h * 257
                                                           : plan.h;
    plan.exponent = -std::numbers::log2e / (h * h * plan.patchSamples);
    plan.identity = plan.searchRadius == 0;
    // As measured on a small machine: each offset costs about this, colour and the published
    // ways more.
    const double offsets = std::pow(2.0 * plan.searchRadius + 1, 2);
    const double way = request.variant == kAutomaticVariant ? 1
                       : request.variant == "direct"        ? plan.patchSamples
                                                            : 8;
    plan.guessedMsPerMegapixel = 0.15 * offsets * way * (isColor(request.format) ? 2.5 : 1);
    // For each offset: a difference, its square and its place in a sum (a colour), a sum over the
    // patch that slides along rows and columns, the exponent and its power, the sum of weights, and
    // a product and sum (a colour). Then a division (a colour).
    const int colors = isColor(request.format) ? 3 : 1;
    plan.work = plan.pixels() * (offsets * (3 * colors + 4 + 2 + 1 + 2 * colors) + colors);
    plan.halo = plan.identity ? 0 : plan.searchRadius + plan.patchRadius;
    return {};
}

}  // namespace

const Operation& nl_means_operation() {
    static const OperationOf<NlMeansPlan> operation(describe(), completePlan, runNlMeansCpu);
    return operation;
}

}  // namespace warpscope
