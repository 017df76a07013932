// What an operation is: a description from which controls, options, files and manual are made; a
// plan; a body for the CPU. OperationOf puts the three together; median is a plain example. The
// body for CUDA consumes the same plan and lives in cuda_kernels/<folder>/<stem>.cu.
//
// Descriptions and parameters are written with designated initializers; what has an initializer
// here may be left out.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/row_bands.h"
#include "engine/image/histogram.h"
#include "engine/image/image.h"
#include "engine/image/placement.h"
#include "engine/operations/analysis_table.h"
#include "engine/operations/parameters.h"

namespace warpscope {

inline constexpr std::string_view kAutomaticVariant = "automatic";

// 8 and 16 bits, gray and colour.
inline constexpr PixelFormat kIntegerFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8,
                                                  PixelFormat::Gray16, PixelFormat::Rgba16};
// These and float: what filters take.
inline constexpr PixelFormat kFilterFormats[] = {PixelFormat::Gray8,   PixelFormat::Rgba8,
                                                 PixelFormat::Gray16,  PixelFormat::Rgba16,
                                                 PixelFormat::GrayF32, PixelFormat::RgbaF32};

// A way to compute the same thing.
struct VariantSpec {
    std::string id;
    std::string label;
    // How it works and what it costs.
    std::string help;
    // The text it comes from; empty for our own.
    std::string source = {};
};

// Our own best way, which comes first in every list.
VariantSpec automaticVariant(std::string help = "The only way there is");

// How closely any two implementations must agree for a timing of one against the other to mean
// anything.
struct AgreementRule {
    // Per sample, in sample units.
    double maxDifference = 0;
    // Of the samples; looked at on images of at least 4,096 samples.
    double identicalFraction = 1.0;
    // Float formats: in units in the last place of the largest magnitude.
    double maxUlp = 0;
};

enum class OperationKind {
    // Image to image; can be a step of a pipeline.
    Filter,
    // Image to numbers: never a step. Commands and windows that analyze offer it.
    Analysis
};

struct OperationDescription {
    // "gaussian_blur"; the stem of its files.
    std::string id;
    // "Gaussian blur"
    std::string label;
    // "Tone", "Smoothing", "Analysis", ...
    std::string category;
    // One line for lists.
    std::string summary;
    // What it does, when to use it.
    std::string help;
    // What is computed, to the bit.
    std::string formula;
    // Where it comes from.
    std::string source;
    OperationKind kind = OperationKind::Filter;
    std::vector<ParamSpec> parameters = {};
    std::vector<VariantSpec> variants = {automaticVariant()};
    // Wrong on purpose, for teaching: `help` says the trap and what it does to the result, `source`
    // who walks into it. They run where they are named and are in no list but one of their own.
    // They give every pixel a value and touch no memory but their images'.
    std::vector<VariantSpec> wrongVariants = {};
    // Where the defaults change nothing: parameters that show what it does on any image that is not
    // tiny, for timings and tests. "x=8,y=8", as in a step's text.
    std::string example = {};
    // Others are refused by name.
    std::span<const PixelFormat> accepts = kIntegerFormats;
    // Has no alpha to give (grayscale, integral_image).
    bool dropsAlpha = false;
    // A crop gives another result unless the plan is frozen first.
    bool dependsOnWholeImage = false;
    // Maps levels by a table: toneCurves() gives it.
    bool mapsLevels = false;
    // What it needs of the whole image are tables: takeTables() makes them.
    bool hasTablesOfImage = false;
    AgreementRule agreement = {};
    // Where 16-bit samples need another.
    std::optional<AgreementRule> agreementOf16Bits = {};
    AgreementRule agreementOfFloat = {.maxUlp = 4};

