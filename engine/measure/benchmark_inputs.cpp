// What a run needs beside the timing: input images, the reference, trials on a part of an image.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/image/synthetic.h"
#include "engine/measure/benchmark_run.h"
#include "engine/measure/single_run.h"
#include "engine/measure/timing_report.h"

namespace warpscope {
namespace {

// For what needs no exact time.
StepImages withSecond(const Plan& plan, const Image& image) {
    return {image, plan.takesSecond ? image : Image()};
}

}  // namespace

InputCache::InputCache() : m_limit(defaultMemoryBudget() / 2) {}

const InputCache::Entry* InputCache::find(const Key& key) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.key == key; });
    if (found == m_entries.end()) return nullptr;
    std::rotate(m_entries.begin(), found, found + 1);
    return &m_entries.front();
}

const InputCache::Entry& InputCache::keep(Key key, Image image) {
    const std::uint64_t hash = contentHash(image);
    m_entries.insert(m_entries.begin(), Entry{std::move(key), std::move(image), hash});
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        bytes += m_entries[i].image.byteCount();
        if (i > 0 && bytes > m_limit) {
            m_entries.resize(i);
            break;
        }
    }
    return m_entries.front();
}

Result<void> BenchmarkRunner::Run::prepareInput(std::size_t caseIndex) {
    if (m_inputCase == caseIndex) return {};
    const BenchmarkCase& one = m_cases[caseIndex];
    const InputCache::Key key{one.sceneSize, one.sceneFormat, one.before,
                              one.ofChain ? int(one.stepIndex) : -1, one.ofImage};
    const InputCache::Entry* entry = m_inputs.find(key);
    if (!entry) {
        m_inputCase.reset();
        m_input = Image();
        auto image = one.ofChain ? makeChainInput(one) : makeInput(one);
        if (!image) return fail(image.error());
        entry = &m_inputs.keep(key, std::move(*image));
    }
    // What was compared with another input's reference is compared no more.
    if (m_hash != entry->hash || m_input.isNull()) {
        m_reference.reset();
        m_referenceKey.reset();
    }
    m_input = entry->image;
    m_hash = entry->hash;
    m_inputCase = caseIndex;
    return {};
}

Result<Image> BenchmarkRunner::Run::makeInput(const BenchmarkCase& one) {
    auto source = sourceOf(one);
    if (!source) return source;
    return runSteps(*m_runner.m_backends.cpu, std::move(*source), one.before, m_context);
}

Result<Image> BenchmarkRunner::Run::sourceOf(const BenchmarkCase& one) {
    if (one.ofImage) return m_plan.image;
    const InputCache::Key key{one.sceneSize, one.sceneFormat};
    if (const InputCache::Entry* known = m_inputs.find(key)) return known->image;
    return makeScene(one.sceneSize, isColor(one.sceneFormat), 1,
                     CpuContext{Threading::AllCores, m_context.stop, {}});
}

Result<Image> BenchmarkRunner::Run::makeChainInput(const BenchmarkCase& one) {
    auto source = sourceOf(one);
    if (!source) return source;
    ExecuteRequest request;
    request.source = std::move(*source);
    if (one.ofImage) request.second = m_plan.second;
    request.pipeline = m_plan.chain;
    request.pipeline.steps.resize(one.stepIndex + 1);
    request.backend = BackendChoice::Cpu;
    // Keeps what the steps before have made.
    if (!m_chain) m_chain = std::make_unique<Executor>(m_runner.m_backends, defaultMemoryBudget());
    auto inputs = m_chain->stepInputs(request, m_context);
    if (!inputs) return fail(inputs.error());
    const Image& image = inputs->back().image;
    if (image.size() == one.size) return image;
    return fail(
        ErrorCode::Internal,
        fmt::format("step {} has an input of another size than planned", one.stepIndex + 1));
}

bool BenchmarkRunner::Run::isReference(const Job& job) const {
    return job.place == BackendKind::CpuSingle &&
           m_cases[job.caseIndex].variant == kAutomaticVariant;
}

CostSeries BenchmarkRunner::Run::seriesOf(const BenchmarkCase& one, std::string_view variant,
                                          Place place) const {
    return {{one.operation->description().id, std::string(variant), parameterText(one.parameters),
             one.format},
            std::move(place)};
}

