#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/measure/benchmark.h"
#include "engine/measure/published.h"
#include "engine/operations/registry.h"

namespace warpscope {
namespace {

Result<std::vector<const Operation*>> chosenOperations(const BenchmarkPlan& plan) {
    if (plan.operations.empty())
        return plan.chain.steps.empty() ? allOperations() : std::vector<const Operation*>();
    std::vector<const Operation*> chosen;
    for (const std::string& id : plan.operations) {
        const auto operation = requireOperation(id);
        if (!operation) return fail(operation.error());
        if (std::find(chosen.begin(), chosen.end(), *operation) == chosen.end())
            chosen.push_back(*operation);
    }
    return chosen;
}

// Those that are timed, of the parameters in `wanted` where it has any; variants in the order of
// the description, `automatic` first: it gives the reference for the others, those that are wrong
// on purpose included.
Result<std::vector<std::string>> variantsOf(const OperationDescription& description,
                                            const std::vector<std::string>& wanted) {
    for (const std::string& id : wanted)
        if (!description.findVariant(id))
            return fail(ErrorCode::NotFound,
                        fmt::format("{} has no variant '{}'", description.id, id));
    std::vector<std::string> chosen;
    for (const auto* list : {&description.variants, &description.wrongVariants})
        for (const VariantSpec& variant : *list)
            if (std::find(wanted.begin(), wanted.end(), variant.id) != wanted.end())
                chosen.push_back(variant.id);
    return chosen;
}

// With resolved parameters.
Result<std::vector<BenchmarkStep>> stepsOf(const BenchmarkPlan& plan,
                                           const OperationDescription& description) {
    std::vector<BenchmarkStep> steps;
    for (const BenchmarkStep& step : plan.steps)
        if (step.operation == description.id) steps.push_back(step);
    if (steps.empty()) {
        BenchmarkStep& step = steps.emplace_back();
        step.operation = description.id;
        const auto given = plan.parameters.find(description.id);
        step.parameters =
            given == plan.parameters.end() ? description.exampleParameters() : given->second;
        const auto listed = plan.variants.find(description.id);
        if (listed != plan.variants.end()) {
            step.variants = listed->second;
        } else {
            for (const VariantSpec& variant : description.variants)
                if (plan.allVariants || variant.id == kAutomaticVariant)
                    step.variants.push_back(variant.id);
        }
    }
    for (BenchmarkStep& step : steps) {
        auto parameters = resolveParameters(description.parameters, step.parameters);
        if (!parameters) return fail(parameters.error());
        auto variants = variantsOf(description, step.variants);
        if (!variants) return fail(variants.error());
        step.parameters = std::move(*parameters);
        step.variants = std::move(*variants);
    }
    return steps;
}

// Whether the operation gives its input back for this format, so that a figure would say nothing.
bool doesNothing(const Operation& operation, const ParamSet& parameters, PixelFormat format) {
    PlanRequest request;
    request.parameters = parameters;
    request.format = format;
    request.size = {16, 16};
    const auto plan = operation.plan(request);
    return plan && (*plan)->identity;
}

std::vector<PixelFormat> sceneFormats(const Operation& operation, const ParamSet& parameters,
                                      BenchmarkPixels pixels) {
    const bool onlyColor = doesNothing(operation, parameters, PixelFormat::Gray8) &&
                           !doesNothing(operation, parameters, PixelFormat::Rgba8);
    switch (pixels) {
        case BenchmarkPixels::Automatic:
            return {onlyColor ? PixelFormat::Rgba8 : PixelFormat::Gray8};
        case BenchmarkPixels::Color:
            return {PixelFormat::Rgba8};
        case BenchmarkPixels::Gray:
            if (onlyColor) return {};
            return {PixelFormat::Gray8};
        case BenchmarkPixels::Both:
            if (onlyColor) return {PixelFormat::Rgba8};
            return {PixelFormat::Gray8, PixelFormat::Rgba8};
    }
    return {};
}

// One picture that all chosen operations are timed on.
struct Source {
    Size size;
    bool ofImage = false;
};

std::vector<Source> sourcesOf(const BenchmarkPlan& plan) {
    std::vector<Source> sources;
    for (const Size& size : plan.sizes) {
        const auto known = [&](const Source& source) { return source.size == size; };
        if (std::none_of(sources.begin(), sources.end(), known)) sources.push_back({size, false});
    }
    if (!plan.image.isNull()) sources.push_back({plan.image.size(), true});
    std::stable_sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) {
        return a.size.pixels() < b.size.pixels();
    });
    return sources;
}