    // The rule for results of this format.
    const AgreementRule& agreementFor(PixelFormat format) const;
    const ParamSpec* findParameter(std::string_view parameterId) const;
    // Of both lists.
    const VariantSpec* findVariant(std::string_view variantId) const;
    bool isWrongOnPurpose(std::string_view variantId) const;
    // Defaults, or what `example` says instead.
    ParamSet exampleParameters() const;
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
    // Of the input.
    Size size;
    // Of the output; as `size` unless the operation says otherwise.
    Size outputSize;
    // Where input and output lie in what the person sees; alike unless the operation moves pixels.
    Placement place;
    Placement outputPlace;
    // Input pixels needed beyond an output pixel, on each side.
    int halo = 0;
    // The operation has two inputs; the second one comes in the format and size of the first.
    bool takesSecond = false;
    // Fewest bytes that must move: each input once, each output once.
    std::uint64_t minimalBytes = 0;
    // Arithmetic that the definition needs, of one run, whatever the variant does. A
    // multiplication, addition, subtraction, division, comparison, minimum, maximum, bitwise
    // operation or table look-up counts 1, a multiplication with addition 2. Shifts that scale
    // fixed point, conversions, addresses and what is done once an image (tables) count nothing. 0:
    // pixels are only moved.
    double work = 0;
    // The samples are spread over the whole range of their format: what was white before, is not
    // any more.
    bool fillsRange = false;
    // The output has alpha that says something, whether the input has or not.
    bool addsAlpha = false;
    // Analyses: how many 64-bit words hold all that a device finds.
    std::size_t resultWords = 0;
    // Output equals input: executors may pass the input on, and no body is called.
    bool identity = false;
    // Roughly, on two CPU threads: whether something is to be seen of it before it is done, as long
    // as it has never been timed.
    double guessedMsPerMegapixel = 12;

    // From coordinates of the output to those of the input, both of the reduced copies that places
    // speak of.
    virtual PixelMap inputFromOutput() const { return {}; }
    // Of the input: what `work` is counted by. Alpha is no colour.
    double pixels() const { return double(size.pixels()); }
    double colorSamples() const { return pixels() * (isColor(input) ? 3 : 1); }
    // The output cannot be laid over the input as it is.
    bool movesPixels() const { return outputSize != size || inputFromOutput() != PixelMap(); }
    // The rectangle of the (reduced) input that a rectangle of the (reduced) output is made of, the
    // halo included, clipped to the input.
    Rect neededInput(const Rect& made) const;
};
using PlanPtr = std::shared_ptr<const Plan>;

// What the output of a plan says, made from an input that says `info`.
ImageInfo outputInfo(const Plan& plan, const ImageInfo& info);

// What an analysis found: an alternative for each form that results have. Whoever shows it asks for
// the form; all between pass it on as it is.
using AnalysisResult = std::variant<HistogramSet, AnalysisTable>;

// Output over input level, both over full scale, at levels the same step apart from 0 to 1.
struct ToneCurve {
    // Luma stands for all colours together.
    HistogramChannel channel = HistogramChannel::Luma;
    std::vector<double> outputs;
};

// Of a table with a new level for each of the 256 or 65,536 old ones.
template <class T>
ToneCurve toneCurveOf(HistogramChannel channel, const std::vector<T>& table) {
    ToneCurve made{channel, {}};
    for (const T level : table) made.outputs.push_back(double(level) / double(table.size() - 1));
    return made;
}

struct PlanRequest {
    // Resolved.
    ParamSet parameters;
    std::string variant{kAutomaticVariant};
    // One that the operation accepts.
    PixelFormat format = PixelFormat::Gray8;
    Size size;
    // Where this image lies in the one that the person sees: for operations that move pixels, and
    // for those whose result depends on the place of a pixel (noise). Nothing: it is that image.
    std::optional<Placement> place = {};
};

// What a step works on. The second one is null unless the plan takes it.
struct StepImages {
    Image first;
    Image second;

    StepImages() = default;
    StepImages(Image one, Image other = {}) : first(std::move(one)), second(std::move(other)) {}
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

    // Filters: computes the whole output, format plan.output, size plan.outputSize. `in` has
    // plan.input and plan.size. Errors: Cancelled (the output is then worthless), OutOfMemory.
    virtual Result<void> runCpu(const Plan& plan, const StepImages& in, const MutableImage& out,
                                const CpuContext& context) const;

    // Analyses: the whole result. `in` as for runCpu. Errors: Cancelled, OutOfMemory.
    virtual Result<AnalysisResult> analyzeCpu(const Plan& plan, const StepImages& in,
                                              const CpuContext& context) const;
    // The same from the plan.resultWords words that a device found.
    virtual Result<AnalysisResult> resultFrom(const Plan& plan,
                                              std::span<const std::uint64_t> words) const;

    // Where description().mapsLevels: the curve of each channel that has one of its own. `plan` is
    // of freeze(). Else, and for a plan without tables, none.
    virtual std::vector<ToneCurve> toneCurves(const Plan& plan) const;

    // For operations that depend on the whole image: a plan for `size` that no longer does, because
    // what it needs was taken from `whole` (which may be a reduced copy of the image). Others
    // return the plan for `size`.
    virtual Result<PlanPtr> freeze(const PlanRequest& request, const Image& whole,
                                   const CpuContext& context) const;

