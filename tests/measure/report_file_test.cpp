// Result files: the same values after saving and loading, and nothing but errors from what is no
// result file.
#include <QtTest>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/report/report_file.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

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

// One after the other, so that a field that is lost is named.
void compareRows(const StepTiming& a, const StepTiming& b) {
    QCOMPARE(a.operation, b.operation);
    QCOMPARE(a.variant, b.variant);
    QVERIFY(a.parameters == b.parameters);
    QCOMPARE(a.stepIndex, b.stepIndex);
    QCOMPARE(a.backendRequested, b.backendRequested);
    QCOMPARE(a.backend, b.backend);
    QCOMPARE(a.fallbackReason, b.fallbackReason);
    QCOMPARE(a.method, b.method);
    QCOMPARE(a.launches, b.launches);
    QCOMPARE(a.threads, b.threads);
    QCOMPARE(a.width, b.width);
    QCOMPARE(a.height, b.height);
    QCOMPARE(a.format, b.format);
    QCOMPARE(a.cold, b.cold);
    QCOMPARE(a.inputs, b.inputs);
    QCOMPARE(a.time.n, b.time.n);
    // To the last bit, which QCOMPARE of doubles does not ask for.
    QVERIFY(a.time.medianMs == b.time.medianMs);
    QVERIFY(a.time.p10Ms == b.time.p10Ms);
    QVERIFY(a.time.p90Ms == b.time.p90Ms);
    QVERIFY(a.firstCallMs == b.firstCallMs);
    QVERIFY(a.uploadMs == b.uploadMs);
    QVERIFY(a.kernelMs == b.kernelMs);
    QVERIFY(a.downloadMs == b.downloadMs);
    QVERIFY(a.endToEndMs == b.endToEndMs);
    QCOMPARE(a.bytesMoved, b.bytesMoved);
    QVERIFY(a.gbPerS == b.gbPerS);
    QCOMPARE(a.imageHash, b.imageHash);
    QCOMPARE(a.imageName, b.imageName);
    QCOMPARE(a.experiment, b.experiment);
    QCOMPARE(a.peer, b.peer);
    QCOMPARE(a.error, b.error);
    QCOMPARE(a.agreement.verdict, b.agreement.verdict);
    QVERIFY(a.agreement.maxDifference == b.agreement.maxDifference);
    QCOMPARE(a.agreement.differing, b.agreement.differing);
    QCOMPARE(a.agreement.samples, b.agreement.samples);
    QVERIFY(a.agreement.psnrDb == b.agreement.psnrDb);
    QCOMPARE(a.agreement.firstX, b.agreement.firstX);
    QCOMPARE(a.agreement.firstY, b.agreement.firstY);
}

std::string errorOf(const std::string& text) {
    const auto report = parseTimings(text);
    return report ? std::string() : report.error().message;
}

}  // namespace

class ReportFileTest : public QObject {
    Q_OBJECT
  private slots:
    void sameValuesAfterSavingAndLoading() {
        const TimingReport before = fullReport();
        const auto loaded = parseTimings(toJson(before));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->programVersion, before.programVersion);
        QCOMPARE(loaded->compiler, before.compiler);
        QCOMPARE(loaded->date, before.date);
        const MachineInfo& a = loaded->machine;
        const MachineInfo& b = before.machine;
        QCOMPARE(a.cpu, b.cpu);
        QCOMPARE(a.threads, b.threads);
        QCOMPARE(a.simd, b.simd);
        QCOMPARE(a.gpu, b.gpu);
        QCOMPARE(a.driver, b.driver);
        QCOMPARE(a.cuda, b.cuda);
        QVERIFY(a.copyGbpsCpu == b.copyGbpsCpu);
        QVERIFY(a.copyGbpsGpu == b.copyGbpsGpu);
        QVERIFY(a.copyGbpsCpuSingle == b.copyGbpsCpuSingle);
        QCOMPARE(a.cacheBytesCpu, b.cacheBytesCpu);
        QCOMPARE(a.cacheBytesGpu, b.cacheBytesGpu);
        QCOMPARE(loaded->results.size(), before.results.size());
        for (std::size_t i = 0; i < before.results.size(); ++i)
            compareRows(loaded->results[i], before.results[i]);
        QCOMPARE(QString::fromStdString(toJson(*loaded)), QString::fromStdString(toJson(before)));
    }

    // Written before there were copies, launches, peers and places of pixels.
    void olderFilesLoad() {
        auto root = nlohmann::json::parse(toJson(fullReport()));
        for (const char* key : {"copy_gbps_cpu_single", "cache_bytes_cpu", "cache_bytes_gpu"})
            root["machine"].erase(key);
        for (auto& row : root["results"]) {
            for (const char* key : {"image", "experiment", "step", "launches", "peer", "inputs"})
                row.erase(key);
            for (const char* key : {"samples", "first_x", "first_y"}) row["agreement"].erase(key);
        }
        const auto loaded = parseTimings(root.dump());
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
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
            QVERIFY2(report, report ? "" : report.error().message.c_str());
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
        add("/schema", "\"warpscope-timings/2\"", "newer version");
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
        QVERIFY(!large);
        QCOMPARE(large.error().code, ErrorCode::LimitExceeded);
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

WARPSCOPE_TEST(ReportFileTest)
#include "report_file_test.moc"
