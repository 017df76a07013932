#include "engine/operations/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/image/format_words.h"
#include "engine/operations/cpu_work.h"

namespace warpscope {

VariantSpec automaticVariant(std::string help) {
    return {std::string(kAutomaticVariant), "Automatic", std::move(help)};
}

const AgreementRule& OperationDescription::agreementFor(PixelFormat format) const {
    if (isFloat(format)) return agreementOfFloat;
    return bytesPerSample(format) == 2 && agreementOf16Bits ? *agreementOf16Bits : agreement;
}

const ParamSpec* OperationDescription::findParameter(std::string_view parameterId) const {
    for (const ParamSpec& spec : parameters)
        if (spec.id == parameterId) return &spec;
    return nullptr;
}

const VariantSpec* OperationDescription::findVariant(std::string_view variantId) const {
    for (const auto* list : {&variants, &wrongVariants})
        for (const VariantSpec& spec : *list)
            if (spec.id == variantId) return &spec;
    return nullptr;
}

bool OperationDescription::isWrongOnPurpose(std::string_view variantId) const {
    return std::any_of(wrongVariants.begin(), wrongVariants.end(),
                       [&](const VariantSpec& spec) { return spec.id == variantId; });
}

ParamSet OperationDescription::exampleParameters() const {
    ParamSet given;
    std::string_view rest = example;
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        const ParamSpec* spec = findParameter(one.substr(0, equals));
        if (!spec || equals == std::string_view::npos) continue;
        if (auto value = parseParameter(*spec, one.substr(equals + 1)))
            given.set(spec->id, std::move(*value));
    }
    return resolveParameters(parameters, given).value_or(ParamSet());
}

bool OperationDescription::acceptsFormat(PixelFormat format) const {
    return std::find(accepts.begin(), accepts.end(), format) != accepts.end();
}

Rect Plan::neededInput(const Rect& made) const {
    return intersect(grown(mapped(inputFromOutput(), made), halo),
                     {0, 0, place.reduced.width, place.reduced.height});
}

ImageInfo outputInfo(const Plan& plan, const ImageInfo& info) {
    ImageInfo made = derivedInfo(info, plan.input, plan.output, plan.fillsRange);
    if (plan.addsAlpha) made.hasAlpha = true;
    // The stored samples did not move along.
    if (plan.movesPixels()) {
        made.raw.reset();
        made.rawLabel.clear();
    }
    return made;
}

Result<void> Operation::runCpu(const Plan&, const StepImages&, const MutableImage&,
                               const CpuContext&) const {
    return fail(ErrorCode::Unsupported, description().id + " gives no image");
}

Result<AnalysisResult> Operation::analyzeCpu(const Plan&, const StepImages&,
                                             const CpuContext&) const {
    return fail(ErrorCode::Unsupported, description().id + " is no analysis");
}

Result<AnalysisResult> Operation::resultFrom(const Plan&, std::span<const std::uint64_t>) const {
    return fail(ErrorCode::Unsupported, description().id + " is no analysis");
}

std::vector<ToneCurve> Operation::toneCurves(const Plan&) const {
    return {};
}

Result<PlanPtr> Operation::freeze(const PlanRequest& request, const Image&,
                                  const CpuContext&) const {
    return plan(request);
}

bool Operation::hasTables(const Plan&) const {
    return description().hasTablesOfImage;
}

Result<PlanPtr> Operation::takeTables(const PlanRequest& request, const Image& whole,
                                      const CpuContext& context) const {
    return freeze(request, whole, context);
}

Result<PlanPtr> Operation::withTables(const PlanRequest&, const Plan&) const {
    return fail(ErrorCode::Unsupported, description().id + " has no tables");
}

Result<void> beginPlan(const Operation& operation, const PlanRequest& request, Plan& plan) {
    const OperationDescription& description = operation.description();
    if (!description.findVariant(request.variant)) {
        std::string known;
        for (const VariantSpec& variant : description.variants)
            known += (known.empty() ? "" : ", ") + variant.id;
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} has no variant '{}'; there are {}", description.id,
                                request.variant, known));
    }
    if (!description.acceptsFormat(request.format)) {
        // 32 bits are sums of a small image, labels or squared distances: the format says no more.
        if (request.format == PixelFormat::Gray32)
            return fail(ErrorCode::Unsupported, "does not take sums, labels or squared distances");
        if (request.format == PixelFormat::Gray64)
            return fail(ErrorCode::Unsupported, "does not take the sums of an integral image");
        return fail(ErrorCode::Unsupported,
                    fmt::format("does not take images of {}", formatWords(request.format)));
    }
    if (request.size.empty() || request.size.width > kMaxSide || request.size.height > kMaxSide) {
        return fail(ErrorCode::LimitExceeded,
                    fmt::format("{} x {} is no image size: sides go from 1 to {}",
                                request.size.width, request.size.height, kMaxSide));
    }
    plan.operation = &operation;
    plan.variant = request.variant;
    plan.input = request.format;
    plan.output = request.format;
    plan.size = request.size;
    plan.outputSize = request.size;
    plan.place = request.place.value_or(Placement::all(request.size));
    plan.outputPlace = plan.place;
    return {};
}

void finishPlan(Plan& plan) {
    if (plan.identity) plan.work = 0;
    const auto bytesOf = [](Size size, PixelFormat format) {
        return std::uint64_t(size.pixels()) * std::uint64_t(bytesPerPixel(format));
    };
    // Of the input no more than an output of another size is made of.
    const Rect read =
        plan.neededInput({0, 0, plan.outputPlace.reduced.width, plan.outputPlace.reduced.height});
    const Size used = intersect(read, plan.place.part).size();
    plan.minimalBytes = bytesOf(used, plan.input) * (plan.takesSecond ? 2 : 1);
    if (plan.operation->description().kind == OperationKind::Filter)
        plan.minimalBytes += bytesOf(plan.outputSize, plan.output);
}

Result<void> copyCpu(const Plan& plan, const Image& in, const MutableImage& out,
                     const CpuContext& context) {
    const auto rowBytes = std::size_t(plan.size.width) * std::size_t(bytesPerPixel(plan.input));
    const CpuContext chosen =
        forWork(context, plan.size, 0.025 * double(bytesPerPixel(plan.input)));
    const int height = plan.size.height;
    return forEachRowBand(chosen, height, rowsPerBand(chosen, height, rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y)
                                  std::memcpy(out.rowBytes(y), in.rowBytes(y), rowBytes);
                          });
}

ParamSet scaledParameters(const OperationDescription& description, const ParamSet& parameters,
                          double scale) {
    ParamSet scaled = parameters;
    for (const ParamSpec& spec : description.parameters) {
        if (!spec.spatial || scale == 1.0) continue;
        if (spec.kind == ParamKind::Real) {
            scaled.set(spec.id,
                       std::clamp(parameters.real(spec.id) * scale, spec.hardMin, spec.hardMax));
        } else if (spec.kind == ParamKind::Integer) {
            const std::int64_t given = parameters.integer(spec.id);
            if (spec.zeroIsAutomatic && given == 0) continue;
            const double least = spec.zeroIsAutomatic ? std::max(spec.hardMin, 1.0) : spec.hardMin;
            const double wanted = double(given) * scale;
            auto value = std::int64_t(std::lround(std::clamp(wanted, least, spec.hardMax)));
            // A rule (such as "0 or odd") holds for the scaled value too; the next larger one that
            // keeps it is at most a few steps away.
            while (spec.rule && *spec.rule(double(value)) && double(value) < spec.hardMax) ++value;
            scaled.set(spec.id, value);
        }
    }
    return scaled;
}

}  // namespace warpscope
