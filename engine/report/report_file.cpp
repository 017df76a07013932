#include "engine/report/report_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kSchemaName = "warpscope-timings/";
constexpr int kSchemaVersion = 1;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::size_t kMostRows = 100'000;

// --- reading ---

// Reads members of one object; the first thing that is wrong is kept, and what is read after it
// does not matter.
class Reader {
  public:
    Reader(const Json& object, std::string place, std::optional<Error>& error)
        : m_object(object), m_place(std::move(place)), m_error(error) {
        if (!object.is_object()) wrong("", "must be an object");
    }

    enum class Need { Required, Optional };

    std::string text(const char* key, Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value) return {};
        if (!value->is_string()) return wrong(key, "must be a text"), std::string();
        // Shown in tables and windows: no line breaks, no novels.
        return printable(value->get_ref<const std::string&>(), 1024);
    }

    bool boolean(const char* key) {
        const Json* value = find(key, Need::Required);
        if (!value) return false;
        if (!value->is_boolean()) return wrong(key, "must be true or false"), false;
        return value->get<bool>();
    }

    // A finite number of 0 or more, or null.
    std::optional<double> figure(const char* key, Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value || value->is_null()) return std::nullopt;
        if (!value->is_number()) return wrong(key, "must be a number or null"), std::nullopt;
        const auto number = value->get<double>();
        if (!std::isfinite(number) || number < 0)
            return wrong(key, "must not be negative"), std::nullopt;
        return number;
    }
    double figureOr0(const char* key, Need need = Need::Required) {
        return figure(key, need).value_or(0);
    }

    // As figure, but of any sign: decibels.
    std::optional<double> number(const char* key) {
        const Json* value = find(key, Need::Required);
        if (!value || value->is_null()) return std::nullopt;
        if (!value->is_number()) return wrong(key, "must be a number or null"), std::nullopt;
        return value->get<double>();
    }

    std::uint64_t whole(const char* key, std::uint64_t low, std::uint64_t high,
                        std::uint64_t otherwise, Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value || (need == Need::Optional && value->is_null())) return otherwise;
        const bool fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= low &&
                          value->get<std::uint64_t>() <= high;
        if (!fits) {
            wrong(key, fmt::format("must be a whole number from {} to {}", low, high));
            return otherwise;
        }
        return value->get<std::uint64_t>();
    }
    int integer(const char* key, int low, int high, int otherwise, Need need = Need::Required) {
        // -1 stands for "none" in the program and is not written.
        return int(std::int64_t(whole(key, std::uint64_t(low), std::uint64_t(high),
                                      std::uint64_t(std::int64_t(otherwise)), need)));
    }

    const Json* find(const char* key, Need need) {
        if (m_error || !m_object.is_object()) return nullptr;
        const auto found = m_object.find(key);
        if (found != m_object.end()) return &*found;
        if (need == Need::Required) wrong(key, "is missing");
        return nullptr;
    }

    void wrong(std::string_view key, std::string_view what) {
        if (m_error) return;
        const std::string dot = m_place.empty() || key.empty() ? "" : ".";
        std::string place = fmt::format("{}{}{}", m_place, dot, key);
        if (place.empty()) place = "the file";
        m_error = Error{ErrorCode::InvalidArgument, fmt::format("{} {}", place, what)};
    }

  private:
    const Json& m_object;
    std::string m_place;
    std::optional<Error>& m_error;
};

using Need = Reader::Need;

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
    if (version == kSchemaVersion) return {};
    if (version > kSchemaVersion)
        return fail(ErrorCode::Unsupported,
                    fmt::format("'{}' was written by a newer version of this program, which reads "
                                "'{}{}'",
                                text, kSchemaName, kSchemaVersion));
    return fail(ErrorCode::Unsupported, fmt::format("'{}' is no timing file; expected '{}{}'",
                                                    printable(text), kSchemaName, kSchemaVersion));
}

