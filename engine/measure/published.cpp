#include "engine/measure/published.h"

#include <cmath>
#include <utility>

namespace warpscope {
namespace {

constexpr const char* kFilterText =
    "A study of CUDA gray conversion, Gaussian filter and histogram equalization";
constexpr const char* kHistogramText = "A study of luminance histograms in CUDA";
constexpr const char* kNlMeansText = "A study of non-local means on integral images in CUDA";

// The three sizes of one table: times with three decimals, speedups with two.
PublishedRow squareRow(int side, double cpuMs, double gpuMs, double speedup) {
    return {
        .size = {side, side}, .cpuMs = {cpuMs, 3}, .gpuMs = {gpuMs, 3}, .speedup = {speedup, 2}};
}

PublishedExperiment filterExperiment(std::string id, std::string title, std::string operation) {
    PublishedExperiment e;
    e.id = std::move(id);
    e.title = std::move(title);
    e.source = kFilterText;
    e.cpuName = "Intel i7-3770";
    e.gpuName = "GTX 570";
    e.operation = std::move(operation);
    e.firstRow = 2;
    return e;
}

PublishedExperiment grayConversion() {
    PublishedExperiment e = filterExperiment("gray_conversion", "Gray conversion", "grayscale");
    e.summary = "A colour image becomes gray by weighted luma";
    e.color = true;
    e.rows = {squareRow(256, 0.093, 0.028, 3.26), squareRow(512, 0.187, 0.035, 5.31),
              squareRow(1024, 0.436, 0.044, 9.87)};
    return e;
}

PublishedExperiment gaussianFilter() {
    PublishedExperiment e = filterExperiment(
        "gaussian_filter", "Gaussian filter on salt-and-pepper noise", "gaussian_blur");
    e.summary =
        "Salt and pepper on a gray image, then a Gaussian of sigma 1 and 5 × 5 taps; the Gaussian "
        "is timed";
    e.before = {"add_noise:kind=salt_pepper,amount=0.05,seed=1"};
    e.parameters = "sigma=1,size=5";
    e.rows = {squareRow(256, 0.756, 0.049, 15.21), squareRow(512, 2.359, 0.082, 28.63),
              squareRow(1024, 6.785, 0.185, 36.65)};
    e.rows[0].note =
        "256 × 256: 15.21 is the speedup as printed; the printed times allow 15.26 to 15.60";
    e.note = "The share of noise, 5%, is ours";
    return e;
}

PublishedExperiment equalization() {
    PublishedExperiment e = filterExperiment("equalization", "Histogram equalization", "equalize");
    e.summary = "The histogram of a gray image is spread over all levels";
    e.rows = {squareRow(256, 0.124, 0.015, 8.23), squareRow(512, 0.387, 0.025, 15.72),
              squareRow(1024, 0.836, 0.033, 24.96)};
    return e;
}

PublishedExperiment histogram() {
    PublishedExperiment e;
    e.id = "histogram";
    e.title = "Histogram";
    e.summary = "The levels of a gray image are counted; no step changes the image";
    e.source = kHistogramText;
    e.cpuName = "QX6600";
    e.gpuName = "GTX 285";
    e.operation = "histogram";
    e.rows = {{.size = {1280, 1024},
               .cpuMs = {17.5, 1},
               .gpuMs = {0.54, 2},
               .speedup = {30, 0, true},
               .note = "“About 30” is the speedup as printed; the printed times give 32"}};
    return e;
}

PublishedExperiment nlMeans() {
    PublishedExperiment e;
    e.id = "nl_means";
    e.title = "Non-local means";
    e.summary = "Gaussian noise on a gray image, then non-local means, which is timed";
    e.source = kNlMeansText;
    e.before = {"add_noise:kind=gaussian,sigma=20,seed=1"};
    e.operation = "nl_means";
    e.parameters = "h=20,patch_radius=3,search_radius=10";
    constexpr Size kSize{496, 472};
    e.rows = {{.size = kSize, .method = "Our automatic choice"},
              {.size = kSize,
               .method = "Integral image, two inner loops",
               .variant = "integral_per_offset",
               .cpuMs = {1600, 0, true},
               .gpuMs = {86}},
              {.size = kSize,
               .method = "Integral images, three inner loops",
               .variant = "integral_rows",
               .gpuMs = {59}}};
    e.note =
        "Noise, strength, patch (7 × 7) and search window (21 × 21) are ours, so that the "
        "amount of work may differ from the published one";
    return e;
}

}  // namespace

double PublishedFigure::halfUnit() const {
    return 0.5 * std::pow(10.0, -decimals);
}

const std::vector<PublishedExperiment>& publishedExperiments() {
    static const std::vector<PublishedExperiment> all{grayConversion(), gaussianFilter(),
                                                      equalization(), histogram(), nlMeans()};
    return all;
}

Result<Pipeline> chainOf(const PublishedExperiment& experiment, const PublishedRow& row) {
    const auto timed = requireOperation(experiment.operation);
    if (!timed) return fail(timed.error());
    std::vector<std::string> texts = experiment.before;
    if ((*timed)->description().kind == OperationKind::Filter) {
        std::string text = experiment.operation + ":variant=" + row.variant;
        if (!experiment.parameters.empty()) text += "," + experiment.parameters;
        texts.push_back(std::move(text));
    }
    Pipeline chain;
    for (const std::string& text : texts) {
        auto step = parseStep(text);
        if (!step) return fail(step.error());
        chain.steps.push_back(std::move(*step));
    }
    return chain;
}

}  // namespace warpscope
