// Timing results as files and text: exactly the fields that were promised, the same values after
// saving and loading, and nothing but errors from what is no result file.
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

StepTiming row(Place backend, int threads, double median) {
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

TimingReport report() {
    TimingReport report;
    report.programVersion = "0.1.0";
    report.compiler = "GCC 12.2";
    report.date = "2026-01-02T03:04:05Z";
    report.machine = {"Some \"CPU\", fast", 16, "AVX2", "", "", "", "", 12.5, 0};
    report.results = {row(BackendKind::CpuSingle, 1, 8.0), row(BackendKind::Cpu, 16, 1.0),
                      row(BackendKind::Cuda, 0, 0.25)};
    return report;
}

StepTiming skipped() {
    StepTiming none = row(BackendKind::Cuda, 0, 1);
    none.backend = {};
    none.time = {};
    none.agreement = {};
    none.error = "skipped: no NVIDIA driver, sorry | \"really\"";
    return none;
}

QStringList words(const char* text) {
    QStringList sorted = QString(text).split(' ');
    sorted.sort();
    return sorted;
}

QStringList keysOf(const nlohmann::json& object) {
    QStringList keys;
    for (const auto& item : object.items()) keys << QString::fromStdString(item.key());
    keys.sort();
    return keys;
}

// A plain reader of CSV, for what was written here.
std::vector<std::vector<std::string>> readCsv(const std::string& text) {
    std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            lines.back().back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            lines.back().emplace_back();
        } else if (c == '\n' && !quoted) {
            lines.emplace_back(1);
        } else {
            lines.back().back() += c;
        }
    }
    lines.pop_back();
    return lines;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

StepTiming fullRow() {
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

TimingReport fullReport() {
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

// To the last bit. One after the other, so that a member that is lost is named by its number.
template <class T, class... Members>
void compareMembers(const T& a, const T& b, Members... members) {
    int at = 0;
    const auto compareOne = [&](const auto& x, const auto& y) {
        QVERIFY2(x == y, fmt::format("member {}", at).c_str());
        ++at;
    };
    (compareOne(a.*members, b.*members), ...);
}

void compareRows(const StepTiming& a, const StepTiming& b) {
    using S = StepTiming;
    compareMembers(a, b, &S::operation, &S::variant, &S::parameters, &S::stepIndex,
                   &S::backendRequested, &S::backend, &S::fallbackReason, &S::method, &S::launches,
                   &S::threads, &S::width, &S::height, &S::format, &S::cold, &S::inputs,
                   &S::firstCallMs, &S::uploadMs, &S::kernelMs, &S::downloadMs, &S::endToEndMs,
                   &S::bytesMoved, &S::gbPerS, &S::imageHash, &S::imageName, &S::experiment,
                   &S::peer, &S::error);
    using T = SampleSummary;
    compareMembers(a.time, b.time, &T::n, &T::medianMs, &T::p10Ms, &T::p90Ms);
    using A = Agreement;
    compareMembers(a.agreement, b.agreement, &A::verdict, &A::maxDifference, &A::differing,
                   &A::samples, &A::psnrDb, &A::firstX, &A::firstY);
}

std::string errorOf(const std::string& text) {
    const auto report = parseTimings(text);
    return report ? std::string() : report.error().message;
}

}  // namespace

class ReportTest : public QObject {
    Q_OBJECT
  private slots:
    void jsonHasExactlyTheFields() {
        const std::string text = toJson(report());
        QVERIFY(text.ends_with("}\n"));
        const auto root = nlohmann::json::parse(text);
        QCOMPARE(keysOf(root), words("schema program machine date compiler command pinned "
                                     "conditions complete rows_planned "
                                     "results"));
        QCOMPARE(root["schema"].get<std::string>(), std::string("warpscope-timings/2"));
        QCOMPARE(
            keysOf(root["machine"]),
            words("cpu threads simd gpu gpu_uuid driver cuda copy_gbps_cpu copy_gbps_gpu "
                  "copy_gbps_cpu_single copy_low_gbps_cpu copy_high_gbps_cpu copy_low_gbps_gpu "
                  "copy_high_gbps_gpu copy_low_gbps_cpu_single copy_high_gbps_cpu_single "
                  "cache_bytes_cpu cache_bytes_gpu peak_gops_cpu "
                  "peak_gops_gpu peak_gops_cpu_single peak_integer_gops_cpu "
                  "peak_integer_gops_cpu_single"));
        QCOMPARE(root["results"].size(), std::size_t(3));
        const QStringList fields = words(
            "operation variant parameters image_hash method backend "
            "backend_requested fallback_reason threads width height format cold n "
            "median_ms p10_ms p90_ms first_call_ms upload_ms kernel_ms download_ms "
            "end_to_end_ms bytes_moved gb_per_s image experiment step launches "
            "inputs peer agreement threads_worked rounds low_ms high_ms end_to_end_low_ms "
            "end_to_end_high_ms joules_per_megapixel noisy end_to_end_noisy");
        for (const auto& result : root["results"]) {
            QCOMPARE(keysOf(result), fields);
            QCOMPARE(keysOf(result["agreement"]),
                     words("verdict max_difference differing psnr_db samples first_x first_y"));
        }
        const auto& gpu = root["results"][2];
        QCOMPARE(gpu["median_ms"].get<double>(), 0.25);
        QCOMPARE(gpu["end_to_end_ms"].get<double>(), 2.0);
        QCOMPARE(gpu["parameters"]["sigma"].get<double>(), 2.0);
        QVERIFY(gpu["parameters"]["size"].is_number_integer());
        QCOMPARE(gpu["image_hash"].get<std::string>(), std::string("fedcba9876543210"));
        QCOMPARE(gpu["format"].get<std::string>(), std::string("Rgba8"));
        QVERIFY(gpu["agreement"]["psnr_db"].is_null());
        QCOMPARE(gpu["agreement"]["verdict"].get<std::string>(), std::string("identical"));
    }

    void whatWasNotMeasuredIsNull() {
        TimingReport given = report();
        given.results = {skipped()};
        const auto result = nlohmann::json::parse(toJson(given))["results"][0];
        for (const char* field : {"median_ms", "p10_ms", "p90_ms", "kernel_ms", "end_to_end_ms",
                                  "upload_ms", "gb_per_s", "first_call_ms"})
            QVERIFY2(result[field].is_null(), field);
        QCOMPARE(result["n"].get<int>(), 0);
        // Also where a file gives figures to a row without samples.
        given.results[0].time = report().results[0].time;
        given.results[0].time.n = 0;
        given.results[0].time.lowMs = 0.01 * given.results[0].time.medianMs;
        given.results[0].time.highMs = 9 * given.results[0].time.medianMs;
        given.results[0].endToEnd = given.results[0].time;
        const auto odd = nlohmann::json::parse(toJson(given))["results"][0];
        QVERIFY(odd["low_ms"].is_null());
        QCOMPARE(odd["noisy"].get<bool>(), false);
        QCOMPARE(odd["end_to_end_noisy"].get<bool>(), false);
        QCOMPARE(result["fallback_reason"].get<std::string>(), given.results[0].error);
        QVERIFY(result["agreement"]["differing"].is_null());
        QCOMPARE(result["agreement"]["verdict"].get<std::string>(), std::string("not compared"));
    }

    void nothingInfiniteIsWritten() {
        TimingReport given = report();
        given.results[1].agreement = {Verdict::Differs, std::numeric_limits<double>::infinity(), 3,
                                      100, -std::numeric_limits<double>::infinity()};
        given.machine.copyGbpsGpu = std::numeric_limits<double>::quiet_NaN();
        const auto result = nlohmann::json::parse(toJson(given))["results"][1];
        QVERIFY(result["agreement"]["max_difference"].is_null());
        QCOMPARE(result["agreement"]["differing"].get<int>(), 3);
    }

    void csvIsReadBack() {
        TimingReport given = report();
        given.results.push_back(skipped());
        const auto lines = readCsv(toCsv(given));
        QCOMPARE(lines.size(), std::size_t(5));
        for (const auto& line : lines) QCOMPARE(line.size(), lines[0].size());
        const auto cell = [&](std::size_t line, const std::string& name) {
            const auto at = std::find(lines[0].begin(), lines[0].end(), name);
            return lines[line][std::size_t(at - lines[0].begin())];
        };
        QCOMPARE(cell(1, "median_ms"), std::string("8"));
        QCOMPARE(cell(3, "end_to_end_ms"), std::string("2"));
        QCOMPARE(cell(4, "median_ms"), std::string());
        QCOMPARE(cell(4, "fallback_reason"), given.results[3].error);
        QCOMPARE(cell(1, "parameters"), std::string("sigma=2 size=0"));
    }

    void tableIsAligned() {
        TimingReport given = report();
        given.results.push_back(skipped());
        const QStringList lines = QString::fromStdString(toTable(given)).trimmed().split('\n');
        QCOMPARE(lines.size(), 5);
        const auto column = lines[0].indexOf("backend");
        QVERIFY(column > 0);
        QVERIFY(lines[1].mid(column).startsWith("cpu-single"));
        QVERIFY(lines[3].mid(column).startsWith("cuda"));
        QVERIFY(lines[2].contains("8x 1 thread"));
        QVERIFY(lines[3].contains("kernel only 32x 1 thread"));
        QVERIFY(lines[3].contains("end to end 0.5x best CPU (16 threads)"));
        QVERIFY(lines[4].contains("skipped: no NVIDIA driver"));
        for (const QString& line : lines) QVERIFY(!line.endsWith(' '));
    }

    void differingResultSaysSoInsteadOfASpeedup() {
        TimingReport given = report();
        given.results[2].agreement = {Verdict::Differs, 3, 12, 100, 40, 4, 7};
        const QString line = QString::fromStdString(toTable(given)).split('\n')[3];
        QVERIFY(line.contains("differs in 12 samples, at most by 3, at (4, 7)"));
        QVERIFY(!line.contains("thread"));
    }

    // The second of two equal steps is slower on all cores; each is compared with its own rows.
    void equalStepsOfAChainAreKeptApart() {
        TimingReport given = report();
        for (StepTiming second : report().results) {
            second.stepIndex = 1;
            if (second.backend == BackendKind::CpuSingle)
                second.time.medianMs = second.endToEndMs = 6;
            if (second.backend == BackendKind::Cpu) second.time.medianMs = second.endToEndMs = 3;
            if (second.backend == BackendKind::Cuda)
                second.agreement = {Verdict::Differs, 3, 12, 100, 40, 4, 7};
            given.results.push_back(second);
        }
        const QStringList lines = QString::fromStdString(toTable(given)).split('\n');
        QVERIFY2(lines[2].contains("8x 1 thread"), qPrintable(lines[2]));
        QVERIFY2(lines[3].contains("kernel only 32x 1 thread"), qPrintable(lines[3]));
        QVERIFY2(lines[5].contains("2x 1 thread"), qPrintable(lines[5]));
        QVERIFY2(!lines[6].contains("thread"), qPrintable(lines[6]));
    }

    void markdownKeepsItsColumns() {
        TimingReport given = report();
        given.results.push_back(skipped());
        const QStringList lines = QString::fromStdString(toMarkdown(given)).trimmed().split('\n');
        const auto bars = [](QString line) { return line.remove("\\|").count('|'); };
        QVERIFY(lines[0].contains("16 threads"));
        for (qsizetype i = 3; i < lines.size(); ++i) QCOMPARE(bars(lines[i]), bars(lines[2]));
        QCOMPARE(lines.size(), 2 + 2 + 4);
    }

    void emptyReport() {
        QVERIFY(nlohmann::json::parse(toJson(TimingReport{}))["results"].empty());
        QCOMPARE(readCsv(toCsv(TimingReport{})).size(), std::size_t(1));
        QVERIFY(!toTable(TimingReport{}).empty());
    }

    void sameValuesAfterSavingAndLoading() {
        const TimingReport before = fullReport();
        const auto loaded = parseTimings(toJson(before));
        REQUIRE_OK(loaded);
        QCOMPARE(loaded->programVersion, before.programVersion);
        QCOMPARE(loaded->compiler, before.compiler);
        QCOMPARE(loaded->date, before.date);
        using M = MachineInfo;
        compareMembers(loaded->machine, before.machine, &M::cpu, &M::threads, &M::simd, &M::gpu,
                       &M::gpuUuid, &M::driver, &M::cuda, &M::copyGbpsCpu, &M::copyGbpsGpu,
                       &M::copyGbpsCpuSingle, &M::cacheBytesCpu, &M::cacheBytesGpu);
        QCOMPARE(loaded->results.size(), before.results.size());
        for (std::size_t i = 0; i < before.results.size(); ++i)
            compareRows(loaded->results[i], before.results[i]);
        QCOMPARE(QString::fromStdString(toJson(*loaded)), QString::fromStdString(toJson(before)));
    }

    // Written before there were copies, launches, peers and places of pixels.
    void olderFilesLoad() {
        auto root = nlohmann::json::parse(toJson(fullReport()));
        for (const char* key :
             {"gpu_uuid", "copy_gbps_cpu_single", "cache_bytes_cpu", "cache_bytes_gpu"})
            root["machine"].erase(key);
        for (auto& row : root["results"]) {
            for (const char* key : {"image", "experiment", "step", "launches", "peer", "inputs"})
                row.erase(key);
            for (const char* key : {"samples", "first_x", "first_y"}) row["agreement"].erase(key);
        }
        const auto loaded = parseTimings(root.dump());
        REQUIRE_OK(loaded);
        QCOMPARE(loaded->results[0].launches, 1);
        QCOMPARE(loaded->results[0].inputs, 1);
        QCOMPARE(loaded->results[0].agreement.firstX, -1);
        QCOMPARE(loaded->results[0].time.medianMs, 0.1 + 0.2);
    }

    void shippedFilesLoad() {
        const QDir folder(WARPSCOPE_TIMINGS);
        // A bundle runs far from where it was built.
        if (!folder.exists()) QSKIP("the source tree is not here");
        const auto files = folder.entryList({"*.json"}, QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const QString& file : files) {
            const auto report = loadTimings(folder.filePath(file).toStdString());
            REQUIRE_OK(report);
            QVERIFY(!report->results.empty());
            QVERIFY(!report->machine.gpu.empty());
            bool gpu = false;
            for (const StepTiming& row : report->results)
                gpu = gpu || (row.backend == BackendKind::Cuda && row.measured());
            QVERIFY(gpu);
        }
    }

    void laterKeysOfThisVersionAreIgnored() {
        auto root = nlohmann::json::parse(toJson(fullReport()));
        root["weather"] = "fine";
        root["results"][0]["joules"] = 3;
        QVERIFY(parseTimings(root.dump()));
    }

    void wrongFilesSayWhere_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");  // empty: the key is taken away
        QTest::addColumn<QString>("message");
        const auto add = [](const char* pointer, const char* value, const char* message) {
            QTest::addRow("%s %s", pointer, value) << pointer << value << message;
        };
        add("/schema", "", "schema is missing");
        add("/schema", "\"warpscope-timings/3\"", "newer version");
        add("/schema", "\"warpscope-timings/0\"", "no timing file");
        add("/schema", "\"warpscope-timings/1x\"", "no timing file");
        add("/schema", "\"warpscope-pipeline/1\"", "no timing file");
        add("/machine", "", "machine is missing");
        add("/machine", "[]", "machine must be an object");
        add("/machine/threads", "-4", "machine.threads must be a whole number");
        add("/machine/cpu", "7", "machine.cpu must be a text");
        add("/results", "{}", "results must be a list");
        add("/results/1", "3", "results[1] must be an object");
        add("/results/1/median_ms", "\"fast\"", "results[1].median_ms must be a number");
        add("/results/1/median_ms", "-1", "results[1].median_ms must not be negative");
        add("/results/1/median_ms", "", "results[1].median_ms is missing");
        add("/results/1/width", "0", "results[1].width must be a whole number from 1");
        add("/results/1/width", "2000000", "results[1].width must be a whole number from 1");
        add("/results/1/width", "12.5", "results[1].width must be a whole number from 1");
        add("/results/1/format", "\"Cmyk9\"", "results[1].format is no pixel format");
        add("/results/1/cold", "0", "results[1].cold must be true or false");
        add("/results/1/n", "-1", "results[1].n must be a whole number");
        add("/results/1/n", "1e99", "results[1].n must be a whole number");
        add("/results/1/image_hash", "\"xyz\"", "results[1].image_hash");
        add("/results/1/image_hash", "\"11112222333344445\"", "results[1].image_hash");
        add("/results/1/parameters", "3", "results[1].parameters must be an object");
        add("/results/1/parameters/sigma", "[]", "results[1].parameters.sigma");
        add("/results/1/agreement", "", "results[1].agreement is missing");
        add("/results/1/agreement/verdict", "\"great\"", "results[1].agreement.verdict");
        add("/results/1/agreement/first_x", "-7", "results[1].agreement.first_x");
    }
    void wrongFilesSayWhere() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, message);
        auto root = nlohmann::json::parse(toJson(fullReport()));
        const nlohmann::json::json_pointer place(pointer.toStdString());
        if (value.isEmpty())
            root[place.parent_pointer()].erase(place.back());
        else
            root[place] = nlohmann::json::parse(value.toStdString());
        const std::string error = errorOf(root.dump());
        QVERIFY2(error.find(message.toStdString()) != std::string::npos, error.c_str());
        QVERIFY(error.find('\n') == std::string::npos);
    }

    // Cut anywhere, a file is an error and never a shorter report.
    void truncatedFiles() {
        TimingReport small = fullReport();
        small.results.resize(1);
        const std::string text = toJson(small);
        const std::size_t end = text.rfind('}');
        for (std::size_t length = 0; length < end; length += 7)
            QVERIFY(!errorOf(text.substr(0, length)).empty());
        QVERIFY(!errorOf(text.substr(0, end)).empty());
        QVERIFY(errorOf(text).empty());
    }

    void hostileFiles() {
        QVERIFY(!errorOf("").empty());
        QVERIFY(!errorOf("[]").empty());
        QVERIFY(!errorOf("null").empty());
        QVERIFY(!errorOf("\xFF\xFE{}").empty());
        QVERIFY(!errorOf(std::string(1'000'000, '[')).empty());
        QVERIFY(!errorOf(std::string("{\"schema\":\"warpscope-timings/1\",\"a\":") +
                         std::string(5000, '{'))
                     .empty());
        QVERIFY(errorOf("{\"schema\": \"x\", \"schema\": \"y\"}").find("twice") !=
                std::string::npos);
        std::string rows = "{\"schema\":\"warpscope-timings/1\",\"results\":[0";
        for (int i = 0; i < 100'001; ++i) rows += ",0";
        QVERIFY(errorOf(rows + "]}").find("not allowed") != std::string::npos);
        const auto large = parseTimings(std::string((64u << 20) + 1, ' '));
        REQUIRE_FAILS(large, ErrorCode::LimitExceeded, "");
    }

    void errorsNameTheFile() {
        QTemporaryDir folder;
        const std::string none = folder.filePath("none.json").toStdString();
        QCOMPARE(loadTimings(none).error().code, ErrorCode::Io);
        QVERIFY(loadTimings(none).error().message.find("none.json") != std::string::npos);
        QCOMPARE(loadTimings(folder.path().toStdString()).error().code, ErrorCode::Io);
        QFile file(folder.filePath("bad.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        const auto bad = loadTimings(file.fileName().toStdString());
        QVERIFY(bad.error().message.find("bad.json: schema is missing") != std::string::npos);
    }
};

WARPSCOPE_TEST(ReportTest)
#include "report_test.moc"
