// The published figures cannot be derived from anything; here they are held against what they must
// obey: their own quotients, the order of sizes, operations that exist. And they stand beside ours.
#include "engine/measure/published.h"

#include <set>

#include "engine/measure/benchmark.h"
#include "engine/measure/benchmark_run.h"
#include "engine/operations/registry.h"
#include "engine/report/report_tables.h"
#include "engine/report/report_text.h"
#include "measure/sleeping_backend.h"
#include "support/test_case.h"

using namespace warpscope;

class PublishedTest : public QObject {
    Q_OBJECT

    static const PublishedExperiment& experiment(const char* id) {
        for (const PublishedExperiment& e : publishedExperiments())
            if (e.id == id) return e;
        qFatal("there is no experiment %s", id);
    }

  private slots:
    void everyExperimentIsComplete() {
        // Those of the design; a build may have fewer.
        const std::set<std::string> operations{"grayscale", "equalize",  "gaussian_blur",
                                               "nl_means",  "median",    "add_noise",
                                               "box_mean",  "histogram", "integral_image"};
        std::set<std::string> ids;
        for (const PublishedExperiment& e : publishedExperiments()) {
            QVERIFY2(ids.insert(e.id).second, e.id.c_str());
            QVERIFY2(operations.count(e.operation), e.operation.c_str());
            for (const std::string& step : e.before)
                QVERIFY2(operations.count(step.substr(0, step.find(':'))), step.c_str());
            for (const std::string* text : {&e.title, &e.summary, &e.source})
                QVERIFY2(!text->empty(), e.id.c_str());
            QCOMPARE(e.cpuName.empty(), e.gpuName.empty());
            QVERIFY2(e.firstRow < e.rows.size(), e.id.c_str());
            bool anyFigure = false;
            for (const PublishedRow& row : e.rows) {
                QVERIFY2(!row.size.empty(), e.id.c_str());
                anyFigure = anyFigure || row.cpuMs.known() || row.gpuMs.known();
            }
            QVERIFY2(anyFigure, e.id.c_str());
        }
        QCOMPARE(ids.size(), std::size_t(5));
    }

    // One text, one name: the operation that is timed names the same source.
    void sourcesAreThoseOfTheOperations() {
        for (const PublishedExperiment& e : publishedExperiments()) {
            const Operation* operation = findOperation(e.operation);
            QVERIFY2(operation, e.operation.c_str());
            const OperationDescription& d = operation->description();
            bool named = d.source.find(e.source) != std::string::npos;
            for (const VariantSpec& variant : d.variants) {
                named = named || variant.source.find(e.source) != std::string::npos;
                // No other text is behind a variant than those of the operation.
                if (d.id == "histogram")
                    QVERIFY2(d.source.find(variant.source) != std::string::npos,
                             variant.id.c_str());
            }
            QVERIFY2(named, (e.id + ": " + e.source + " / " + d.source).c_str());
        }
    }

    void rowsDiffer() {
        for (const PublishedExperiment& e : publishedExperiments()) {
            std::set<std::string> seen;
            for (const PublishedRow& row : e.rows)
                QVERIFY2(seen.insert(std::to_string(row.size.width) + "x" +
                                     std::to_string(row.size.height) + row.variant)
                             .second,
                         e.id.c_str());
        }
    }

    // A printed speedup is the quotient of times that were rounded after it was taken. Where it
    // cannot be, the row says so.
    void speedupsFollowFromTheirTimes() {
        int checked = 0;
        for (const PublishedExperiment& e : publishedExperiments()) {
            for (const PublishedRow& row : e.rows) {
                if (!row.speedup.known()) continue;
                QVERIFY(row.cpuMs.known() && row.gpuMs.known());
                const double low = (row.cpuMs.value - row.cpuMs.halfUnit()) /
                                   (row.gpuMs.value + row.gpuMs.halfUnit());
                const double high = (row.cpuMs.value + row.cpuMs.halfUnit()) /
                                    (row.gpuMs.value - row.gpuMs.halfUnit());
                const double half = row.speedup.halfUnit();
                const bool follows =
                    row.speedup.value + half >= low && row.speedup.value - half <= high;
                QVERIFY2(follows != !row.note.empty(),
                         qPrintable(QStringLiteral("%1 %2: %3 in %4 to %5")
                                        .arg(QString::fromStdString(e.id))
                                        .arg(row.size.width)
                                        .arg(row.speedup.value)
                                        .arg(low)
                                        .arg(high)));
                // However it was printed, it is no slip of ours by a digit.
                QVERIFY(row.speedup.value > 0.9 * low && row.speedup.value < 1.1 * high);
                ++checked;
            }
        }
        QCOMPARE(checked, 10);
    }

