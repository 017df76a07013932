#include "engine/report/report_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/pipeline/strict_json.h"
#include "engine/report/conditions_file.h"
#include "engine/report/json_members.h"
#include "engine/report/sample_text.h"

namespace warpscope {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kSchemaName = "warpscope-timings/";
constexpr int kSchemaVersion = 2;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::size_t kMostRows = 100'000;

// What a file says of a machine and of a row, once for both ways.
template <class Io, class Machine>
void members(Io& io, Machine& machine) {
    io.text("cpu", machine.cpu);
    io.whole("threads", machine.threads, 0, 1 << 20);
    io.text("simd", machine.simd);
    io.text("gpu", machine.gpu);
    io.text("gpu_uuid", machine.gpuUuid, Need::Optional);
    io.text("driver", machine.driver);
    io.text("cuda", machine.cuda);
    io.figure("copy_gbps_cpu", machine.copyGbpsCpu);
    io.figure("copy_gbps_gpu", machine.copyGbpsGpu);
    io.figure("copy_gbps_cpu_single", machine.copyGbpsCpuSingle, Need::Optional);
    io.figure("copy_low_gbps_cpu", machine.copyIntervalCpu.low, Need::Optional);
    io.figure("copy_high_gbps_cpu", machine.copyIntervalCpu.high, Need::Optional);
    io.figure("copy_low_gbps_gpu", machine.copyIntervalGpu.low, Need::Optional);
    io.figure("copy_high_gbps_gpu", machine.copyIntervalGpu.high, Need::Optional);
    io.figure("copy_low_gbps_cpu_single", machine.copyIntervalCpuSingle.low, Need::Optional);
    io.figure("copy_high_gbps_cpu_single", machine.copyIntervalCpuSingle.high, Need::Optional);
    io.figure("peak_gops_cpu", machine.peakGopsCpu, Need::Optional);
    io.figure("peak_gops_gpu", machine.peakGopsGpu, Need::Optional);
    io.figure("peak_gops_cpu_single", machine.peakGopsCpuSingle, Need::Optional);
    io.figure("peak_integer_gops_cpu", machine.peakIntegerGopsCpu, Need::Optional);
    io.figure("peak_integer_gops_cpu_single", machine.peakIntegerGopsCpuSingle, Need::Optional);
    constexpr std::uint64_t kMostBytesOfCache = std::uint64_t(1) << 50;
    io.whole("cache_bytes_cpu", machine.cacheBytesCpu, 0, kMostBytesOfCache, Need::Optional);
    io.whole("cache_bytes_gpu", machine.cacheBytesGpu, 0, kMostBytesOfCache, Need::Optional);
}

// `reason`: without figures why there are none; with them why another backend took over.
template <class Io, class Row, class Text>
void members(Io& io, Row& row, Text& reason) {
    io.text("operation", row.operation);
    io.text("variant", row.variant);
    io.parameters("parameters", row.parameters);
    io.hash("image_hash", row.imageHash);
    io.text("image", row.imageName, Need::Optional);
    io.text("experiment", row.experiment, Need::Optional);
    io.whole("step", row.stepIndex, 0, 1 << 16, Need::Optional);
    io.text("method", row.method);
    io.whole("launches", row.launches, 1, 1 << 20, Need::Optional);
    io.place("backend_requested", row.backendRequested);
    io.place("backend", row.backend);
    io.text("peer", row.peer, Need::Optional);
    io.text("fallback_reason", reason);
    io.whole("threads", row.threads, 0, 1 << 20);
    io.whole("threads_worked", row.threadsWorked, 0, 1 << 20, Need::Optional);
    io.whole("width", row.width, 1, kMaxSide);
    io.whole("height", row.height, 1, kMaxSide);
    io.format("format", row.format);
    io.boolean("cold", row.cold);
    io.whole("inputs", row.inputs, 1, 1 << 20, Need::Optional);
    io.whole("n", row.time.n, 0, 1 << 30);
    io.figure("median_ms", row.time.medianMs);
    io.figure("p10_ms", row.time.p10Ms);
    io.figure("p90_ms", row.time.p90Ms);
    io.whole("rounds", row.time.rounds, 0, 1 << 20, Need::Optional);
    io.figure("low_ms", row.time.lowMs, Need::Optional);
    io.figure("high_ms", row.time.highMs, Need::Optional);
    io.derived("noisy", row.noisy());
    io.figure("first_call_ms", row.firstCallMs);
    io.figure("upload_ms", row.uploadMs);
    io.figure("kernel_ms", row.kernelMs);
    io.figure("download_ms", row.downloadMs);
    io.figure("end_to_end_ms", row.endToEndMs);
    io.figure("end_to_end_low_ms", row.endToEnd.lowMs, Need::Optional);
    io.figure("end_to_end_high_ms", row.endToEnd.highMs, Need::Optional);
    io.derived("end_to_end_noisy", row.measured() && row.endToEnd.noisy());
    io.figure("joules_per_megapixel", row.joulesPerMegapixel, Need::Optional);
    io.whole("bytes_moved", row.bytesMoved, 0, kAnyWhole);
    io.figure("gb_per_s", row.gbPerS);
}

Result<void> checkSchema(const Json& root) {
    const auto wrong = [](std::string text) {
        return fail(ErrorCode::InvalidArgument, std::move(text));
    };
    if (!root.is_object())
        return wrong("this is no timing result file of Warpscope: it must be a JSON object");
    const auto schema = root.find("schema");
    if (schema == root.end() || !schema->is_string())
        return wrong(
            fmt::format("schema is missing: this is no timing result file of Warpscope ('{}{}')",
                        kSchemaName, kSchemaVersion));
    const auto& text = schema->get_ref<const std::string&>();
    int version = 0;
    const char* end = text.data() + text.size();
    if (text.starts_with(kSchemaName)) {
        const auto read = std::from_chars(text.data() + kSchemaName.size(), end, version);
        if (read.ec != std::errc() || read.ptr != end) version = 0;
    }
    if (version >= 1 && version <= kSchemaVersion) return {};
    if (version > kSchemaVersion)
        return fail(ErrorCode::Unsupported,
                    fmt::format("'{}' was written by a newer version of this program, which reads "
                                "'{}{}'",
                                text, kSchemaName, kSchemaVersion));
    return fail(ErrorCode::Unsupported, fmt::format("'{}' is no timing file; expected '{}{}'",
                                                    printable(text), kSchemaName, kSchemaVersion));
}

Agreement agreementOf(Reader in) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Agreement agreement;
    const std::string verdict = in.text("verdict");
    bool known = false;
    for (const Verdict one :
         {Verdict::Identical, Verdict::WithinRule, Verdict::Differs, Verdict::NotCompared}) {
        if (verdictId(one) != verdict) continue;
        agreement.verdict = one;
        known = true;
    }
    if (!known) in.wrong("verdict", "must be identical, within, differs or not compared");
    const bool compared = agreement.verdict != Verdict::NotCompared;
    // JSON has no infinity: it was written as null.
    agreement.maxDifference = compared ? kInfinity : 0;
    in.figure("max_difference", agreement.maxDifference);
    in.whole("differing", agreement.differing, 0, kAnyWhole, Need::Nullable);
    in.whole("samples", agreement.samples, 0, kAnyWhole, Need::Optional);
    double decibels = agreement.differing == 0 ? kInfinity : -kInfinity;
    in.number("psnr_db", decibels);
    if (compared) agreement.psnrDb = decibels;
    in.whole("first_x", agreement.firstX, 0, kMaxSide, Need::Optional);
    in.whole("first_y", agreement.firstY, 0, kMaxSide, Need::Optional);
    return agreement;
}

