// Timing results as the tests of files and texts need them.
#pragma once

#include <limits>

#include "engine/report/report_file.h"

namespace measure_test {

using namespace warpscope;

inline StepTiming row(Place backend, int threads, double median) {
    StepTiming row;
    row.operation = "gaussian_blur";
    row.variant = "automatic";
    row.parameters.set("sigma", 2.0);
    row.parameters.set("size", std::int64_t(0));
    row.backendRequested = row.backend = backend;
    row.threads = threads;
    row.width = 640;
    row.height = 480;
    row.format = PixelFormat::Rgba8;
    row.time = {7, median, median * 0.9, median * 1.2};
    row.firstCallMs = 3 * median;
    row.kernelMs = median;
    row.endToEndMs = backend == BackendKind::Cuda ? 2.0 : median;
    row.uploadMs = backend == BackendKind::Cuda ? 0.75 : 0;
    row.downloadMs = backend == BackendKind::Cuda ? 1.0 : 0;
    row.bytesMoved = 2457600;
    row.gbPerS = 2457600 / (median * 1e6);
    row.imageHash = 0xFEDCBA9876543210ull;
    row.agreement = {Verdict::Identical, 0, 0, 1228800, std::numeric_limits<double>::infinity()};
    return row;
}

inline TimingReport report() {
    TimingReport report;
    report.programVersion = "0.1.0";
    report.compiler = "GCC 12.2";
    report.date = "2026-01-02T03:04:05Z";
    report.machine = {"Some \"CPU\", fast", 16, "AVX2", "", "", "", "", 12.5, 0};
    report.results = {row(BackendKind::CpuSingle, 1, 8.0), row(BackendKind::Cpu, 16, 1.0),
                      row(BackendKind::Cuda, 0, 0.25)};
    return report;
}

inline StepTiming skipped() {
    StepTiming none = row(BackendKind::Cuda, 0, 1);
    none.backend = {};
    none.time = {};
    none.agreement = {};
    none.error = "skipped: no NVIDIA driver, sorry | \"really\"";
    return none;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline StepTiming fullRow() {
    StepTiming row;
    row.operation = "gaussian_blur";
    row.variant = "direct2d";
    row.parameters.set("sigma", 2.0);
    row.parameters.set("size", std::int64_t(5));
    row.parameters.set("method", std::string("weighted601"));
    row.stepIndex = 3;
    row.backendRequested = BackendKind::Cuda;
    row.backend = BackendKind::Cuda;
    row.fallbackReason = "asked for otherwise";
    row.method = "graph";
    row.launches = 87;
    row.width = 640;
    row.height = 479;
    row.format = PixelFormat::RgbaF32;
    row.cold = true;
    row.inputs = 13;
    row.time = {17, 0.1 + 0.2, 1e-7, 12345.678901234567};
    row.firstCallMs = 1.0 / 3;
    row.uploadMs = 0.7;
    row.kernelMs = 0.1 + 0.2;
    row.downloadMs = 0.9;
    row.endToEndMs = 2.1;
    row.bytesMoved = 0xFFFFFFFFFFFFull;
    row.gbPerS = 1234.5;
    row.imageHash = 0xFEDCBA9876543210ull;
    row.imageName = "holiday \"snap\", 1.png";
    row.experiment = "gaussian_filter";
    row.peer = "OpenCV 4.6.0";
    row.agreement = {Verdict::Differs, 3.5, 12, 306560, 48.25, 4, 7};
    return row;
}

inline TimingReport fullReport() {
    TimingReport report;
    report.programVersion = "0.1.0";
    report.compiler = "GCC 12.2";
    report.date = "2026-01-02T03:04:05Z";
    report.machine = {"Some \"CPU\", fast",
                      16,
                      "AVX2",
                      "A GPU",
                      "GPU-0123abcd-0000-1111-2222-333333333333",
                      "13.0",
                      "12.8",
                      12.5,
                      2800.25,
                      9.75,
                      33554432,
                      52428800};
    StepTiming same = fullRow();
    same.agreement = {Verdict::Identical, 0, 0, 1228800, kInfinity, -1, -1};
    StepTiming wild = fullRow();
    wild.agreement = {Verdict::Differs, kInfinity, 3, 100, -kInfinity, 1, 2};
    StepTiming alone = fullRow();
    alone.agreement = {};
    StepTiming skipped;
    skipped.operation = "median";
    skipped.variant = "automatic";
    skipped.backendRequested = BackendKind::Cuda;
    skipped.width = skipped.height = 1;
    skipped.error = "skipped: no NVIDIA driver, sorry";
    report.results = {fullRow(), same, wild, alone, skipped};
    return report;
}

}  // namespace measure_test
