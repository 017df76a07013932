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
    if (plan.operations.empty()) return allOperations();
    std::vector<const Operation*> chosen;
    for (const std::string& id : plan.operations) {
        const auto operation = requireOperation(id);
        if (!operation) return fail(operation.error());
        if (std::find(chosen.begin(), chosen.end(), *operation) == chosen.end())
            chosen.push_back(*operation);
    }
    return chosen;
}

// In the order of the description, `automatic` first: it gives the reference for the others.
Result<std::vector<std::string>> chosenVariants(const BenchmarkPlan& plan,
                                                const OperationDescription& description) {
    const auto listed = plan.variants.find(description.id);
    std::vector<std::string> chosen;
    for (const VariantSpec& variant : description.variants) {
        const bool wanted = listed != plan.variants.end()
                                ? std::find(listed->second.begin(), listed->second.end(),
                                            variant.id) != listed->second.end()
                                : plan.allVariants || variant.id == kAutomaticVariant;
        if (wanted) chosen.push_back(variant.id);
    }
    if (listed == plan.variants.end()) return chosen;
    for (const std::string& id : listed->second)
        if (!description.findVariant(id))
            return fail(ErrorCode::NotFound,
                        fmt::format("{} has no variant '{}'", description.id, id));
    return chosen;
}

Result<ParamSet> parametersOf(const BenchmarkPlan& plan, const OperationDescription& description) {
    const auto given = plan.parameters.find(description.id);
    if (given == plan.parameters.end()) return description.exampleParameters();
    return resolveParameters(description.parameters, given->second);
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

Result<void> addPublished(int rows, std::vector<BenchmarkCase>& cases) {
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
            one.experiment = experiment.id;
            one.before = experiment.before;
            one.rows = rows;
            cases.push_back(std::move(one));
        }
    }
    return {};
}

}  // namespace

Result<std::vector<BenchmarkCase>> casesOf(const BenchmarkPlan& plan) {
    const std::set<BackendKind> backends(plan.backends.begin(), plan.backends.end());
    const int rows = int(backends.size()) * (int(plan.warm) + int(plan.cold));
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
        for (const Operation* operation : *operations) {
            const auto parameters = parametersOf(plan, operation->description());
            if (!parameters) return fail(parameters.error());
            const auto variants = chosenVariants(plan, operation->description());
            if (!variants) return fail(variants.error());
            const auto formats = source.ofImage
                                     ? std::vector{plan.image.format()}
                                     : sceneFormats(*operation, *parameters, plan.pixels);
            for (const PixelFormat format : formats)
                for (const std::string& variant : *variants)
                    cases.push_back({operation,
                                     variant,
                                     *parameters,
                                     source.size,
                                     format,
                                     source.ofImage,
                                     {},
                                     {},
                                     rows});
        }
    }
    if (plan.published)
        if (const auto added = addPublished(rows, cases); !added) return fail(added.error());
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

bool peerGivesRows(const PeerSet& peers, const BenchmarkCase& one, const Plan& planned) {
    if (!peers.available() || one.variant != kAutomaticVariant) return false;
    peers.single->setParameters(one.parameters);
    return peers.single->supports(planned).has_value();
}

std::size_t rowCount(const BenchmarkPlan& plan, const std::vector<BenchmarkCase>& cases,
                     const PeerSet& peers) {
    const int ofPeer = 2 * (int(plan.warm) + int(plan.cold));  // one thread and all cores
    std::size_t rows = 0;
    for (const BenchmarkCase& one : cases) {
        rows += std::size_t(one.rows);
        if (!plan.peers || !peers.available()) continue;
        const auto planned = planCase(one);
        if (planned && peerGivesRows(peers, one, **planned)) rows += std::size_t(ofPeer);
    }
    return rows;
}

}  // namespace warpscope
