// Rows as commands: what the words ask for is that row again.
#include <QProcess>
#include <QTemporaryDir>
#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <tuple>

#include "cli/bench_plan.h"
#include "engine/operations/registry.h"
#include "engine/report/bench_command.h"
#include "engine/report/report_file.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

// Without operation and size twice: thousands of rows differ in these alone.
std::string kindText(const StepTiming& row) {
    return fmt::format("{} {} {} {} {} {}", row.operation, row.variant,
                       parameterText(row.parameters), row.backendRequested.id(), row.cold,
                       row.experiment);
}

Result<BenchmarkPlan> planFrom(const std::vector<std::string>& words, cli::BenchOptions& options) {
    CLI::App command("bench");
    cli::addBenchOptions(command, options);
    std::vector<std::string> reversed(words.rbegin(), words.rend() - 2);
    try {
        command.parse(reversed);
    } catch (const CLI::ParseError& error) {
        return fail(ErrorCode::InvalidArgument, error.what());
    }
    return cli::planOf(options);
}

StepKey keyOfCase(const BenchmarkCase& one, bool cold) {
    StepTiming row;
    row.operation = one.operation->description().id;
    row.variant = one.variant;
    row.parameters = one.parameters;
    row.format = one.format;
    row.width = one.size.width;
    row.height = one.size.height;
    row.cold = cold;
    row.experiment = one.experiment;
    return keyOf(row);
}

}  // namespace

class BenchCommandTest : public QObject {
    Q_OBJECT

    // The cases that the row's command asks for, by key.
    static void asksFor(const StepTiming& row) {
        const std::vector<std::string> words = benchCommand(row);
        QCOMPARE(words.at(1), std::string("bench"));
        cli::BenchOptions options;
        auto plan = planFrom(words, options);
        QVERIFY2(plan, shellQuoted(words).c_str());
        if (!options.image.empty())
            plan->image =
                std::move(*MutableImage::create(row.format, {row.width, row.height})).freeze({});
        const auto cases = casesOf(*plan);
        QVERIFY2(cases, shellQuoted(words).c_str());
        QCOMPARE(plan->cold, row.cold);
        QCOMPARE(plan->warm, !row.cold);
        QCOMPARE(plan->backends.size(), std::size_t(1));
        QCOMPARE(plan->backends[0], row.backendRequested.kind());
        QCOMPARE(plan->peers, row.backendRequested.isPeer());
        StepKey wanted = keyOf(row);
        wanted.imageName.clear();
        std::set<StepKey> found;
        for (const BenchmarkCase& one : *cases) found.insert(keyOfCase(one, row.cold));
        QVERIFY2(found.contains(wanted), shellQuoted(words).c_str());
        if (row.experiment.empty()) QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(options.image.empty(), row.imageName.empty());
    }

  private slots:
    void shippedRows() {
        std::set<std::string> seen;
        for (const char* name : {"h100-2026-11-28.json"}) {
            const auto report = loadTimings(std::string(WARPSCOPE_TIMINGS "/") + name);
            QVERIFY(report);
            for (const StepTiming& row : report->results) {
                if (!seen.insert(kindText(row)).second) continue;
                asksFor(row);
                if (QTest::currentTestFailed()) return;
            }
        }
        QVERIFY(seen.size() > 40);
    }

    void otherRows() {
        StepTiming row;
        row.operation = "median";
        row.variant = kAutomaticVariant;
        row.parameters.set("radius", std::int64_t(3));
        row.backendRequested = row.backend = BackendKind::Cpu;
        row.width = 321;
        row.height = 77;
        asksFor(row);
        row.format = PixelFormat::Rgba8;
        row.cold = true;
        asksFor(row);
        row.imageName = "it's mine; rm -rf $HOME.png";
        row.format = PixelFormat::Gray16;
        asksFor(row);
        row.imageName = "-o";
        asksFor(row);
        row.imageName.clear();
        row.format = PixelFormat::Gray8;
        row.backendRequested = row.backend = Place::fromId("opencv-single");
        asksFor(row);
        // Values with signs of their own.
        row = {};
        row.operation = "curves";
        row.variant = kAutomaticVariant;
        row.width = row.height = 64;
        row.backendRequested = BackendKind::CpuSingle;
        const auto resolved =
            resolveParameters(findOperation("curves")->description().parameters, {});
        QVERIFY(resolved);
        row.parameters = *resolved;
        asksFor(row);
    }

    void rowsOfAChain() {
        StepTiming row;
        row.operation = "median";
        row.stepIndex = 2;
        QVERIFY(benchCommand(row).empty());
        const std::vector<std::string> whole{"warpscope-cli", "bench", "--pipeline", "a b.json"};
        QCOMPARE(benchCommand(row, whole), whole);
        QCOMPARE(shellQuoted(whole), std::string("warpscope-cli bench --pipeline 'a b.json'"));
        row.stepIndex = 0;
        row.operation = "blend";
        row.parameters.set("with", std::string("second"));
        QCOMPARE(benchCommand(row, whole), whole);
    }