MachineInfo machineOf(Reader in) {
    MachineInfo machine;
    machine.cpu = in.text("cpu");
    machine.threads = in.integer("threads", 0, 1 << 20, 0);
    machine.simd = in.text("simd");
    machine.gpu = in.text("gpu");
    machine.driver = in.text("driver");
    machine.cuda = in.text("cuda");
    machine.copyGbpsCpu = in.figureOr0("copy_gbps_cpu");
    machine.copyGbpsGpu = in.figureOr0("copy_gbps_gpu");
    machine.copyGbpsCpuSingle = in.figureOr0("copy_gbps_cpu_single", Need::Optional);
    constexpr std::uint64_t kMost = std::uint64_t(1) << 50;
    machine.cacheBytesCpu = in.whole("cache_bytes_cpu", 0, kMost, 0, Need::Optional);
    machine.cacheBytesGpu = in.whole("cache_bytes_gpu", 0, kMost, 0, Need::Optional);
    return machine;
}

ParamSet parametersOf(const Json& object, Reader& in) {
    ParamSet set;
    if (!object.is_object()) return in.wrong("parameters", "must be an object"), set;
    for (const auto& item : object.items()) {
        const std::string id = printable(item.key());
        const Json& value = item.value();
        if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX))
            set.set(id, value.get<double>());
        else if (value.is_number_integer())
            set.set(id, value.get<std::int64_t>());
        else if (value.is_number())
            set.set(id, value.get<double>());
        else if (value.is_string())
            set.set(id, printable(value.get_ref<const std::string&>()));
        else
            in.wrong("parameters." + id, "must be a number or a text");
    }
    return set;
}

std::uint64_t hashOf(const std::string& text, Reader& in) {
    std::uint64_t hash = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (code != std::errc() || end != text.data() + text.size())
        in.wrong("image_hash", "must be a hexadecimal number of 64 bits");
    return hash;
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
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const bool compared = agreement.verdict != Verdict::NotCompared;
    const auto largest = in.figure("max_difference");
    // JSON has no infinity: it was written as null.
    agreement.maxDifference = largest.value_or(compared ? kInfinity : 0);
    if (const Json* differing = in.find("differing", Need::Required);
        differing && !differing->is_null())
        agreement.differing = in.whole("differing", 0, kMost, 0);
    agreement.samples = in.whole("samples", 0, kMost, 0, Need::Optional);
    const auto decibels = in.number("psnr_db");
    if (compared)
        agreement.psnrDb = decibels.value_or(agreement.differing == 0 ? kInfinity : -kInfinity);
    agreement.firstX = in.integer("first_x", 0, kMaxSide, -1, Need::Optional);
    agreement.firstY = in.integer("first_y", 0, kMaxSide, -1, Need::Optional);
    return agreement;
}

StepTiming rowOf(const Json& object, const std::string& place, std::optional<Error>& error) {
    Reader in(object, place, error);
    StepTiming row;
    row.operation = in.text("operation");
    row.variant = in.text("variant");
    if (const Json* parameters = in.find("parameters", Need::Required))
        row.parameters = parametersOf(*parameters, in);
    if (const std::string hash = in.text("image_hash"); !error) row.imageHash = hashOf(hash, in);
    row.imageName = in.text("image", Need::Optional);
    row.experiment = in.text("experiment", Need::Optional);
    row.stepIndex = std::size_t(in.whole("step", 0, 1 << 16, 0, Need::Optional));
    row.method = in.text("method");
    row.launches = in.integer("launches", 1, 1 << 20, 1, Need::Optional);
    row.backendRequested = Place::fromId(in.text("backend_requested"));
    row.backend = Place::fromId(in.text("backend"));
    row.peer = in.text("peer", Need::Optional);
    const std::string reason = in.text("fallback_reason");
    row.threads = in.integer("threads", 0, 1 << 20, 0);
    row.width = in.integer("width", 1, kMaxSide, 1);
    row.height = in.integer("height", 1, kMaxSide, 1);
    const std::string format = in.text("format");
    if (const auto known = formatFromName(format))
        row.format = *known;
    else
        in.wrong("format", "is no pixel format");
    row.cold = in.boolean("cold");
    row.inputs = in.integer("inputs", 1, 1 << 20, 1, Need::Optional);
    row.time.n = in.integer("n", 0, 1 << 30, 0);
    const auto median = in.figure("median_ms");
    row.time.medianMs = median.value_or(0);
    row.time.p10Ms = in.figureOr0("p10_ms");
    row.time.p90Ms = in.figureOr0("p90_ms");
    row.firstCallMs = in.figureOr0("first_call_ms");
    row.uploadMs = in.figureOr0("upload_ms");
    row.kernelMs = in.figureOr0("kernel_ms");
    row.downloadMs = in.figureOr0("download_ms");
    row.endToEndMs = in.figureOr0("end_to_end_ms");
    row.bytesMoved = in.whole("bytes_moved", 0, std::numeric_limits<std::uint64_t>::max(), 0);
    row.gbPerS = in.figureOr0("gb_per_s");
    if (const Json* agreement = in.find("agreement", Need::Required))
        row.agreement = agreementOf(Reader(*agreement, place + ".agreement", error));
    // Without figures the reason is why there are none; with them, why another backend took over.
    const bool measured = median.has_value() && row.time.n > 0;
    if (measured)
        row.fallbackReason = reason;
    else
        row.error = reason.empty() ? "skipped: no samples" : reason;
    return row;
}