OrderedJson agreementOf(const Agreement& agreement) {
    const auto given = [](bool known, OrderedJson value) { return known ? value : OrderedJson(); };
    const bool compared = agreement.verdict != Verdict::NotCompared;
    const bool place = agreement.firstX >= 0;
    return {
        {"verdict", std::string(verdictId(agreement.verdict))},
        {"max_difference", given(compared, numberOrNull(agreement.maxDifference))},
        {"differing", given(compared, agreement.differing)},
        {"samples", given(compared, agreement.samples)},
        {"first_x", given(place, agreement.firstX)},
        {"first_y", given(place, agreement.firstY)},
        // null when identical, because there is no noise to compare with.
        {"psnr_db", given(compared && agreement.differing > 0, numberOrNull(agreement.psnrDb))}};
}

struct NamedSamples {
    const char* key;
    Samples StepTiming::*samples;
};
constexpr NamedSamples kSamples[] = {{"samples", &StepTiming::samples},
                                     {"end_to_end_samples", &StepTiming::endToEndSamples},
                                     {"upload_samples", &StepTiming::uploadSamples},
                                     {"download_samples", &StepTiming::downloadSamples}};

void samplesOf(Reader in, Samples& samples) {
    const Json* rounds = in.find("rounds");
    if (rounds && !rounds->is_array()) in.wrong("rounds", "must be a list");
    if (rounds && rounds->is_array()) {
        for (const Json& count : *rounds) {
            const bool fits = count.is_number_unsigned() && count.get<std::uint64_t>() < (1 << 20);
            if (!fits) return in.wrong("rounds", "must be whole numbers");
            samples.perRound.push_back(count.get<int>());
        }
    }
    const Json* text = in.find("float32_zlib_base64");
    if (!rounds || !text) return;
    if (!text->is_string()) return in.wrong("float32_zlib_base64", "must be a text");
    if (const auto read = samplesFromText(text->get_ref<const std::string&>(), samples); !read)
        in.wrong("float32_zlib_base64", read.error().message);
}

