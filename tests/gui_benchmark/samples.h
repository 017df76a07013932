// Results made up for tests of the benchmark window; what is measured is measured elsewhere.
#pragma once

#include <QDir>
#include <QFile>

#include "engine/operations/registry.h"
#include "engine/report/report_file.h"

namespace warpscope::gui {

inline StepTiming rowOf(const std::string& operation, Size size, Place backend, int threads,
                        double ms, double endToEnd = 0) {
    StepTiming row;
    row.operation = operation;
    row.variant = std::string(kAutomaticVariant);
    row.parameters =
        resolveParameters(findOperation(operation)->description().parameters, {}).value();
    row.backendRequested = row.backend = backend;
    row.threads = threads;
    row.width = size.width;
    row.height = size.height;
    row.time = {20, ms, ms * 0.9, ms * 1.2};
    row.kernelMs = ms;
    row.firstCallMs = ms * 3;
    row.endToEndMs = endToEnd > 0 ? endToEnd : ms;
    if (endToEnd > 0) row.uploadMs = row.downloadMs = (endToEnd - ms) / 2;
    row.bytesMoved = std::uint64_t(size.pixels()) * 2;
    row.gbPerS = double(row.bytesMoved) / ms / 1e6;
    row.imageHash = 77;
    row.agreement.verdict = Verdict::Identical;
    row.agreement.samples = std::uint64_t(size.pixels());
    return row;
}

// One thread, eight threads and a GPU; the GPU loses end to end at the small size.
inline TimingReport reportOf(const std::string& machine = "Test GPU") {
    TimingReport report;
    report.programVersion = "0.1.0";
    report.compiler = "test";
    report.date = "2026-01-02T03:04:05Z";
    report.machine.cpu = "Test CPU";
    report.machine.threads = 8;
    report.machine.simd = "AVX2";
    report.machine.gpu = machine;
    report.machine.copyGbpsCpu = 20;
    for (const int side : {256, 1024}) {
        const double scale = side * side / 65536.0;
        const Size size{side, side};
        report.results.push_back(
            rowOf("gaussian_blur", size, BackendKind::CpuSingle, 1, 0.8 * scale));
        report.results.push_back(rowOf("gaussian_blur", size, BackendKind::Cpu, 8, 0.2 * scale));
        report.results.push_back(
            rowOf("gaussian_blur", size, BackendKind::Cuda, 0, 0.01 * scale, 0.5 + 0.02 * scale));
    }
    return report;
}

inline QString writeReport(const QString& folder, const char* name, const TimingReport& report) {
    const QString path = QDir(folder).filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(toJson(report)));
    return path;
}

}  // namespace warpscope::gui