    // Whether takeTables() makes tables for such a plan, small beside its image. `plan`: of plan().
    virtual bool hasTables(const Plan& plan) const;
    // Where hasTables(), for bands of an image on the CPU: as freeze() with all of `whole`, of
    // which nothing is kept.
    virtual Result<PlanPtr> takeTables(const PlanRequest& request, const Image& whole,
                                       const CpuContext& context) const;
    // A plan for another part of the image with the tables of `taken`, which is of takeTables() or
    // freeze() and of a request that differs from this one in size and place alone, or of plan()
    // where nothing has to be counted. Errors: Unsupported (it has no tables of its own), and of
    // plan().
    virtual Result<PlanPtr> withTables(const PlanRequest& request, const Plan& taken) const;
};

// Checks what all plans check (variant known, format accepted, size not empty) and fills the common
// fields.
Result<void> beginPlan(const Operation& operation, const PlanRequest& request, Plan& plan);

// Sets minimalBytes, once the output format is known; an identity has no work.
void finishPlan(Plan& plan);

// The CPU body of a filter: `in` has plan.input and plan.size, `out` plan.output and
// plan.outputSize. May leave early when a stop is asked for, and may throw std::bad_alloc. Errors:
// any.
template <class P>
using CpuBody = Result<void>(const P& plan, const Image& in, const MutableImage& out,
                             const CpuContext& context);
// The same with a second image, of the format and size of the first.
template <class P>
using CpuBodyOfTwo = Result<void>(const P& plan, const Image& in, const Image& second,
                                  const MutableImage& out, const CpuContext& context);

// What runCpu() does for a plan that changes nothing.
CpuBody<Plan> copyCpu;

// An operation of a description, a plan of its own type and a body: all that most are.
template <class P>
class OperationOf : public Operation {
  public:
    // Fills in what is P's own and what differs from the defaults of Plan; the common fields are
    // set. Errors: as Operation::plan.
    using CompletePlan = Result<void>(const PlanRequest& request, P& plan);
    using Curves = std::vector<ToneCurve>(const P& plan);

    // An analysis has no body. `curves`: as toneCurves(), where the description says mapsLevels.
    OperationOf(OperationDescription description, CompletePlan* complete,
                CpuBody<P>* body = nullptr, Curves* curves = nullptr)
        : m_description(std::move(description)),
          m_complete(complete),
          m_body(body),
          m_curves(curves) {}
    OperationOf(OperationDescription description, CompletePlan* complete, CpuBodyOfTwo<P>* body)
        : m_description(std::move(description)), m_complete(complete), m_bodyOfTwo(body) {}

    const OperationDescription& description() const override { return m_description; }

    Result<PlanPtr> plan(const PlanRequest& request) const override {
        return makePlan(request, m_complete);
    }

    // plan(), with something else than `complete`, and as what it is.
    template <class Complete>
    Result<std::shared_ptr<P>> makePlan(const PlanRequest& request, Complete&& complete) const {
        auto plan = std::make_shared<P>();
        if (auto begun = beginPlan(*this, request, *plan); !begun) return fail(begun.error());
        if (auto done = complete(request, *plan); !done) return fail(done.error());
        plan->takesSecond = m_bodyOfTwo != nullptr;
        finishPlan(*plan);
        return plan;
    }

    Result<void> runCpu(const Plan& plan, const StepImages& in, const MutableImage& out,
                        const CpuContext& context) const override {
        if (!m_body && !m_bodyOfTwo) return Operation::runCpu(plan, in, out, context);
        if (plan.identity) return copyCpu(plan, in.first, out, context);
        try {
            const auto& own = static_cast<const P&>(plan);
            auto done = m_body ? m_body(own, in.first, out, context)
                               : m_bodyOfTwo(own, in.first, in.second, out, context);
            // A band that was left early is not whole, though no band was left out.
            if (done && context.stopRequested()) return cancelled();
            return done;
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::OutOfMemory, "not enough memory for this step");
        }
    }

    std::vector<ToneCurve> toneCurves(const Plan& plan) const override {
        return m_curves ? m_curves(static_cast<const P&>(plan)) : Operation::toneCurves(plan);
    }

  private:
    OperationDescription m_description;
    CompletePlan* m_complete;
    CpuBody<P>* m_body = nullptr;
    CpuBodyOfTwo<P>* m_bodyOfTwo = nullptr;
    Curves* m_curves = nullptr;
};

// The parameters for an image reduced by `scale` (0 to 1]: spatial ones multiplied and clamped to
// their hard range, others as they are. Where 0 means automatic it stays 0, and nothing else
// becomes 0.
ParamSet scaledParameters(const OperationDescription& description, const ParamSet& parameters,
                          double scale);

}  // namespace warpscope