StepTiming rowOf(const Json& object, const std::string& place, std::optional<Error>& error) {
    Reader in(object, place, error);
    StepTiming row;
    std::string reason;
    members(in, row, reason);
    if (const Json* agreement = in.find("agreement"))
        row.agreement = agreementOf(Reader(*agreement, place + ".agreement", error));
    for (const auto& [key, samples] : kSamples)
        if (const Json* given = in.find(key, Need::Optional); given && !given->is_null())
            samplesOf(Reader(*given, fmt::format("{}.{}", place, key), error), row.*samples);
    if (error) return row;
    const SampleSummary whole = summarizeRounds(row.endToEndSamples);
    row.endToEnd.n = whole.n > 0 ? whole.n : row.time.n;
    row.endToEnd.rounds = whole.n > 0 ? whole.rounds : row.time.rounds;
    row.endToEnd.p10Ms = whole.p10Ms;
    row.endToEnd.p90Ms = whole.p90Ms;
    row.endToEnd.medianMs = row.endToEndMs;
    const bool measured = !in.find("median_ms")->is_null() && row.time.n > 0;
    if (measured)
        row.fallbackReason = reason;
    else
        row.error = reason.empty() ? "skipped: no samples" : reason;
    return row;
}

OrderedJson rowOf(const StepTiming& row) {
    Writer out{row.measured()};
    members(out, row, row.error.empty() ? row.fallbackReason : row.error);
    out.object["agreement"] = agreementOf(row.agreement);
    for (const auto& [key, member] : kSamples)
        if (const Samples& samples = row.*member; !samples.ms.empty())
            out.object[key] = {{"rounds", samples.perRound},
                               {"float32_zlib_base64", samplesToText(samples)}};
    return std::move(out.object);
}

// All but the rows.
OrderedJson headOf(const TimingReport& report) {
    OrderedJson root;
    root["schema"] = fmt::format("{}{}", kSchemaName, kSchemaVersion);
    root["program"] = {{"name", "warpscope"},
                       {"version", report.programVersion},
                       {"commit", report.commit},
                       {"build", report.build}};
    Writer machine;
    members(machine, report.machine);
    root["machine"] = std::move(machine.object);
    root["date"] = report.date;
    root["compiler"] = report.compiler;
    root["command"] = report.command;
    root["pinned"] = report.pinned;
    Writer conditions;
    conditions.part("before", report.before);
    root["conditions"] = std::move(conditions.object);
    return root;
}

// What is known at the end.
void addEnd(OrderedJson& root, const TimingReport& report) {
    Writer conditions;
    conditions.part("before", report.before);
    conditions.part("after", report.after);
    root["conditions"] = std::move(conditions.object);
    root["complete"] = report.complete;
    root["rows_planned"] = report.rowsPlanned;
}

void commandOf(Reader& in, std::vector<std::string>& command) {
    const Json* words = in.find("command", Need::Optional);
    if (!words || words->is_null()) return;
    if (!words->is_array() || words->size() > 1000)
        return in.wrong("command", "must be a list of words");
    for (const Json& word : *words) {
        if (!word.is_string()) return in.wrong("command", "must be a list of words");
        command.push_back(printable(word.get_ref<const std::string&>(), 4096));
    }
}

void endOf(Reader& in, std::optional<Error>& error, TimingReport& report) {
    // Files of version 1 do not say it.
    if (const Json* both = in.find("conditions", Need::Optional); both && both->is_object()) {
        Reader conditions(*both, "conditions", error);
        conditions.part("before", report.before);
        conditions.part("after", report.after);
    }
    if (in.find("complete", Need::Optional)) in.boolean("complete", report.complete);
    in.whole("rows_planned", report.rowsPlanned, 0, kMostRows, Need::Optional);
}

