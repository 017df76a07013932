#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/report/report_file.h"

namespace warpscope {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity and no NaN; null says "no such number".
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json parametersOf(const ParamSet& parameters) {
    Json object = Json::object();
    for (const auto& [id, value] : parameters.values())
        std::visit([&, &key = id](const auto& v) { object[key] = v; }, value);
    return object;
}

Json machineOf(const MachineInfo& machine) {
    return {{"cpu", machine.cpu},
            {"threads", machine.threads},
            {"simd", machine.simd},
            {"gpu", machine.gpu},
            {"driver", machine.driver},
            {"cuda", machine.cuda},
            {"copy_gbps_cpu", number(machine.copyGbpsCpu)},
            {"copy_gbps_gpu", number(machine.copyGbpsGpu)},
            {"copy_gbps_cpu_single", number(machine.copyGbpsCpuSingle)},
            {"cache_bytes_cpu", machine.cacheBytesCpu},
            {"cache_bytes_gpu", machine.cacheBytesGpu}};
}

// Figures of a row without samples are null: a 0 would read as infinitely fast.
Json rowOf(const StepTiming& row) {
    const bool measured = row.measured();
    const auto figure = [&](double value) { return measured ? number(value) : Json(); };
    Json object;
    object["operation"] = row.operation;
    object["variant"] = row.variant;
    object["parameters"] = parametersOf(row.parameters);
    // As text: 64 bits do not fit in the numbers of every JSON reader.
    object["image_hash"] = fmt::format("{:016x}", row.imageHash);
    object["image"] = row.imageName;
    object["experiment"] = row.experiment;
    object["step"] = row.stepIndex;
    object["method"] = row.method;
    object["launches"] = row.launches;
    object["backend_requested"] = row.backendRequested.id();
    object["backend"] = row.backend.id();
    object["peer"] = row.peer;
    object["fallback_reason"] = row.error.empty() ? row.fallbackReason : row.error;
    object["threads"] = row.threads;
    object["width"] = row.width;
    object["height"] = row.height;
    object["format"] = std::string(formatName(row.format));
    object["cold"] = row.cold;
    object["inputs"] = row.inputs;
    object["n"] = row.time.n;
    object["median_ms"] = figure(row.time.medianMs);
    object["p10_ms"] = figure(row.time.p10Ms);
    object["p90_ms"] = figure(row.time.p90Ms);
    object["first_call_ms"] = figure(row.firstCallMs);
    object["upload_ms"] = figure(row.uploadMs);
    object["kernel_ms"] = figure(row.kernelMs);
    object["download_ms"] = figure(row.downloadMs);
    object["end_to_end_ms"] = figure(row.endToEndMs);
    object["bytes_moved"] = row.bytesMoved;
    object["gb_per_s"] = figure(row.gbPerS);
    const Agreement& agreement = row.agreement;
    const bool compared = agreement.verdict != Verdict::NotCompared;
    object["agreement"] = {
        {"verdict", std::string(verdictId(agreement.verdict))},
        {"max_difference", compared ? number(agreement.maxDifference) : Json()},
        {"differing", compared ? Json(agreement.differing) : Json()},
        {"samples", compared ? Json(agreement.samples) : Json()},
        {"first_x", agreement.firstX >= 0 ? Json(agreement.firstX) : Json()},
        {"first_y", agreement.firstX >= 0 ? Json(agreement.firstY) : Json()},
        // null when identical, because there is no noise to compare with.
        {"psnr_db", compared && agreement.differing > 0 ? number(agreement.psnrDb) : Json()}};
    return object;
}

}  // namespace

std::string toJson(const TimingReport& report) {
    Json root;
    root["schema"] = "warpscope-timings/1";
    root["program"] = {{"name", "warpscope"}, {"version", report.programVersion}};
    root["machine"] = machineOf(report.machine);
    root["date"] = report.date;
    root["compiler"] = report.compiler;
    Json results = Json::array();
    for (const StepTiming& row : report.results) results.push_back(rowOf(row));
    root["results"] = std::move(results);
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpscope
