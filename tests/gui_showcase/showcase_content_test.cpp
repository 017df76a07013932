// What the demo's screen says: lists to choose from, figures, speedup, where everything is.
#include <QTest>

#include "engine/image/synthetic.h"
#include "gui/showcase/showcase_content.h"
#include "gui/showcase/showcase_items.h"
#include "gui/showcase/showcase_painter.h"
#include "gui_showcase/chain_of.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::gui;

namespace {

RunnerState runningState(Verdict verdict) {
    RunnerState state;
    state.phase = RunnerState::Phase::Running;
    state.work = 1;
    state.hasGpu = true;
    BackendInfo cpu{BackendKind::Cpu, "CPU, 16 threads", "a processor", 16, {}, {}, {}, {}};
    BackendInfo gpu{BackendKind::Cuda, "a GPU", "a GPU", 0, {}, {}, {}, {}};
    state.left = cpu;
    state.right = gpu;
    state.match.sides[0].backend = cpu;
    state.match.sides[1].backend = gpu;
    state.match.sides[0].times = {30, {40, 0, 0, 0}};
    state.match.sides[1].times = {300, {2, 0.5, 0.4, 0.8}};
    ChainAgreement agreement;
    agreement.agreement.verdict = verdict;
    agreement.agreement.differing = 12;
    agreement.agreement.maxDifference = 3;
    agreement.agreement.firstX = 4;
    agreement.agreement.firstY = 7;
    agreement.step = "step 1, median";
    state.match.agreement = agreement;
    return state;
}

}  // namespace

class ShowcaseContentTest : public QObject {
    Q_OBJECT
  private slots:
    void ownPipelineComesFirst() {
        const auto without = showcaseOperations({});
        const auto with = showcaseOperations(chainOf({"median", "gaussian_blur:sigma=2"}));
        QCOMPARE(with.size(), without.size() + 1);
        QCOMPARE(with.front().id, QStringLiteral("pipeline"));
        QCOMPARE(with.front().pipeline.steps.size(), std::size_t(2));
        for (const ShowcaseOperation& operation : without) {
            QVERIFY(operation.id != QStringLiteral("histogram"));  // gives no picture
            QVERIFY(!operation.label.isEmpty());
        }
        Pipeline off = chainOf({"median"});
        off.steps[0].enabled = false;
        QCOMPARE(showcaseOperations(off).size(), without.size());
    }