// --- writing ---

// JSON has no infinity and no NaN; null says "no such number".
OrderedJson number(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson();
}

OrderedJson parametersOf(const ParamSet& parameters) {
    OrderedJson object = OrderedJson::object();
    for (const auto& [id, value] : parameters.values())
        std::visit([&, &key = id](const auto& v) { object[key] = v; }, value);
    return object;
}

OrderedJson machineOf(const MachineInfo& machine) {
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
OrderedJson rowOf(const StepTiming& row) {
    const bool measured = row.measured();
    const auto figure = [&](double value) { return measured ? number(value) : OrderedJson(); };
    OrderedJson object;
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
        {"max_difference", compared ? number(agreement.maxDifference) : OrderedJson()},
        {"differing", compared ? OrderedJson(agreement.differing) : OrderedJson()},
        {"samples", compared ? OrderedJson(agreement.samples) : OrderedJson()},
        {"first_x", agreement.firstX >= 0 ? OrderedJson(agreement.firstX) : OrderedJson()},
        {"first_y", agreement.firstX >= 0 ? OrderedJson(agreement.firstY) : OrderedJson()},
        // null when identical, because there is no noise to compare with.
        {"psnr_db",
         compared && agreement.differing > 0 ? number(agreement.psnrDb) : OrderedJson()}};
    return object;
}

}  // namespace

std::string toJson(const TimingReport& report) {
    OrderedJson root;
    root["schema"] = "warpscope-timings/1";
    root["program"] = {{"name", "warpscope"}, {"version", report.programVersion}};
    root["machine"] = machineOf(report.machine);
    root["date"] = report.date;
    root["compiler"] = report.compiler;
    OrderedJson results = OrderedJson::array();
    for (const StepTiming& row : report.results) results.push_back(rowOf(row));
    root["results"] = std::move(results);
    return root.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<TimingReport> parseTimings(std::string_view json) {
    if (json.size() > kMostBytes)
        return fail(ErrorCode::LimitExceeded, fmt::format("larger than {} MiB", kMostBytes >> 20));
    auto root = parseStrictJson(json, JsonLimits{kMostBytes, 16, kMostRows});
    if (!root)
        return fail(
            root.error().code,
            fmt::format("this is no timing result file of Warpscope ({})", root.error().message));
    if (auto known = checkSchema(*root); !known) return fail(known.error());
    std::optional<Error> error;
    Reader in(*root, "", error);
    TimingReport report;
    if (const Json* program = in.find("program", Need::Required))
        report.programVersion = Reader(*program, "program", error).text("version");
    if (const Json* machine = in.find("machine", Need::Required))
        report.machine = machineOf(Reader(*machine, "machine", error));
    report.date = in.text("date");
    report.compiler = in.text("compiler");
    if (const Json* results = in.find("results", Need::Required)) {
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
