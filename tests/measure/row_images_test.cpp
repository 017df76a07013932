// The two results behind a row, computed again.
#include "engine/measure/row_images.h"
#include "engine/image/synthetic.h"
#include "engine/measure/benchmark.h"
#include "pipeline/fake_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

std::vector<StepTiming> rowsOf(const BackendSet& backends, BenchmarkPlan plan) {
    plan.sampling = {0, 1, 1, 0};
    plan.copyBandwidth = plan.energy = false;
    BenchmarkRunner runner(backends, {});
    return runner.run(plan, {})->report.results;
}

BenchmarkPlan blurPlan() {
    BenchmarkPlan plan;
    plan.operations = {"gaussian_blur"};
    plan.sizes = {{67, 41}};
    return plan;
}

const StepTiming& rowOn(const std::vector<StepTiming>& rows, BackendKind kind) {
    return *std::find_if(rows.begin(), rows.end(),
                         [&](const StepTiming& row) { return row.backendRequested == kind; });
}

}  // namespace

class RowImagesTest : public QObject {
    Q_OBJECT
  private slots:
    void theWrongPixelIsInThePictureWhereTheVerdictSays() {
        const test::FakeSet fakes(true);
        fakes.cuda->wrongPixel = true;
        const auto rows = rowsOf(fakes.set(), blurPlan());
        const StepTiming& row = rowOn(rows, BackendKind::Cuda);
        QCOMPARE(row.agreement.verdict, Verdict::Differs);
        const auto images = imagesOfRow(fakes.set(), {}, row, {}, {});
        QVERIFY(images);
        const Agreement again = compareImages(images->reference, images->other, {});
        QCOMPARE(again.differing, std::uint64_t(1));
        QCOMPARE(again.firstX, row.agreement.firstX);
        QCOMPARE(again.firstY, row.agreement.firstY);
        const auto alike = imagesOfRow(fakes.set(), {}, rowOn(rows, BackendKind::Cpu), {}, {});
        QVERIFY(alike);
        QCOMPARE(compareImages(alike->reference, alike->other, {}).differing, std::uint64_t(0));
    }

    void inputsOfExperimentsAreMadeAgain() {
        const test::FakeSet fakes(false);
        BenchmarkPlan plan;
        plan.operations = {"grayscale"};
        plan.sizes = {{16, 16}};
        plan.published = true;
        plan.backends = {BackendKind::Cpu};
        plan.longestRowSeconds = 1;
        int seen = 0;
        for (const StepTiming& row : rowsOf(fakes.set(), plan)) {
            if (row.experiment.empty() || !row.measured() || row.operation == "histogram" ||
                row.operation == "nl_means")
                continue;
            const auto images = imagesOfRow(fakes.set(), {}, row, {}, {});
            QVERIFY2(images, qPrintable(QString::fromStdString(row.experiment)));
            ++seen;
        }
        QVERIFY(seen >= 3);
    }

    void theImageAtHandMustBeTheOneThatWasTimed() {
        const test::FakeSet fakes(false);
        BenchmarkPlan plan = blurPlan();
        plan.sizes.clear();
        plan.image = makeScene({33, 21}, true, 5, CpuContext{}).value();
        plan.imageName = "cat.png";
        const auto rows = rowsOf(fakes.set(), plan);
        const StepTiming& row = rowOn(rows, BackendKind::Cpu);
        QVERIFY(imagesOfRow(fakes.set(), {}, row, plan.image, {}));
        const Image other = makeScene({33, 21}, true, 6, CpuContext{}).value();
        for (const Image& wrong : {other, Image()}) {
            const auto images = imagesOfRow(fakes.set(), {}, row, wrong, {});
            REQUIRE_FAILS(images, ErrorCode::NotFound, "cat.png");
        }
    }

    void whatHasNoImageIsRefused() {
        const test::FakeSet fakes(true);
        BenchmarkPlan plan = blurPlan();
        plan.operations = {"histogram", "gaussian_blur"};
        const auto rows = rowsOf(fakes.set(), plan);
        const auto counts = imagesOfRow(fakes.set(), {}, rows.front(), {}, {});
        REQUIRE_FAILS(counts, ErrorCode::InvalidArgument, "");
        const auto gone = imagesOfRow(test::FakeSet(false).set(), {}, rows.back(), {}, {});
        QCOMPARE(rows.back().backendRequested, BackendKind::Cuda);
        REQUIRE_FAILS(gone, ErrorCode::NotFound, "");
        std::stop_source stop;
        stop.request_stop();
        const auto stopped =
            imagesOfRow(fakes.set(), {}, rows.back(), {}, RunContext{stop.get_token(), {}});
        REQUIRE_FAILS(stopped, ErrorCode::Cancelled, "");
    }
};

WARPSCOPE_TEST(RowImagesTest)
#include "row_images_test.moc"