CostSeries BenchmarkRunner::Run::seriesOf(const Job& job) const {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    return seriesOf(one, one.variant, job.place);
}

Result<void> BenchmarkRunner::Run::ensureReference(const Job& job) {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    const CostSeries series = seriesOf(one, kAutomaticVariant, BackendKind::CpuSingle);
    const ReferenceKey key{series, m_hash, one.size};
    if (key == m_referenceKey && (m_reference || !isReference(job))) return {};
    if (key != m_referenceKey) m_reference.reset();
    m_referenceKey = key;
    if (isReference(job)) return {};  // its row makes it

    PlanRequest request;
    request.parameters = one.parameters;
    request.format = m_input.format();
    request.size = one.size;
    const auto plan = one.operation->plan(request);
    if (!plan || !m_runner.m_backends.cpuSingle) return {};
    Backend& backend = *m_runner.m_backends.cpuSingle;
    const auto expected = expectedMs(series, kAutomaticVariant, backend, one);
    if (!expected) return fail(expected.error());
    if (*expected && **expected > limitMs()) return {};
    auto made = runOnce(backend, **plan, withSecond(**plan, m_input), m_context);
    if (made)
        m_reference = std::move(*made);
    else if (made.error().code == ErrorCode::Cancelled)
        return fail(made.error());
    return {};
}

Result<std::optional<double>> BenchmarkRunner::Run::expectedMs(const CostSeries& series,
                                                               std::string_view variant,
                                                               Backend& backend,
                                                               const BenchmarkCase& one) {
    if (const auto known = m_costs.msPerRun(series, one.size.pixels())) return known;
    return triedMs(series, variant, backend, one, kTrialSide);
}

Result<std::optional<double>> BenchmarkRunner::Run::expectedPeerMs(const Job& job) {
    const BenchmarkCase& one = m_cases[job.caseIndex];
    if (const auto known = m_costs.msPerRun(seriesOf(job), one.size.pixels())) return known;
    auto small = triedMs(seriesOf(job), one.variant, *job.backend, one, kPeerTrialSide);
    if (!small || !*small) return small;
    // What is fixed weighs heavily in so small a part: a larger one says it better.
    constexpr std::int64_t kLargePixels = std::int64_t(kTrialSide) * kTrialSide;
    if (*m_costs.msPerRun(seriesOf(job), kLargePixels) > longestPeerCallMs()) return small;
    auto large = triedMs(seriesOf(job), one.variant, *job.backend, one, kTrialSide);
    return !large || *large ? large : small;
}

Result<std::optional<double>> BenchmarkRunner::Run::triedMs(const CostSeries& series,
                                                            std::string_view variant,
                                                            Backend& backend,
                                                            const BenchmarkCase& one, int side) {
    const Size part{std::min(side, one.size.width), std::min(side, one.size.height)};
    if (one.size.pixels() < 4 * part.pixels()) return std::optional<double>();
    const Image image = m_input.crop({0, 0, part.width, part.height});
    PlanRequest request;
    request.parameters = one.parameters;
    request.variant = variant;
    request.format = m_input.format();
    request.size = part;
    const auto plan = one.operation->plan(request);
    if (!plan || !backend.supports(**plan)) return std::optional<double>();
    constexpr double kNeedsNoSecondMs = 500;
    const auto tried = tryTwice(backend, **plan, image, kNeedsNoSecondMs);
    if (!tried && tried.error().code == ErrorCode::Cancelled) return fail(tried.error());
    if (!tried) return std::optional<double>();
    m_costs.record(series, part.pixels(), tried->secondMs);
    return m_costs.msPerRun(series, one.size.pixels());
}

Result<BenchmarkRunner::Run::Trial> BenchmarkRunner::Run::tryTwice(Backend& backend,
                                                                   const Plan& plan,
                                                                   const Image& image,
                                                                   double longMs) {
    Trial trial;
    for (int i = 0; i < 2; ++i) {
        const Stopwatch watch(m_clock);
        const auto done = runOnce(backend, plan, withSecond(plan, image), m_context);
        if (!done) return fail(done.error());
        trial.secondMs = watch.elapsedMs();
        if (i == 0) trial.firstMs = trial.secondMs;
        if (trial.secondMs > longMs) break;
    }
    return trial;
}

}  // namespace warpscope
