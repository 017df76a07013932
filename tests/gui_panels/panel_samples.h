// Histograms and timings made by hand, for tests of the panels.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "engine/image/histogram.h"
#include "engine/worker/render_worker.h"

namespace warpscope::test {

inline std::vector<std::uint64_t> ramp(std::size_t bins) {
    std::vector<std::uint64_t> counts(bins);
    for (std::size_t i = 0; i < bins; ++i) counts[i] = i % 7;
    return counts;
}

inline HistogramSet graySet(std::vector<std::uint64_t> bins,
                            PixelFormat format = PixelFormat::Gray8) {
    HistogramSet set;
    set.format = format;
    set.low = 0;
    set.high = double(bins.size() - 1);
    Histogram histogram{HistogramChannel::Luma, std::move(bins)};
    set.size = {int(histogram.total()), 1};
    set.channels.push_back(std::move(histogram));
    return set;
}

// Four channels: bin i of channel c has (i * 7 + c * 13) % 50 counts, so that no two are alike.
inline HistogramSet colorSet() {
    HistogramSet set;
    set.format = PixelFormat::Rgba8;
    for (const HistogramChannel channel : kAllHistogramChannels) {
        Histogram histogram{channel, std::vector<std::uint64_t>(256)};
        for (std::size_t i = 0; i < 256; ++i)
            histogram.bins[i] = (i * 7 + std::size_t(channel) * 13) % 50;
        set.size = {int(histogram.total()), 1};
        set.channels.push_back(std::move(histogram));
    }
    return set;
}

inline TimingReady cpuRow(std::size_t step, bool single, double ms) {
    TimingReady row;
    row.stepIndex = step;
    StepTiming& t = row.timing;
    t.operation = "gaussian_blur";
    t.variant = "automatic";
    t.parameters.set("sigma", 2.0);
    t.backendRequested = t.backend = single ? BackendKind::CpuSingle : BackendKind::Cpu;
    t.threads = single ? 1 : 16;
    t.width = 1920;
    t.height = 1280;
    t.format = PixelFormat::Rgba8;
    t.time = {21, ms, ms * 0.95, ms * 1.1};
    t.endToEndMs = ms;
    t.gbPerS = 19.66 / ms;
    t.agreement.verdict = Verdict::Identical;
    t.agreement.psnrDb = std::numeric_limits<double>::infinity();
    return row;
}

inline TimingReady gpuRow(std::size_t step, double kernelMs) {
    TimingReady row = cpuRow(step, false, kernelMs);
    StepTiming& t = row.timing;
    t.backendRequested = t.backend = BackendKind::Cuda;
    t.threads = 0;
    t.kernelMs = kernelMs;
    t.uploadMs = 0.8;
    t.downloadMs = 0.7;
    t.endToEndMs = kernelMs + 1.6;
    return row;
}

inline TimingReady noGpuRow(std::size_t step, const std::string& reason) {
    TimingReady row = cpuRow(step, false, 1);
    StepTiming& t = row.timing;
    t.backendRequested = BackendKind::Cuda;
    t.backend = {};
    t.time = {};
    t.error = "skipped: " + reason;
    return row;
}

}  // namespace warpscope::test
