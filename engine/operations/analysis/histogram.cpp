#include "engine/operations/analysis/histogram.h"

namespace warpscope {
namespace {

constexpr const char* kCudaText = "A study of luminance histograms in CUDA";
constexpr const char* kOpenClText = "A study of image histograms in OpenCL";

OperationDescription describe() {
    OperationDescription d;
    d.id = "histogram";
    d.label = "Histogram";
    d.category = "Analysis";
    d.summary = "Counts how often each level occurs";
    d.help =
        "Counts luma, red, green and blue. Shows exposure, clipped shadows and highlights, colour "
        "casts, and gaps left by earlier steps. Fully transparent pixels count like any other.";
    d.formula =
        "8 bits: 256 bins, 16 bits: 65,536 bins, one a value; luma is the BT.601 gray of "
        "`grayscale`.\n"
        "Float and sums: 256 bins over [low, high], the range of the finite samples: bin = "
        "min(255, floor((v - low) 256 / (high - low))); luma = (19595 R + 38470 G + 7471 B) / "
        "65536. A pixel with NaN or infinity in a colour is counted apart and in no bin.\n"
        "Counts are exact, 64 bits.";
    d.source = std::string(kCudaText) + "; " + kOpenClText;
    d.kind = OperationKind::Analysis;
    ParamSpec channel;
    channel.id = "channel";
    channel.label = "Channel";
    channel.kind = ParamKind::Choice;
    channel.defaultValue = std::string("luma");
    channel.choices = {{"luma", "Luma", "Brightness; a gray image itself"},
                       {"red", "Red", "The red samples"},
                       {"green", "Green", "The green samples"},
                       {"blue", "Blue", "The blue samples"},
                       {"all", "All", "Luma, red, green and blue in one pass"}};
    channel.help = "What is counted; a gray image has only luma";
    d.parameters = {channel};
    d.variants = {{std::string(kAutomaticVariant), "Automatic",
                   "Several tables side by side, added up at the end: equal neighbours do not wait "
                   "for each other",
                   ""},
                  {"global_atomics", "Global atomics",
                   "Every pixel adds to one array in global memory: pixels of one level wait for "
                   "each other, so flat images are the slowest. 8 bits",
                   kCudaText},
                  {"shared_two_stage", "Shared memory, two stages",
                   "Blocks of 128 threads count 64 pixels a thread in shared memory; a second pass "
                   "adds the blocks' tables up. 8 bits",
                   kCudaText},
                  {"private_subhistograms", "Private sub-histograms",
                   "Every thread has a table of 8-bit counters, added up in its block after 255 "
                   "pixels: no atomics, but 32 KiB of shared memory for 128 threads. 8 bits",
                   kOpenClText}};
    d.accepts.assign(std::begin(kAllPixelFormats), std::end(kAllPixelFormats));
    d.dependsOnWholeImage = true;
    return d;
}

ChannelSet channelsFromId(std::string_view id) {
    for (const HistogramChannel channel : kAllHistogramChannels)
        if (channelName(channel) == id) return ChannelSet::only(channel);
    return ChannelSet::all();
}

Result<PlanPtr> makePlan(const Operation& operation, const PlanRequest& request,
                         ChannelSet channels) {
    auto plan = std::make_shared<HistogramPlan>();
    if (auto begun = beginPlan(operation, request, *plan); !begun) return fail(begun.error());
    if (request.variant != kAutomaticVariant && bytesPerSample(request.format) != 1)
        return fail(ErrorCode::Unsupported,
                    "histogram counts " + std::string(formatName(request.format)) +
                        " with the automatic variant only: the published ones have 256 bins");
    if (!channels.luma && !channels.anyColor())
        return fail(ErrorCode::InvalidArgument, "a histogram needs at least one channel");
    plan->channels = isColor(request.format) ? channels : ChannelSet{};
    plan->binCount = bytesPerSample(request.format) == 2 ? 65536 : 256;
    plan->minimalBytes = std::uint64_t(request.size.pixels()) *
                         std::uint64_t(bytesPerPixel(request.format));  // nothing is written
    return plan;
}

class HistogramOperation final : public Operation {
  public:
    const OperationDescription& description() const override {
        static const OperationDescription constant = describe();
        return constant;
    }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        return makePlan(*this, request, channelsFromId(request.parameters.choice("channel")));
    }
};

}  // namespace

Result<PlanPtr> planHistogram(ChannelSet channels, PixelFormat format, Size size) {
    PlanRequest request;
    request.format = format;
    request.size = size;
    return makePlan(histogram_operation(), request, channels);
}

const Operation& histogram_operation() {
    static const HistogramOperation operation;
    return operation;
}

}  // namespace warpscope