    void startsAreFoundById() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes(makeScene({40, 30}, true, 3, CpuContext{}).value(),
                                         QStringLiteral("photo.png"));
        const ShowcaseStart usual = showcaseStart({}, operations, sizes);
        QCOMPARE(sizes[std::size_t(usual.size)].size, (Size{40, 30}));
        QCOMPARE(sizes[std::size_t(usual.size)].label, QStringLiteral("photo.png"));
        const ShowcaseStart named =
            showcaseStart(QStringLiteral("4k, nl_means"), operations, sizes);
        QVERIFY(named.error.isEmpty());
        QCOMPARE(operations[std::size_t(named.operation)].id, QStringLiteral("nl_means"));
        QCOMPARE(sizes[std::size_t(named.size)].size, (Size{3840, 2160}));
        const ShowcaseStart wrong = showcaseStart(QStringLiteral("sharpest"), operations, sizes);
        QVERIFY(wrong.error.contains(QStringLiteral("'sharpest'")));
        QVERIFY(wrong.error.contains(QStringLiteral("nl_means")));
        QVERIFY(wrong.error.contains(QStringLiteral("8k")));
    }

    void sizesGrow() {
        for (const Size own : {Size{40, 30}, Size{496, 472}, Size{512, 512}, Size{2000, 1100}}) {
            const auto sizes =
                showcaseSizes(makeScene(own, false, 3, CpuContext{}).value(), QStringLiteral("x"));
            int found = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                found += sizes[i].size == own && !sizes[i].image.isNull();
                if (i > 0) QVERIFY(sizes[i - 1].size.pixels() <= sizes[i].size.pixels());
            }
            QCOMPARE(found, 1);
        }
    }

    // Whoever chose it is told, not left with a picture that never comes.
    void aSizeThatTakesTooLongSaysSo() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        RunnerState state = runningState(Verdict::Identical);
        state.match.agreement.reset();
        state.match.sides[0].times = {};
        state.match.sides[0].frameMs = 3000;
        state.match.sides[0].frameProgress = 0.01;
        const ShowcaseContent slow = contentOf(state, 1, operations[0], sizes.back(), false);
        QVERIFY2(slow.notice.contains(QStringLiteral("5 min")), qPrintable(slow.notice));
        QVERIFY(slow.notice.contains(QStringLiteral("too long for a race")));
        QVERIFY(slow.sides[0].working.contains(QStringLiteral("about 5 min in all")));
        state.match.sides[0].frameProgress = 0.5;
        QVERIFY(contentOf(state, 1, operations[0], sizes.back(), false).notice.isEmpty());
    }

    void aRaceHasOnePicture() {
        for (const ShowcaseOperation& operation : showcaseOperations({}))
            for (const ParamSpec& spec :
                 findOperation(operation.id.toStdString())->description().parameters)
                QVERIFY2(spec.kind != ParamKind::Image, qPrintable(operation.id));
    }

    void speedupNeedsAgreement() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        const RunnerState good = runningState(Verdict::Identical);
        QCOMPARE(speedupOf(good.match).endToEnd.value, 20.0);
        QCOMPARE(speedupOf(good.match).kernelsOnly.value, 100.0);
        const ShowcaseContent content = contentOf(good, 1, operations[0], sizes[0], false);
        QCOMPARE(content.factor, QStringLiteral("20×"));
        QVERIFY(content.factorSides.contains(QStringLiteral("16")));
        QVERIFY(content.factorMore.contains(QStringLiteral("100×")));
        QCOMPARE(content.sides[0].rate, QStringLiteral("25.0"));
        QCOMPARE(content.sides[1].rate, QStringLiteral("500"));

        const RunnerState bad = runningState(Verdict::Differs);
        const ShowcaseContent red = contentOf(bad, 1, operations[0], sizes[0], false);
        QCOMPARE(speedupOf(bad.match).endToEnd.value, 0.0);
        QVERIFY(red.factor.isEmpty() && red.factorMore.isEmpty());
        QVERIFY(red.differs);
        QVERIFY(red.agreement.contains(QStringLiteral("(4, 7)")));
        QVERIFY(red.agreement.contains(QStringLiteral("median")));

        RunnerState unknown = good;
        unknown.match.agreement.reset();
        QVERIFY(contentOf(unknown, 1, operations[0], sizes[0], false).factor.isEmpty());
        RunnerState failed = good;
        failed.match.sides[1].failure = "no memory left on the GPU";
        const ShowcaseContent alone = contentOf(failed, 1, operations[0], sizes[0], false);
        QVERIFY(alone.factor.isEmpty());
        QVERIFY(alone.sides[1].problem.contains(QStringLiteral("no memory")));
        QCOMPARE(alone.sides[0].rate, QStringLiteral("25.0"));
        // Figures of other work than what is asked for are not shown.
        QVERIFY(contentOf(good, 2, operations[0], sizes[0], false).sides[0].rate.isEmpty());
    }

    void noiseIsShown() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        RunnerState state = runningState(Verdict::Identical);
        const auto content = [&] { return contentOf(state, 1, operations[0], sizes[3], false); };
        QCOMPARE(content().factorRange, QString());
        QCOMPARE(content().sides[0].interval, QString());
        QCOMPARE(content().format, QStringLiteral("Full HD · 8-bit colour"));
        state.format = PixelFormat::Gray8;
        QVERIFY(content().format.endsWith(QStringLiteral("8-bit gray")));
        state.match.sides[0].times.total = {30, 40, 39, 41, 9, 39.8, 40.2};
        state.match.sides[1].times.total = {30, 2, 1.9, 2.1, 9, 1.99, 2.01};
        QCOMPARE(content().sides[0].interval, QStringLiteral("95% interval 39.8 to 40.2 ms"));
        QCOMPARE(content().factorRange, QString());
        // A noisy side makes the factor a range.
        state.match.sides[0].times.total.lowMs = 30;
        state.match.sides[0].times.total.highMs = 50;
        QCOMPARE(content().sides[0].interval,
                 QStringLiteral("95% interval 30.0 to 50.0 ms, noisy"));
        QCOMPARE(content().factor, QStringLiteral("20×"));
        QCOMPARE(content().factorRange, QStringLiteral("15× to 25×"));
        QCOMPARE(content().factorMore, QStringLiteral("kernels alone 75× to 125×"));
        // No factor where it may be nothing at all.
        state.match.sides[1].times.total.lowMs = -1;
        state.match.sides[1].times.total.highMs = 9;
        QCOMPARE(content().factor, QString());
        QCOMPARE(content().factorRange, QStringLiteral("Too noisy for a factor"));
    }

    void drawsAreNobodysWin() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        RunnerState state = runningState(Verdict::Identical);
        const auto factor = [&](double right, double low, double high) {
            state.match.sides[1].times = {300, {right, 0, 0, 0}, {30, right, 0, 0, 9, low, high}};
            const ShowcaseContent content = contentOf(state, 1, operations[0], sizes[0], false);
            return content.factor == QStringLiteral("draw") ? content.factorRange : content.factor;
        };
        state.match.sides[0].times.total = {30, 40, 39, 41, 9, 39.8, 40.2};
        QCOMPARE(factor(39, 38.9, 39.1), QStringLiteral("1.0× is less than a twentieth"));
        QCOMPARE(factor(41, 40.9, 41.1), QStringLiteral("0.98× is less than a twentieth"));
        QCOMPARE(factor(36, 35.9, 36.1), QStringLiteral("1.1×"));
        QCOMPARE(factor(36, 31, 40), QStringLiteral("1.1×, but the intervals meet"));
    }

    void threadsThatWorkedAreNamed() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        RunnerState state = runningState(Verdict::Identical);
        state.match.sides[0].times.threadsWorked = 3;
        const ShowcaseContent few = contentOf(state, 1, operations[0], sizes[0], false);
        QCOMPARE(few.sides[0].name, QStringLiteral("CPU, 3 of 16 threads"));
        QCOMPARE(few.factorSides, QStringLiteral("GPU end to end against 3 of 16 threads"));
        // All cores of which one did everything are no opponent of one thread.
        state.right = state.left;
        state.match.sides[1].backend = *state.left;
        state.match.sides[1].times.threadsWorked = 1;
        const ShowcaseContent one = contentOf(state, 1, operations[0], sizes[0], false);
        QCOMPARE(one.sides[1].name, QStringLiteral("CPU, 1 of 16 threads"));
        QCOMPARE(one.factor, QString());
        QCOMPARE(one.factorRange, QStringLiteral("No speedup: one thread did all the work"));
    }

    void doubtsAreSaid() {
        const auto operations = showcaseOperations({});
        const auto sizes = showcaseSizes({}, {});
        RunnerState state = runningState(Verdict::Identical);
        state.otherWork = 0.04;
        ShowcaseContent content = contentOf(state, 1, operations[0], sizes[0], false);
        QCOMPARE(content.doubt, QString());
        QVERIFY(!content.method.contains(QStringLiteral("pieces")));
        state.otherWork = 0.578;
        // Two frames that are longer than a turn.
        for (SideState& side : state.match.sides) side.frameMs = 900, side.frameProgress = 0.4;
        content = contentOf(state, 1, operations[0], sizes[0], false);
        QCOMPARE(content.doubt,
                 QStringLiteral("The machine is busy: other programs take 58 % of it. These "
                                "figures are doubtful."));
        QVERIFY(content.method.contains(QStringLiteral("computed in pieces, in turns")));
    }

    void rates_data() {
        QTest::addColumn<double>("rate");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << QString();
        QTest::newRow("slow") << 0.0123 << QStringLiteral("0.0123");
        QTest::newRow("one") << 1.234 << QStringLiteral("1.23");
        QTest::newRow("ten") << 12.34 << QStringLiteral("12.3");
        QTest::newRow("hundred") << 123.4 << QStringLiteral("123");
        QTest::newRow("rounds up") << 99.96 << QStringLiteral("100");
        QTest::newRow("thousands") << 12345.6 << QStringLiteral("12,346");
    }

    void rates() {
        QFETCH(double, rate);
        QFETCH(QString, text);
        QLocale::setDefault(QLocale::c());
        QCOMPARE(rateText(rate), text);
    }

    void layoutFits_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(640, 400), QSize(1280, 720), QSize(1920, 1080),
                                 QSize(3840, 2160), QSize(1080, 1920), QSize(3440, 1440)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }

    void layoutFits() {
        QFETCH(QSize, size);
        const ShowcaseLayout layout = layoutFor(size);
        const QRect all(QPoint(), size);
        for (std::size_t i = 0; i < 2; ++i) {
            for (const QRect& rect : {layout.names[i], layout.pictures[i], layout.figures[i]}) {
                QVERIFY(rect.isValid());
                QVERIFY(all.contains(rect));
                QVERIFY(!rect.intersects(layout.foot));
                QVERIFY(!rect.intersects(layout.head));
            }
            QVERIFY(!layout.pictures[i].intersects(layout.figures[i]));
            QVERIFY(!layout.figures[i].intersects(layout.factor));
        }
        QCOMPARE(layout.pictures[0].size(), layout.pictures[1].size());
        QVERIFY(!layout.pictures[0].intersects(layout.pictures[1]));
        QVERIFY(layout.pictures[0].height() * 5 > size.height());
    }
};

WARPSCOPE_TEST(ShowcaseContentTest)
#include "showcase_content_test.moc"
