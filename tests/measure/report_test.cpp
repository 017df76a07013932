// Timing results as files and texts: exactly the fields that were promised.
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/report/report_file.h"
#include "engine/report/report_text.h"
#include "support/test_case.h"
#include "tests/measure/sample_reports.h"

using namespace warpscope;
using namespace measure_test;

namespace {

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
};

WARPSCOPE_TEST(ReportTest)
#include "report_test.moc"