// A case for every enabled step of the chain, on images of this format.
Result<void> addChain(const BenchmarkPlan& plan, const Source& source, PixelFormat format, int rows,
                      std::vector<BenchmarkCase>& cases) {
    BenchmarkCase one;
    one.sceneSize = one.size = source.size;
    one.sceneFormat = one.format = format;
    one.ofImage = source.ofImage;
    one.ofChain = true;
    one.rows = rows;
    for (std::size_t i = 0; i < plan.chain.steps.size(); ++i) {
        const Step& step = plan.chain.steps[i];
        if (!step.enabled) continue;
        const auto operation = requireOperation(step.operation);
        if (!operation) return fail(operation.error());
        one.operation = *operation;
        one.stepIndex = i;
        one.parameters = step.parameters;
        one.variant = step.variant;
        cases.push_back(one);
        const auto planned = planCase(one);
        if (!planned || (*planned)->identity) continue;
        one.format = (*planned)->output;
        one.size = (*planned)->outputSize;
    }
    return {};
}

// `baselineRows`: of the CPU beside a variant of a GPU; 0 where none is wanted.
Result<void> addPublished(int rows, int baselineRows, std::vector<BenchmarkCase>& cases) {
    for (const PublishedExperiment& experiment : publishedExperiments()) {
        for (const PublishedRow& row : experiment.rows) {
            const auto chain = chainOf(experiment, row);
            const auto operation = requireOperation(experiment.operation);
            if (!operation) return fail(operation.error());
            if (!chain) return fail(chain.error());
            BenchmarkCase one;
            one.operation = *operation;
            one.variant = row.variant;
            // A filter's parameters stand in the last step of its chain; an analysis has the
            // defaults.
            const bool filter = (*operation)->description().kind == OperationKind::Filter;
            if (filter) {
                one.parameters = chain->steps.back().parameters;
            } else {
                auto defaults = resolveParameters((*operation)->description().parameters, {});
                if (!defaults) return fail(defaults.error());
                one.parameters = std::move(*defaults);
            }
            one.size = row.size;
            one.format = experiment.color ? PixelFormat::Rgba8 : PixelFormat::Gray8;
            one.sceneSize = one.size;
            one.sceneFormat = one.format;
            one.experiment = experiment.id;
            one.before = experiment.before;
            const bool best =
                std::any_of(cases.begin(), cases.end(), [&](const BenchmarkCase& known) {
                    return known.experiment == one.experiment && known.size == one.size &&
                           known.variant == kAutomaticVariant && known.parameters == one.parameters;
                });
            if (one.variant != kAutomaticVariant && !best && baselineRows > 0) {
                BenchmarkCase& baseline = cases.emplace_back(one);
                baseline.variant = kAutomaticVariant;
                baseline.baseline = true;
                baseline.rows = baselineRows;
            }
            one.rows = rows;
            cases.push_back(std::move(one));
        }
    }
    return {};
}

}  // namespace

