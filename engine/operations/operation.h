// What an operation is: a description from which controls, options, files and manual are made; a
// plan; a body for the CPU. The body for CUDA consumes the same plan and lives in
// cuda_kernels/<stem>.cu.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/row_bands.h"
#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/operations/parameters.h"

namespace warpscope {

inline constexpr std::string_view kAutomaticVariant = "automatic";

struct VariantSpec {
    std::string id;  // kAutomaticVariant comes first in every list
    std::string label;
    std::string help;    // how it works and what it costs
    std::string source;  // the text it comes from; empty for our own
};

// How closely any two implementations must agree for a timing of one against the other to mean
// anything.
struct AgreementRule {
    double maxDifference = 0;  // per sample, in sample units
    double identicalFraction =
        1.0;            // of the samples; looked at on images of at least 4,096 samples
    double maxUlp = 0;  // float formats: in units in the last place of the largest magnitude
};

enum class OperationKind {
    Filter,   // image to image; can be a step of a pipeline
    Analysis  // image to numbers; offered by timings and the histogram views
};

struct OperationDescription {
    std::string id;        // "gaussian_blur"; the stem of its files
    std::string label;     // "Gaussian blur"
    std::string category;  // "Tone", "Smoothing", "Analysis", ...
    std::string summary;   // one line for lists
    std::string help;      // what it does, when to use it
    std::string formula;   // what is computed, to the bit
    std::string source;    // where it comes from
    OperationKind kind = OperationKind::Filter;
    std::vector<ParamSpec> parameters;
    std::vector<VariantSpec> variants;  // at least `automatic`
    std::vector<PixelFormat>
        accepts;              // others are converted to their 8-bit twin first, which is said
    bool dropsAlpha = false;  // has no alpha to give (grayscale, integral_image)
    bool dependsOnWholeImage =
        false;  // a crop gives another result unless the plan is frozen first
    AgreementRule agreement;
    std::optional<AgreementRule> agreementOf16Bits;  // where 16-bit samples need another

    // The rule for results of this format.
    const AgreementRule& agreementFor(PixelFormat format) const;
    const ParamSpec* findParameter(std::string_view parameterId) const;
    const VariantSpec* findVariant(std::string_view variantId) const;
    bool acceptsFormat(PixelFormat format) const;
};

class Operation;

// What kernels need, computed once in double precision on the host. Immutable; both backends read
// the same object. Each operation derives its own.
struct Plan {
    virtual ~Plan() = default;

    const Operation* operation = nullptr;
    std::string variant{kAutomaticVariant};
    PixelFormat input = PixelFormat::Gray8;
    PixelFormat output = PixelFormat::Gray8;
    Size size;     // of input and output
    int halo = 0;  // input pixels needed beyond an output pixel, on each side
    std::uint64_t minimalBytes =
        0;  // fewest bytes that must move: each input once, each output once
    // The samples are spread over the whole range of their format: what was white before, is not
    // any more.
    bool fillsRange = false;
    bool identity = false;  // output equals input; executors may pass the input on
    // Roughly, on two CPU threads: whether something is to be seen of it before it is done, as long
    // as it has never been timed.
    double guessedMsPerMegapixel = 12;
};
using PlanPtr = std::shared_ptr<const Plan>;

struct PlanRequest {
    ParamSet parameters;  // resolved
    std::string variant{kAutomaticVariant};
    PixelFormat format = PixelFormat::Gray8;  // one that the operation accepts
    Size size;
    // Where this image lies in the one that the person sees: for operations whose result depends on
    // the place of a pixel (noise). Default: it is the whole image.
    Rect window;     // position and size in the whole image; empty: {0, 0, size}
    Size wholeSize;  // empty: size
};

class Operation {
  public:
    virtual ~Operation() = default;

    // Constant; the same object at every call.
    virtual const OperationDescription& description() const = 0;

    // Errors: InvalidArgument (a combination of parameters that each were fine, an unknown
    // variant), Unsupported (a format that the operation does not take, a variant that cannot do
    // these parameters).
    virtual Result<PlanPtr> plan(const PlanRequest& request) const = 0;

    // Filters: computes the whole output, format plan.output, size plan.size. `in` has plan.input
    // and plan.size. Errors: Cancelled (the output is then worthless), OutOfMemory.
    virtual Result<void> runCpu(const Plan& plan, const Image& in, const MutableImage& out,
                                const CpuContext& context) const;

    // For operations that depend on the whole image: a plan for `size` that no longer does, because
    // what it needs was taken from `whole` (which may be a reduced copy of the image). Others
    // return the plan for `size`.
    virtual Result<PlanPtr> freeze(const PlanRequest& request, const Image& whole,
                                   const CpuContext& context) const;
};

// Checks what all plans check (variant known, format accepted, size not empty) and fills the common
// fields; plan() calls it first.
Result<void> beginPlan(const Operation& operation, const PlanRequest& request, Plan& plan);

// The parameters for an image reduced by `scale` (0 to 1]: spatial ones multiplied and clamped to
// their hard range, others as they are. Where 0 means automatic it stays 0, and nothing else
// becomes 0.
ParamSet scaledParameters(const OperationDescription& description, const ParamSet& parameters,
                          double scale);

}  // namespace warpscope
