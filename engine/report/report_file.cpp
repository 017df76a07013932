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

#include "engine/pipeline/parameter_json.h"
#include "engine/pipeline/strict_json.h"

namespace warpscope {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kSchemaName = "warpscope-timings/";
constexpr int kSchemaVersion = 1;
constexpr std::size_t kMostBytes = 64u << 20;
constexpr std::size_t kMostRows = 100'000;

enum class Need { Required, Nullable, Optional };

// Members of one object into variables, which keep what they are where a member is null or may be
// missing. The first thing that is wrong is kept, and what is read after it does not matter.
class Reader {
  public:
    Reader(const Json& object, std::string place, std::optional<Error>& error)
        : m_object(object), m_place(std::move(place)), m_error(error) {
        if (!object.is_object()) wrong("", "must be an object");
    }

    void text(const char* key, std::string& to, Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value) return;
        if (!value->is_string()) return wrong(key, "must be a text");
        // Shown in tables and windows: no line breaks, no novels.
        to = printable(value->get_ref<const std::string&>(), 1024);
    }
    std::string text(const char* key) {
        std::string to;
        text(key, to);
        return to;
    }

    void boolean(const char* key, bool& to) {
        const Json* value = find(key);
        if (!value) return;
        if (!value->is_boolean()) return wrong(key, "must be true or false");
        to = value->get<bool>();
    }

    // Of any sign: decibels.
    void number(const char* key, double& to, Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value || value->is_null()) return;
        if (!value->is_number()) return wrong(key, "must be a number or null");
        to = value->get<double>();
    }
    void figure(const char* key, double& to, Need need = Need::Required) {
        double value = 0;
        number(key, value, need);
        if (!std::isfinite(value) || value < 0) return wrong(key, "must not be negative");
        if (const Json* given = find(key, need); given && !given->is_null()) to = value;
    }

    template <class Whole>
    void whole(const char* key, Whole& to, std::uint64_t low, std::uint64_t high,
               Need need = Need::Required) {
        const Json* value = find(key, need);
        if (!value || (need != Need::Required && value->is_null())) return;
        const bool fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= low &&
                          value->get<std::uint64_t>() <= high;
        if (!fits)
            return wrong(key, fmt::format("must be a whole number from {} to {}", low, high));
        to = Whole(value->get<std::uint64_t>());
    }

    void place(const char* key, Place& to) { to = Place::fromId(text(key)); }

    void hash(const char* key, std::uint64_t& to) {
        const std::string digits = text(key);
        const char* end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, to, 16);
        if (read.ec != std::errc() || read.ptr != end)
            wrong(key, "must be a hexadecimal number of 64 bits");
    }

    void format(const char* key, PixelFormat& to) {
        const auto known = formatFromName(text(key));
        if (!known) return wrong(key, "is no pixel format");
        to = *known;
    }

    void parameters(const char* key, ParamSet& to) {
        const Json* object = find(key);
        if (!object) return;
        if (!object->is_object()) return wrong(key, "must be an object");
        for (const auto& item : object->items()) {
            const std::string id = printable(item.key());
            if (auto value = parameterFromJson(item.value()))
                to.set(id, std::move(*value));
            else
                wrong(fmt::format("{}.{}", key, id), value.error().message);
        }
    }

    const Json* find(const char* key, Need need = Need::Required) {
        if (m_error || !m_object.is_object()) return nullptr;
        const auto found = m_object.find(key);
        if (found != m_object.end()) return &*found;
        if (need != Need::Optional) wrong(key, "is missing");
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

// JSON has no infinity and no NaN; null says "no such number".
OrderedJson numberOrNull(double value) {
    return std::isfinite(value) ? OrderedJson(value) : OrderedJson();
}

// The other way, under the same names.
struct Writer {
    // Figures of a row without samples are null: a 0 would read as infinitely fast.
    bool measured = true;
    OrderedJson object = {};

    void text(const char* key, const std::string& value, Need = {}) { object[key] = value; }
    void boolean(const char* key, bool value) { object[key] = value; }
    void figure(const char* key, double value, Need = {}) {
        object[key] = measured ? numberOrNull(value) : OrderedJson();
    }
    void whole(const char* key, auto value, std::uint64_t, std::uint64_t, Need = {}) {
        object[key] = value;
    }
    void place(const char* key, const Place& value) { object[key] = value.id(); }
    // As text: 64 bits do not fit in the numbers of every JSON reader.
    void hash(const char* key, std::uint64_t value) { object[key] = fmt::format("{:016x}", value); }
    void format(const char* key, PixelFormat value) {
        object[key] = std::string(formatName(value));
    }
    void parameters(const char* key, const ParamSet& value) {
        object[key] = parametersToJson(value);
    }
};

// What a file says of a machine and of a row, once for both ways.
constexpr std::uint64_t kAnyWhole = std::numeric_limits<std::uint64_t>::max();

template <class Io, class Machine>
void members(Io& io, Machine& machine) {
    io.text("cpu", machine.cpu);
    io.whole("threads", machine.threads, 0, 1 << 20);
    io.text("simd", machine.simd);
    io.text("gpu", machine.gpu);
    io.text("driver", machine.driver);
    io.text("cuda", machine.cuda);
    io.figure("copy_gbps_cpu", machine.copyGbpsCpu);
    io.figure("copy_gbps_gpu", machine.copyGbpsGpu);
    io.figure("copy_gbps_cpu_single", machine.copyGbpsCpuSingle, Need::Optional);
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
    io.whole("width", row.width, 1, kMaxSide);
    io.whole("height", row.height, 1, kMaxSide);
    io.format("format", row.format);
    io.boolean("cold", row.cold);
    io.whole("inputs", row.inputs, 1, 1 << 20, Need::Optional);
    io.whole("n", row.time.n, 0, 1 << 30);
    io.figure("median_ms", row.time.medianMs);
    io.figure("p10_ms", row.time.p10Ms);
    io.figure("p90_ms", row.time.p90Ms);
    io.figure("first_call_ms", row.firstCallMs);
    io.figure("upload_ms", row.uploadMs);
    io.figure("kernel_ms", row.kernelMs);
    io.figure("download_ms", row.downloadMs);
    io.figure("end_to_end_ms", row.endToEndMs);
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
    if (version == kSchemaVersion) return {};
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

StepTiming rowOf(const Json& object, const std::string& place, std::optional<Error>& error) {
    Reader in(object, place, error);
    StepTiming row;
    std::string reason;
    members(in, row, reason);
    if (const Json* agreement = in.find("agreement"))
        row.agreement = agreementOf(Reader(*agreement, place + ".agreement", error));
    if (error) return row;
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
    return std::move(out.object);
}

}  // namespace

std::string toJson(const TimingReport& report) {
    OrderedJson root;
    root["schema"] = "warpscope-timings/1";
    root["program"] = {{"name", "warpscope"}, {"version", report.programVersion}};
    Writer machine;
    members(machine, report.machine);
    root["machine"] = std::move(machine.object);
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
    if (const Json* program = in.find("program"))
        report.programVersion = Reader(*program, "program", error).text("version");
    if (const Json* object = in.find("machine")) {
        Reader machine(*object, "machine", error);
        members(machine, report.machine);
    }
    in.text("date", report.date);
    in.text("compiler", report.compiler);
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