Result<std::vector<BenchmarkCase>> casesOf(const BenchmarkPlan& plan) {
    const std::set<BackendKind> backends(plan.backends.begin(), plan.backends.end());
    const int temperatures = int(plan.warm) + int(plan.cold);
    const int rows = int(backends.size()) * temperatures;
    const bool gpu = backends.contains(BackendKind::Cuda);
    const int cpuRows = rows - (gpu ? temperatures : 0);
    const auto operations = chosenOperations(plan);
    if (!operations) return fail(operations.error());
    for (const Size& size : plan.sizes)
        if (size.empty() || size.width > kMaxSide || size.height > kMaxSide)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} x {} is no size", size.width, size.height));
    for (const auto& [id, variants] : plan.variants)
        if (const auto known = requireOperation(id); !known) return fail(known.error());

    std::vector<BenchmarkCase> cases;
    for (const Source& source : sourcesOf(plan)) {
        const auto formatsFor = [&](const Operation& operation, const ParamSet& parameters) {
            return source.ofImage ? std::vector{plan.image.format()}
                                  : sceneFormats(operation, parameters, plan.pixels);
        };
        for (const Operation* operation : *operations) {
            const auto steps = stepsOf(plan, operation->description());
            if (!steps) return fail(steps.error());
            for (const BenchmarkStep& step : *steps)
                for (const PixelFormat format : formatsFor(*operation, step.parameters)) {
                    BenchmarkCase one{.operation = operation,
                                      .variant = std::string(kAutomaticVariant),
                                      .parameters = step.parameters,
                                      .size = source.size,
                                      .format = format,
                                      .ofImage = source.ofImage,
                                      .sceneSize = source.size,
                                      .sceneFormat = format};
                    const bool best = std::find(step.variants.begin(), step.variants.end(),
                                                kAutomaticVariant) != step.variants.end();
                    if (!best && gpu && cpuRows > 0) {
                        one.baseline = true;
                        one.rows = cpuRows;
                        cases.push_back(one);
                        one.baseline = false;
                    }
                    one.rows = rows;
                    for (const std::string& variant : step.variants) {
                        one.variant = variant;
                        cases.push_back(one);
                    }
                }
        }
        const auto first = std::find_if(plan.chain.steps.begin(), plan.chain.steps.end(),
                                        [](const Step& step) { return step.enabled; });
        if (first == plan.chain.steps.end()) continue;
        const auto operation = requireOperation(first->operation);
        if (!operation) return fail(operation.error());
        for (const PixelFormat format : formatsFor(**operation, first->parameters))
            if (const auto added = addChain(plan, source, format, rows, cases); !added)
                return fail(added.error());
    }
    if (plan.published)
        if (const auto added = addPublished(rows, gpu ? cpuRows : 0, cases); !added)
            return fail(added.error());
    if (cases.empty() || rows == 0)
        return fail(ErrorCode::InvalidArgument,
                    "nothing to time: choose operations, sizes or an image, backends, and warm or "
                    "cold");
    return cases;
}

Result<PlanPtr> planCase(const BenchmarkCase& one) {
    PlanRequest request;
    request.parameters = one.parameters;
    request.variant = one.variant;
    request.format = one.format;
    request.size = one.size;
    return one.operation->plan(request);
}

int peerPlaces(const Peer& peer, const BenchmarkCase& one, const Plan& planned) {
    const auto places = peer.places();
    if (places.empty() || one.variant != kAutomaticVariant || one.baseline) return 0;
    const auto& backend = places.front().second;
    backend->setParameters(one.parameters);
    return backend->supports(planned) ? int(places.size()) : 0;
}

std::size_t rowCount(const BenchmarkPlan& plan, const std::vector<BenchmarkCase>& cases,
                     const PeerSet& peers) {
    const int states = int(plan.warm) + int(plan.cold);
    std::size_t rows = 0;
    for (const BenchmarkCase& one : cases) {
        rows += std::size_t(one.rows);
        if (!plan.peers || !peers.available()) continue;
        const auto planned = planCase(one);
        if (!planned) continue;
        for (const Peer& peer : peers.peers)
            rows += std::size_t(states * peerPlaces(peer, one, **planned));
    }
    return rows;
}

}  // namespace warpscope
