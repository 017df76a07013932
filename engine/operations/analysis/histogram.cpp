#include "engine/operations/analysis/histogram.h"

#include <algorithm>

#include "engine/image/format_words.h"

namespace warpscope {
namespace {

constexpr const char* kCudaText = "A study of luminance histograms in CUDA";
constexpr const char* kOpenClText = "A study of image histograms in OpenCL";

OperationDescription describe() {
    return {
        .id = "histogram",
        .label = "Histogram",
        .category = "Analysis",
        .summary = "Counts how often each level occurs",
        .help =
            "Counts luma, red, green and blue. Shows exposure, clipped shadows and highlights, "
            "colour casts, and gaps left by earlier steps. Fully transparent pixels count like any "
            "other.",
        .formula =
            "8 bits: 256 bins, 16 bits: 65,536 bins, one a value; luma is the BT.601 gray of "
            "`grayscale`.\n"
            "Float and sums: 256 bins over [low, high], the range of the finite samples: bin = "
            "min(255, floor((v - low) 256 / (high - low))); luma = (19595 R + 38470 G + 7471 B) / "
            "65536. A pixel with NaN or infinity in a colour is counted apart and in no bin.\n"
            "Counts are exact, 64 bits.",
        .source = std::string(kCudaText) + "; " + kOpenClText,
        .kind = OperationKind::Analysis,
        .parameters = {choiceParameter("channel", "Channel",
                                       {{"luma", "Luma", "Brightness; a gray image itself"},
                                        {"red", "Red", "The red samples"},
                                        {"green", "Green", "The green samples"},
                                        {"blue", "Blue", "The blue samples"},
                                        {"all", "All", "Luma, red, green and blue in one pass"}},
                                       "What is counted; a gray image has only luma")},
        .variants = {automaticVariant("Several tables side by side, added up at the end: equal "
                                      "neighbours do not wait for each other"),
                     {"global_atomics", "Global atomics",
                      "Every pixel adds to one array in global memory: pixels of one level wait "
                      "for each other, so flat images are the slowest. 8 bits",
                      kCudaText},
                     {"shared_two_stage", "Shared memory, two stages",
                      "Blocks of 128 threads count 64 pixels a thread in shared memory; a second "
                      "pass adds the blocks' tables up. 8 bits",
                      kCudaText},
                     {"private_subhistograms", "Private sub-histograms",
                      "Every thread has a table of 8-bit counters, added up in its block after 255 "
                      "pixels: no atomics, but 32 KiB of shared memory for 128 threads. 8 bits",
                      kOpenClText}},
        .wrongVariants =
            {{"wrong_8bit_counters", "Wrong: 8-bit counters",
              "Every thread has a table of 8-bit counters for 256 x 256 pixels and adds it up at "
              "the "
              "end only: where a level occurs more than 255 times among them, its counter begins "
              "again at 0 and 256 pixels are lost. Right for small images, so a small test does "
              "not find it. 8 bits",
              kOpenClText},
             {"wrong_missing_barrier", "Wrong: no barrier",
              "The first half of a block's threads adds the table of the block up as soon as it "
              "has counted its own pixels, without waiting for the others: what these count is "
              "lost, another part of it at every run on a GPU. The CPU shows the worst case, half "
              "of every 2,048 pixels of a row. 8 bits",
              kCudaText}},
        .accepts = kAllPixelFormats,
        .dependsOnWholeImage = true};
}

ChannelSet channelsFromId(std::string_view id) {
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (channelName(channel) == id) return ChannelSet::only(channel);
    return ChannelSet::all();
}

Result<void> completeFor(ChannelSet channels, const PlanRequest& request, HistogramPlan& plan) {
    if (request.variant != kAutomaticVariant && bytesPerSample(request.format) != 1)
        return fail(ErrorCode::Unsupported,
                    "histogram counts " + std::string(formatWords(request.format)) +
                        " with the automatic variant only: the others have 256 bins");
    if (!channels.luma && !channels.anyColor())
        return fail(ErrorCode::InvalidArgument, "a histogram needs at least one channel");
    plan.channels = isColor(request.format) ? channels : ChannelSet{};
    plan.binCount = bytesPerSample(request.format) == 2 ? 65536 : 256;
    const std::size_t counted = emptyHistograms(plan).channels.size();
    plan.resultWords = counted * std::size_t(plan.binCount);
    plan.work = countingWork(plan, counted);
    return {};
}

Result<void> completePlan(const PlanRequest& request, HistogramPlan& plan) {
    return completeFor(channelsFromId(request.parameters.choice("channel")), request, plan);
}

class HistogramOperation final : public OperationOf<HistogramPlan> {
  public:
    HistogramOperation() : OperationOf(describe(), completePlan) {}

    Result<AnalysisResult> analyzeCpu(const Plan& plan, const StepImages& in,
                                      const CpuContext& context) const override {
        return countCpu(static_cast<const HistogramPlan&>(plan), in.first, context);
    }

    // Channel after channel.
    Result<AnalysisResult> resultFrom(const Plan& plan,
                                      std::span<const std::uint64_t> words) const override {
        HistogramSet set = emptyHistograms(static_cast<const HistogramPlan&>(plan));
        if (words.size() != plan.resultWords || bytesPerSample(plan.input) > 2)
            return fail(ErrorCode::Internal, "counts of another shape");
        auto from = words.begin();
        for (Histogram& histogram : set.channels) {
            std::copy_n(from, histogram.bins.size(), histogram.bins.begin());
            from += std::ptrdiff_t(histogram.bins.size());
        }
        return set;
    }
};

const HistogramOperation& histogram() {
    static const HistogramOperation operation;
    return operation;
}

}  // namespace

HistogramSet emptyHistograms(const HistogramPlan& plan) {
    HistogramSet set;
    set.size = plan.size;
    set.format = plan.input;
    set.high = fullScale(plan.input);
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (plan.channels.has(channel))
            set.channels.push_back(
                {channel, std::vector<std::uint64_t>(std::size_t(plan.binCount))});
    return set;
}

double countingWork(const HistogramPlan& plan, std::size_t tables) {
    const double luma = isColor(plan.input) && plan.channels.luma ? 6 : 0;
    const double each = bytesPerSample(plan.input) <= 2 ? 1 : 1 + 2 + 4;
    return plan.pixels() * (luma + each * double(tables));
}

Result<PlanPtr> planHistogram(ChannelSet channels, PixelFormat format, Size size) {
    PlanRequest wanted;
    wanted.format = format;
    wanted.size = size;
    return histogram().makePlan(wanted, [&](const PlanRequest& request, HistogramPlan& plan) {
        return completeFor(channels, request, plan);
    });
}

const Operation& histogram_operation() {
    return histogram();
}

}  // namespace warpscope