    void largerImagesTakeLongerAndGainMore() {
        for (const char* id : {"gray_conversion", "gaussian_filter", "equalization"}) {
            const auto& rows = experiment(id).rows;
            QCOMPARE(rows.size(), std::size_t(3));
            int side = 256;
            for (std::size_t i = 0; i < 3; ++i, side *= 2) {
                QCOMPARE(rows[i].size, (Size{side, side}));
                if (i == 0) continue;
                QVERIFY(rows[i].cpuMs.value > rows[i - 1].cpuMs.value);
                QVERIFY(rows[i].gpuMs.value > rows[i - 1].gpuMs.value);
                QVERIFY(rows[i].speedup.value > rows[i - 1].speedup.value);
            }
        }
        QCOMPARE(experiment("histogram").rows.front().size, (Size{1280, 1024}));
        for (const PublishedRow& row : experiment("nl_means").rows)
            QCOMPARE(row.size, (Size{496, 472}));
    }

    void chainsAreThoseOfTheTexts() {
        const auto gray = chainOf(experiment("gray_conversion"), {});
        QVERIFY(gray.has_value());
        QCOMPARE(gray->steps.size(), std::size_t(1));
        QCOMPARE(gray->steps[0].parameters.choice("method"), std::string("weighted601"));
        // Nothing to run: the histogram is no step.
        QVERIFY(chainOf(experiment("histogram"), {})->steps.empty());
        QVERIFY(checkPipeline(*chainOf(experiment("equalization"), {})).has_value());
    }

    void everyChainOfThisBuildIsValid() {
        for (const PublishedExperiment& e : publishedExperiments()) {
            bool known = findOperation(e.operation) != nullptr;
            for (const std::string& step : e.before)
                known = known && findOperation(step.substr(0, step.find(':')));
            for (const PublishedRow& row : e.rows) {
                const auto chain = chainOf(e, row);
                QVERIFY2(chain.has_value() == known,
                         chain ? e.id.c_str() : chain.error().message.c_str());
                if (!chain) continue;
                QVERIFY(checkPipeline(*chain).has_value());
                if (e.operation == "gaussian_blur") {
                    QCOMPARE(chain->steps.back().parameters.real("sigma"), 1.0);
                    QCOMPARE(chain->steps.back().parameters.integer("size"), 5);
                }
            }
        }
    }

    void anUnknownOperationIsNamed() {
        PublishedExperiment e = experiment("equalization");
        e.before = {"no_such_step"};
        const auto chain = chainOf(e, e.rows.front());
        QVERIFY(!chain && chain.error().message.find("no_such_step") != std::string::npos);
    }

    void publishedTablesBesideOurs() {
        test::SleepingSet fakes;
        for (const auto& backend : {fakes.single, fakes.cores, fakes.gpu}) backend->blank = true;
        BenchmarkPlan plan;
        plan.sampling = {1, 5, 5, 0};
        plan.copyBandwidth = plan.energy = false;
        plan.operations = {"median"};
        plan.published = true;
        BenchmarkRunner runner(fakes.set(), {}, {}, fakes.clock);
        std::size_t published = 0;
        for (const PublishedExperiment& experiment : publishedExperiments())
            published += experiment.rows.size();
        const auto result = *runner.run(plan, {});
        QCOMPARE(result.report.results.size(), 3 * published);
        const auto lines = publishedComparison(result.report);
        QCOMPARE(lines.size(), published);
        for (const PublishedComparison& line : lines) {
            QVERIFY2(line.single.measured(), line.single.error.c_str());
            QCOMPARE(line.single.time.medianMs, 40.0);
            QCOMPARE(line.cores.time.medianMs, 4.0);
            QCOMPARE(line.gpu.kernelMs, 0.5);
            QCOMPARE(line.gpu.width, line.row->size.width);
        }
        const std::string text = toPublishedMarkdown(result.report);
        QVERIFY(text.find("15.21x") != std::string::npos);  // as printed
        QVERIFY(text.find("about 30x") != std::string::npos);
        QVERIFY(text.find("80x kernels") != std::string::npos);  // ours
        // The best of the CPU first: all cores here, and another variant once it was measured.
        QVERIFY2(text.find("8x kernels") < text.find("80x kernels"), text.c_str());
        TimingReport more = result.report;
        StepTiming faster = lines.front().cores;
        QVERIFY(!faster.variant.empty());
        faster.variant = "quicker";
        faster.experiment.clear();
        faster.time = summarizeSamples({2.0, 2.0, 2.0});
        more.results.push_back(faster);
        const std::string best = toPublishedMarkdown(more);
        QVERIFY2(best.find("4x kernels") != std::string::npos, best.c_str());
        QVERIFY2(best.find("(quicker, ") != std::string::npos, best.c_str());
        // Without ours the printed ones stand alone.
        QVERIFY(toPublishedTable({}).find("15.21x") != std::string::npos);
        QVERIFY(toPublishedTable({}).find("80x kernels") == std::string::npos);
    }
};

WARPSCOPE_TEST(PublishedTest)
#include "published_test.moc"