std::string textOf(const OrderedJson& root, int indent) {
    return root.dump(indent, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void headOf(Reader& in, std::optional<Error>& error, TimingReport& report) {
    if (const Json* program = in.find("program")) {
        Reader of(*program, "program", error);
        of.text("version", report.programVersion);
        of.text("commit", report.commit, Need::Optional);
        of.text("build", report.build, Need::Optional);
    }
    if (const Json* object = in.find("machine")) {
        Reader machine(*object, "machine", error);
        members(machine, report.machine);
    }
    in.text("date", report.date);
    in.text("compiler", report.compiler);
    in.text("pinned", report.pinned, Need::Optional);
    commandOf(in, report.command);
    endOf(in, error, report);
}

Result<Json> jsonOf(std::string_view text) {
    auto root = parseStrictJson(text, JsonLimits{kMostBytes, 16, kMostRows});
    if (!root)
        return fail(
            root.error().code,
            fmt::format("this is no timing result file of Warpscope ({})", root.error().message));
    return root;
}

// A head, a line a row that has changed, and an end, which is missing where the run was cut off.
Result<TimingReport> parseLines(std::string_view text) {
    std::optional<Error> error;
    TimingReport report;
    std::map<std::uint64_t, StepTiming> rows;
    bool ended = false;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        // A line that was cut off with the program says nothing.
        if (end == std::string_view::npos) break;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.find_first_not_of(" \r\t") == std::string_view::npos) continue;
        auto root = jsonOf(line);
        if (!root)
            return fail(root.error().code,
                        fmt::format("line {}: {}", number, root.error().message));
        Reader in(*root, fmt::format("line {}", number), error);
        if (number == 1) {
            if (auto known = checkSchema(*root); !known) return fail(known.error());
            headOf(in, error, report);
        } else if (const Json* row = in.find("row", Need::Optional)) {
            std::uint64_t index = 0;
            in.whole("index", index, 0, kMostRows);
            rows[index] = rowOf(*row, fmt::format("line {}.row", number), error);
        } else {
            endOf(in, error, report);
            ended = true;
        }
        if (error) return fail(*error);
    }
    for (auto& [index, row] : rows) report.results.push_back(std::move(row));
    report.complete = ended && report.complete;
    return report;
}

}  // namespace

std::string toJson(const TimingReport& report) {
    OrderedJson root = headOf(report);
    addEnd(root, report);
    OrderedJson results = OrderedJson::array();
    for (const StepTiming& row : report.results) results.push_back(rowOf(row));
    root["results"] = std::move(results);
    return textOf(root, 2);
}

std::string toJsonLinesHead(const TimingReport& report) {
    OrderedJson root = headOf(report);
    root["stream"] = true;
    return textOf(root, -1);
}

std::string toJsonLine(std::size_t index, const StepTiming& row) {
    return textOf({{"index", index}, {"row", rowOf(row)}}, -1);
}

std::string toJsonLinesEnd(const TimingReport& report) {
    OrderedJson root;
    addEnd(root, report);
    return textOf(root, -1);
}

std::string toJsonLines(const TimingReport& report) {
    std::string text = toJsonLinesHead(report);
    for (std::size_t i = 0; i < report.results.size(); ++i)
        text += toJsonLine(i, report.results[i]);
    return text + toJsonLinesEnd(report);
}

Result<TimingReport> parseTimings(std::string_view json) {
    if (json.size() > kMostBytes)
        return fail(ErrorCode::LimitExceeded, fmt::format("larger than {} MiB", kMostBytes >> 20));
    if (json.substr(0, json.find('\n')).find("\"stream\":true") != std::string_view::npos)
        return parseLines(json);
    auto root = jsonOf(json);
    if (!root) return fail(root.error());
    if (auto known = checkSchema(*root); !known) return fail(known.error());
    std::optional<Error> error;
    Reader in(*root, "", error);
    TimingReport report;
    headOf(in, error, report);
    if (const Json* results = in.find("results")) {
        if (!results->is_array()) in.wrong("results", "must be a list");
        for (std::size_t i = 0; !error && i < results->size(); ++i)
            report.results.push_back(rowOf((*results)[i], fmt::format("results[{}]", i), error));
    }
    if (error) return fail(*error);
    return report;
}

Result<TimingReport> loadTimings(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return fail(ErrorCode::Io, fmt::format("{}: is not a file", file));
    std::ifstream in(file, std::ios::binary);
    if (!in) return fail(ErrorCode::Io, fmt::format("{}: cannot be opened", file));
    std::string text;
    std::string piece(1 << 16, '\0');
    while (in && text.size() <= kMostBytes) {
        in.read(piece.data(), std::streamsize(piece.size()));
        text.append(piece, 0, std::size_t(in.gcount()));
    }
    if (in.bad()) return fail(ErrorCode::Io, fmt::format("{}: cannot be read", file));
    auto report = parseTimings(text);
    if (!report)
        return fail(report.error().code, fmt::format("{}: {}", file, report.error().message));
    return report;
}

}  // namespace warpscope