    // What the benchmark window may ask for: its command gives the same cases and the same
    // sampling.
    void plans_data() {
        QTest::addColumn<int>("kind");
        int kind = 0;
        for (const char* name : {"operations", "variants", "parameters", "sweep", "image",
                                 "published", "all", "all variants"})
            QTest::newRow(name) << kind++;
    }
    void plans() {
        QFETCH(int, kind);
        std::mt19937 random(warpscope::test::freshSeed());
        BenchmarkPlan plan;
        plan.sizes = {{int(8 + random() % 90), int(8 + random() % 90)}, {128, 64}};
        plan.operations = {"median", "grayscale", "gaussian_blur", "curves"};
        plan.pixels = BenchmarkPixels(random() % 4);
        plan.backends = {BackendKind::Cuda, BackendKind::CpuSingle};
        plan.cold = random() % 2;
        plan.warm = !plan.cold || random() % 2;
        plan.peers = random() % 2;
        plan.pinThreads = random() % 2;
        plan.energy = random() % 2;
        plan.sampling.minRounds = 1 + int(random() % 20);
        plan.sampling.maxRounds = plan.sampling.minRounds + int(random() % 20);
        plan.sampling.minSamples = 1 + int(random() % 300);
        plan.sampling.maxSamples = std::max(200, plan.sampling.minSamples);
        plan.sampling.budgetMs = 1 + int(random() % 1000);
        plan.longestRowSeconds = 1 + int(random() % 100);
        if (kind == 1)
            plan.variants = {{"median", {"automatic"}},
                             {"gaussian_blur", {"automatic", "direct_2d"}}};
        if (kind == 2) plan.parameters["median"].set("radius", std::int64_t(2));
        if (kind == 3) {
            plan.operations = {"gaussian_blur"};
            for (const double sigma : {0.5, 1.75, 12.0}) {
                BenchmarkStep& step = plan.steps.emplace_back();
                step.operation = "gaussian_blur";
                step.parameters.set("sigma", sigma);
                step.variants = {"automatic", "direct_2d"};
            }
        }
        if (kind == 4) {
            plan.image = std::move(*MutableImage::create(PixelFormat::Rgba8, {31, 17})).freeze({});
            plan.imageName = "-my photo.png";
            QVERIFY(benchCommand(plan).empty());  // nobody could say which image
            plan.imageFile = "-my photo.png";
            if (random() % 2) plan.sizes.clear();
        }
        if (kind == 5) {
            plan.operations.clear();
            plan.sizes.clear();
            plan.published = true;
        }
        if (kind >= 6) plan.operations.clear();
        plan.allVariants = kind == 7;
        const std::vector<std::string> words = benchCommand(plan);
        cli::BenchOptions options;
        auto again = planFrom(words, options);
        QVERIFY2(again, shellQuoted(words).c_str());
        QCOMPARE(options.image.empty(), plan.image.isNull());
        again->image = plan.image;
        const auto keysOf = [](const BenchmarkPlan& of) {
            std::multiset<std::pair<StepKey, bool>> keys;
            const auto cases = casesOf(of);
            if (cases)
                for (const BenchmarkCase& one : *cases)
                    keys.emplace(keyOfCase(one, one.ofImage), one.baseline);
            return keys;
        };
        QVERIFY(!keysOf(plan).empty());
        QVERIFY2(keysOf(*again) == keysOf(plan), shellQuoted(words).c_str());
        QCOMPARE(again->backends, plan.backends);
        QCOMPARE(
            std::tuple(again->warm, again->cold, again->peers, again->pinThreads, again->energy),
            std::tuple(plan.warm, plan.cold, plan.peers, plan.pinThreads, plan.energy));
        const auto sampling = [](const BenchmarkPlan& of) {
            const SamplingOptions& s = of.sampling;
            return std::tuple(s.minRounds, s.maxRounds, s.minSamples, s.maxSamples, s.budgetMs,
                              of.longestRowSeconds, of.longestPeerCallSeconds);
        };
        QCOMPARE(sampling(*again), sampling(plan));
        plan.chain.steps.emplace_back();
        QVERIFY(benchCommand(plan).empty());
    }

    // What a shell makes of the line are the words.
    void quoting() {
        const QList<QByteArray> words{
            "",           "plain", "a b",   "it's",        "$HOME `x` \"y\"", "*?[a]~#!&|;<>",
            "line\nfeed", "\\",    "größe", "1 2 1;2 4 2", "back\\slash",     "-x",
            "#"};
        std::vector<std::string> given{"printf", "%s\\0"};
        for (const QByteArray& word : words) given.push_back(word.toStdString());
        QProcess shell;
        shell.start("/bin/sh", {"-c", QString::fromStdString(shellQuoted(given))});
        QVERIFY(shell.waitForFinished());
        QList<QByteArray> said = shell.readAllStandardOutput().split('\0');
        said.removeLast();
        QCOMPARE(said, words);
    }

    // Steps of a file stand where it is named.
    void listedSteps() {
        QTemporaryDir folder;
        const std::string list = folder.filePath("some.steps").toStdString();
        std::ofstream(list) << "# Blurs.\n\n  gaussian_blur:sigma=4  # soft\r\ninvert\n";
        const auto planOfStep = [](const std::string& step) {
            cli::BenchOptions options;
            return planFrom({"warpscope-cli", "bench", "--step", "median", "--step", step},
                            options);
        };
        const auto plan = planOfStep("@" + list);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->operations, (std::vector<std::string>{"median", "gaussian_blur", "invert"}));
        QCOMPARE(plan->steps.size(), std::size_t(3));
        QCOMPARE(plan->steps[1].parameters.real("sigma"), 4.0);
        std::ofstream(list) << "medain\n";
        const auto wrong = planOfStep("@" + list);
        QVERIFY(!wrong);
        QVERIFY(wrong.error().message.find("medain") != std::string::npos);
        QVERIFY(!planOfStep("@" + list + ".none"));
    }

    // The list that tables are made with names every operation.
    void shippedListIsComplete() {
        cli::BenchOptions options;
        const auto plan = planFrom(
            {"warpscope-cli", "bench", "--step", "@" WARPSCOPE_TIMINGS "/peer-table.steps"},
            options);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        for (const Operation* operation : allOperations()) {
            const std::string& id = operation->description().id;
            QVERIFY2(std::ranges::count(plan->operations, id) == 1, id.c_str());
        }
    }
};

WARPSCOPE_TEST(BenchCommandTest)
#include "bench_command_test.moc"
