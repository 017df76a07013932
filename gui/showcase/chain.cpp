#include "gui/showcase/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpscope::gui {
namespace {

Error named(const std::string& step, Error error) {
    if (error.code != ErrorCode::Cancelled) error.message = step + ": " + error.message;
    return error;
}

Result<ChainStep> planStep(const Step& step, std::size_t number, PixelFormat& format, Size& size) {
    const auto operation = requireOperation(step.operation);
    if (!operation) return fail(operation.error());
    const OperationDescription& description = (*operation)->description();
    ChainStep planned;
    planned.name = fmt::format("step {}, {}", number + 1, description.id);
    const auto plan = (*operation)->plan({step.parameters, step.variant, format, size});
    if (!plan) return fail(named(planned.name, plan.error()));
    planned.plan = *plan;
    if (planned.plan->takesSecond)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} works on two images; a race has one", planned.name));
    format = planned.plan->output;
    size = planned.plan->outputSize;
    return planned;
}

// The value that walks along the chain.
class Walk {
  public:
    Walk(Backend& backend, const RunContext& context, Image frame)
        : m_backend(backend), m_context(context), m_host(std::move(frame)) {}

    Result<void> step(const ChainStep& step, const RunContext& context) {
        if (m_context.stop.stop_requested()) return cancelled();
        if (step.plan->identity) return {};
        if (!m_buffer) {
            auto uploaded = m_backend.upload(m_host, quiet());
            if (!uploaded) return fail(uploaded.error());
            m_buffer = std::move(*uploaded);
        }
        auto output = m_backend.run(*step.plan, m_buffer, context);
        if (!output) return fail(output.error());
        m_buffer = std::move(*output);
        m_host = {};
        return {};
    }

    Result<Image> host() {
        if (!m_host.isNull()) return m_host;
        auto image = m_backend.download(m_buffer, quiet());
        if (image) m_host = *image;
        return image;
    }

  private:
    RunContext quiet() const { return {m_context.stop, {}}; }

    Backend& m_backend;
    const RunContext& m_context;
    Image m_host;
    BufferPtr m_buffer;
};

RunContext partOf(const RunContext& context, std::size_t step, std::size_t count) {
    if (!context.progress) return context;
    return {context.stop, [&sink = context.progress, step, count](double fraction) {
                sink((double(step) + fraction) / double(count));
            }};
}

}  // namespace

Result<Chain> planChain(const Pipeline& pipeline, PixelFormat format, Size size) {
    Chain chain;
    for (std::size_t i = 0; i < pipeline.steps.size(); ++i) {
        if (!pipeline.steps[i].enabled) continue;
        auto step = planStep(pipeline.steps[i], i, format, size);
        if (!step) return fail(step.error());
        chain.push_back(std::move(*step));
    }
    if (chain.size() == 1) chain[0].name = chain[0].plan->operation->description().id;
    if (chain.empty())
        return fail(ErrorCode::InvalidArgument, "the pipeline has no step that is on");
    if (std::all_of(chain.begin(), chain.end(),
                    [](const ChainStep& s) { return s.plan->identity; }))
        return fail(ErrorCode::InvalidArgument, "this leaves such an image as it is");
    return chain;
}

Result<Image> runChain(Backend& backend, const Chain& chain, const Image& frame,
                       const RunContext& context, std::vector<StepProbe>* probes) {
    for (const ChainStep& step : chain)
        if (const auto able = backend.supports(*step.plan); !able) return fail(able.error());
    Walk walk(backend, context, frame);
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const auto name = [&](const Error& error) {
            return chain.size() > 1 ? named(chain[i].name, error) : error;
        };
        StepProbe probe;
        if (probes) {
            auto input = walk.host();
            if (!input) return fail(name(input.error()));
            probe.input = std::move(*input);
        }
        if (const auto done = walk.step(chain[i], partOf(context, i, chain.size())); !done)
            return fail(name(done.error()));
        if (!probes) continue;
        auto output = walk.host();
        if (!output) return fail(name(output.error()));
        probe.output = std::move(*output);
        probes->push_back(std::move(probe));
    }
    auto image = walk.host();
    if (!image) return image;
    // Nothing may be left to do when the clock stops.
    if (const auto done = backend.synchronize(); !done) return fail(done.error());
    return image;
}

Result<ChainAgreement> compareProbes(Backend& backend, const Chain& chain,
                                     const std::vector<StepProbe>& reference,
                                     const std::vector<StepProbe>& probes,
                                     const RunContext& context) {
    ChainAgreement result;
    result.agreement.verdict = Verdict::Identical;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        Image output = probes[i].output;
        if (i > 0 && !sameSamples(reference[i].input, probes[i].input)) {
            auto again = runChain(backend, {chain[i]}, reference[i].input, context);
            if (!again) return fail(again.error());
            output = std::move(*again);
        }
        const Agreement agreement =
            compareImages(reference[i].output, output,
                          chain[i].plan->operation->description().agreementFor(output.format()));
        if (agreement.verdict == Verdict::Identical) {
            if (result.step.empty()) result.agreement = agreement;
            continue;
        }
        result = {agreement, chain[i].name};
        if (!agreement.allowsSpeedup()) break;
    }
    return result;
}

}  // namespace warpscope::gui
