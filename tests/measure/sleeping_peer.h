// Another library as a test wants it: what it takes, and as long as it is said to take.
#pragma once

#include <set>
#include <string>

#include "engine/measure/peers.h"
#include "measure/sleeping_backend.h"

namespace warpscope::test {

class SleepingPeer final : public PeerBackend {
  public:
    SleepingPeer(BackendKind kind, FakeClock& clock) : m_inner(kind, clock) {
        m_inner.kernelMs = [this](int) { return nsPerPixel * double(m_pixels) * 1e-6; };
    }

    // What a test sets.
    double nsPerPixel = 10;
    std::set<std::string> known;  // operations
    std::function<void()> duringRun;

    int runs = 0;
    double longestCallMs = 0;

    void setParameters(const ParamSet&) override {}
    const BackendInfo& info() const override { return m_inner.info(); }
    std::uint64_t cacheBytes() const override { return m_inner.cacheBytes(); }
    Result<void> supports(const Plan& plan) const override {
        if (known.contains(plan.operation->description().id)) return {};
        return fail(ErrorCode::Unsupported, "nothing alike");
    }
    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        return m_inner.upload(image, context);
    }
    // Deaf: the context goes nowhere.
    Result<BufferPtr> run(const Plan& plan, const BufferPtr& input, const RunContext&) override {
        note(plan);
        return m_inner.run(plan, input, {});
    }
    Result<AnalysisResult> analyze(const Plan& plan, const BufferPtr& input,
                                   const RunContext&) override {
        note(plan);
        return m_inner.analyze(plan, input, {});
    }
    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        return m_inner.download(buffer, context);
    }
    Result<void> synchronize() override { return m_inner.synchronize(); }
    void setRecording(Recording recording) override { m_inner.setRecording(recording); }
    Result<std::vector<Span>> takeSpans() override { return m_inner.takeSpans(); }
    std::uint64_t memoryAvailable() const override { return 0; }

  private:
    void note(const Plan& plan) {
        ++runs;
        m_pixels = plan.size.pixels();
        longestCallMs = std::max(longestCallMs, nsPerPixel * double(m_pixels) * 1e-6);
        if (duringRun) duringRun();
    }

    SleepingBackend m_inner;
    std::int64_t m_pixels = 0;
};

struct SleepingPeers {
    std::shared_ptr<SleepingPeer> single;
    std::shared_ptr<SleepingPeer> cores;
    SleepingPeers(FakeClock& clock, const std::set<std::string>& known)
        : single(std::make_shared<SleepingPeer>(BackendKind::CpuSingle, clock)),
          cores(std::make_shared<SleepingPeer>(BackendKind::Cpu, clock)) {
        single->known = cores->known = known;
    }
    PeerSet set() const { return {"other", "Other 1.0", single, cores, {}}; }
};

}  // namespace warpscope::test
