// Timing results as files: the same values after saving and loading, and nothing but errors from
// what is no result file.
#include <nlohmann/json.hpp>

#include "engine/report/report_file.h"
#include "support/test_case.h"
#include "tests/measure/sample_reports.h"

using namespace warpscope;
using namespace measure_test;

namespace {

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

class ReportFileTest : public QObject {
    Q_OBJECT
  private slots:
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

WARPSCOPE_TEST(ReportFileTest)
#include "report_file_test.moc"
