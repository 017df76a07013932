// What a card says about a run: where, how long, and only speedups that may be believed.
#include "gui/steps/run_info.h"

#include <QTest>

#include "gui/steps/step_search.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/wrap_label.h"
#include "support/test_case.h"
#include "tests/gui_languages/painted_texts.h"

namespace warpscope::gui {

namespace {

StepTiming row(Place backend, double ms, int threads, Verdict verdict) {
    StepTiming timing;
    timing.variant = kAutomaticVariant;
    timing.operation = "gaussian_blur";
    timing.variant = kAutomaticVariant;
    timing.backendRequested = timing.backend = backend;
    timing.threads = threads;
    timing.time = {9, ms, ms * 0.9, ms * 1.1};
    timing.endToEndMs = ms;
    timing.agreement.verdict = verdict;
    return timing;
}

QString textOf(const RunInfo& info) {
    QString text;
    for (const TextPiece& piece : info.status) text += piece.text;
    return text;
}

QString speedupsOf(const RunInfo& info) {
    QString text;
    for (const TextPiece& piece : info.speedups) text += piece.text;
    return text;
}

}  // namespace

class RunInfoTest : public QObject {
    Q_OBJECT
  private slots:
    void figuresHaveThreeDigits() {
        QCOMPARE(durationText(0.01234), QStringLiteral("0.0123 ms"));
        QCOMPARE(durationText(4.5), QStringLiteral("4.50 ms"));
        QCOMPARE(durationText(9.996), QStringLiteral("10.0 ms"));
        QCOMPARE(durationText(123.4), QStringLiteral("123 ms"));
        QCOMPARE(durationText(999.7), QStringLiteral("1.00 s"));
        QCOMPARE(durationText(61234), QStringLiteral("61.2 s"));
        QCOMPARE(durationText(0), QStringLiteral("0 ms"));
        QCOMPARE(factorText(6.14), QStringLiteral("6.1\u00d7"));
        QCOMPARE(factorText(9.97), QStringLiteral("10\u00d7"));
        QCOMPARE(factorText(211.6), QStringLiteral("212\u00d7"));
        QCOMPARE(factorText(0.514), QStringLiteral("0.51\u00d7"));  // the GPU loses
        QCOMPARE(factorText(0.0342), QStringLiteral("0.034\u00d7"));
        QCOMPARE(factorText(0.0004), QStringLiteral("<0.001\u00d7"));
    }

    // A range says something while it is narrow; under load it may be next to anything.
    void aNoisySpeedupIsReadable() {
        Speedup speedup;
        speedup.factor = 2.14;
        QCOMPARE(speedupText(speedup), QStringLiteral("2.1\u00d7"));
        speedup.low = 1.8;
        speedup.high = 2.44;
        QCOMPARE(speedupText(speedup), QStringLiteral("1.8\u00d7 to 2.4\u00d7"));
        QVERIFY(!isUnsure(speedup));
        for (const double low : {0.0, 0.0001, 0.9}) {
            speedup.low = low;
            speedup.high = 3.9;
            QVERIFY(isUnsure(speedup));
            QCOMPARE(speedupText(speedup), QStringLiteral("2.1\u00d7, noisy"));
            QCOMPARE(timesText(speedup), QStringLiteral("2.14\u00d7, noisy"));
        }
    }

    void aStepThatChangesNothingSaysSo() {
        Step step = *makeStep("levels");
        RunInfo info;
        addNothingDone(info, step);
        QCOMPARE(textOf(info), QStringLiteral("0 to 255: changes nothing"));
        QVERIFY(info.toolTip.contains(QStringLiteral("nothing to stretch")));
    }

    void aStepThatWasPassedOverSaysWhy() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cpu;
        report.problem = "its second input is the step 'soft', but there is none of that name";
        report.ms = 3;
        const RunInfo info = describeRun(step, &report, {}, {});
        QCOMPARE(textOf(info), QStringLiteral("passed over"));
        QCOMPARE(info.warnings.size(), qsizetype(1));
        QVERIFY(info.warnings[0].contains(QStringLiteral("'soft'")));
        QVERIFY(info.speedups.isEmpty() && info.error.isEmpty());
    }

    void nothingRunSaysNothing() {
        const Step step = *makeStep("gaussian_blur");
        QVERIFY(describeRun(step, nullptr, {}, {}).status.isEmpty());
    }

    void offSaysOff() {
        Step step = *makeStep("gaussian_blur");
        step.enabled = false;
        StepReport report;
        report.backend = BackendKind::Cpu;
        report.ms = 3;
        QCOMPARE(textOf(describeRun(step, &report, {}, {})), QStringLiteral("Off"));
    }

    void coresAgainstOneThread() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cpu;
        report.ms = 77;
        const auto info = describeRun(step, &report,
                                      {row(BackendKind::CpuSingle, 12, 1, Verdict::Identical),
                                       row(BackendKind::Cpu, 3, 8, Verdict::Identical)},
                                      {});
        const QString text = textOf(info);
        QVERIFY2(text.contains(QStringLiteral("All cores · median 3.00 ms")), qPrintable(text));
        // Both sides are named.
        QCOMPARE(speedupsOf(info), QStringLiteral("all cores against 1 thread: 4.0\u00d7"));
        QVERIFY2(info.toolTip.contains(QStringLiteral("1 thread: 4.0\u00d7")),
                 qPrintable(info.toolTip));
    }

    void threadsThatFoundNoWorkAreNotCounted() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cpu;
        StepTiming small = row(BackendKind::Cpu, 3, 8, Verdict::Identical);
        small.threadsWorked = 1;
        const auto info = describeRun(
            step, &report, {row(BackendKind::CpuSingle, 3, 1, Verdict::Identical), small}, {});
        QVERIFY2(textOf(info).contains(QStringLiteral("1 of 8 threads · median 3.00 ms")),
                 qPrintable(textOf(info)));
    }

    void kernelsAndEndToEndHaveTheirOwnPeers() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cuda;
        StepTiming gpu = row(BackendKind::Cuda, 0.2, 0, Verdict::Identical);
        gpu.kernelMs = 0.2;
        gpu.endToEndMs = 1.5;
        const auto info = describeRun(step, &report,
                                      {row(BackendKind::CpuSingle, 12, 1, Verdict::Identical),
                                       row(BackendKind::Cpu, 3, 8, Verdict::Identical), gpu},
                                      {});
        QVERIFY2(textOf(info).contains(QStringLiteral("GPU · kernels 0.200 ms")),
                 qPrintable(textOf(info)));
        QCOMPARE(speedupsOf(info),
                 QStringLiteral("kernel only against the best CPU (8 threads): 15\u00d7\n"
                                "end to end against the best CPU (8 threads): 2.0\u00d7"));
        // Nothing measured: the lines are kept for what comes, and are empty.
        const auto before = describeRun(step, &report, {}, {});
        QCOMPARE(speedupsOf(before).count('\n'), 1);
        QVERIFY(speedupsOf(before).trimmed().isEmpty());
    }

    void figuresKeepTheirUnits_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("whole");
        QTest::newRow("a time") << "level 128 · 1 of 2 threads · median 0.407 ms"
                                << "0.407 ms";
        QTest::newRow("a size") << "kernel size automatic, 1,920 × 1,280, 8-bit"
                                << "1,920 × 1,280";
        QTest::newRow("a depth") << "sigma 1, 1,920 × 1,280, 8-bit colour"
                                 << "8-bit";
    }
    // Whatever the width, no line ends in the middle of it.
    void figuresKeepTheirUnits() {
        QFETCH(const QString, text);
        QFETCH(const QString, whole);
        WrapLabel label;
        label.setText(text);
        bool ended = false;
        for (int width = label.sizeHint().width() + 4; width > 90; --width) {
            label.resize(width, label.heightForWidth(width));
            bool found = false;
            for (const auto& [line, box] : test::PaintedTexts::of(label)) {
                const QString read = QString(line)
                                         .replace(QChar(QChar::Nbsp), QLatin1Char(' '))
                                         .replace(QChar(0x2011), QLatin1Char('-'));
                found |= read.contains(whole);
                ended |= read.startsWith(whole);
            }
            QVERIFY2(found, qPrintable(QString::number(width)));
        }
        QVERIFY(ended);
        QCOMPARE(label.text(), text);
    }

    void noSpeedupWithoutAgreement() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cpu;
        const auto info = describeRun(step, &report,
                                      {row(BackendKind::CpuSingle, 12, 1, Verdict::Identical),
                                       row(BackendKind::Cpu, 3, 8, Verdict::Differs)},
                                      {});
        QVERIFY(!textOf(info).contains(QChar(0x00d7)));
        QVERIFY(!speedupsOf(info).contains(QChar(0x00d7)));
        QVERIFY(!info.toolTip.contains(QChar(0x00d7)));
        QCOMPARE(info.warnings.size(), 1);
        QVERIFY(info.warnings[0].contains(QStringLiteral("no speedup")));
    }

    void fallBackAndNoticesAreWarnings() {
        const Step step = *makeStep("gaussian_blur");
        StepReport report;
        report.backend = BackendKind::Cpu;
        report.ms = 2;
        report.fallbackReason = "no NVIDIA driver";
        report.notices = {"alpha dropped"};
        const auto info = describeRun(step, &report, {}, {});
        QCOMPARE(info.warnings, QStringList({QStringLiteral("no NVIDIA driver"),
                                             QStringLiteral("alpha dropped")}));
    }

    void searchFindsByNameIdSummaryAndLetters() {
        const auto ids = [](const char* query) {
            QStringList found;
            for (const Operation* operation : searchFilters(QString::fromLatin1(query)))
                found << QString::fromStdString(operation->description().id);
            return found;
        };
        QVERIFY(ids("").contains(QStringLiteral("equalize")));
        QVERIFY(!ids("").contains(QStringLiteral("histogram")));  // an analysis is no step
        QCOMPARE(ids("gauss").value(0), QStringLiteral("gaussian_blur"));
        QCOMPARE(ids("BLUR gau").value(0), QStringLiteral("gaussian_blur"));
        QCOMPARE(ids("gsnblr").value(0), QStringLiteral("gaussian_blur"));
        QCOMPARE(ids("  gray ").value(0), QStringLiteral("grayscale"));
        QVERIFY(ids("histogram").contains(QStringLiteral("equalize")));
        QVERIFY(ids("xyzzy").isEmpty());
    }

    void searchKnowsEverydayWords() {
        const std::pair<const char*, const char*> wanted[] = {
            {"brightness", "levels"},          {"contrast", "curves"},
            {"denoise", "nl_means"},           {"straighten", "rotate"},
            {"count", "connected_components"}, {"segment", "threshold"},
            {"find edges", "canny"},           {"shadow", "clahe"},
            {"sharpen", "unsharp_mask"}};
        for (const auto& [query, operation] : wanted) {
            QStringList found;
            for (const Operation* one : searchFilters(QString::fromLatin1(query)))
                found << QString::fromStdString(one->description().id);
            QVERIFY2(found.contains(QLatin1String(operation)),
                     qPrintable(QLatin1String(query) + QStringLiteral(": ") + found.join(u' ')));
        }
    }

    void everyFilterHasEverydayWords() {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            if (description.kind != OperationKind::Filter) continue;
            QVERIFY2(!everydayWords(description.id).isEmpty(), description.id.c_str());
        }
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::RunInfoTest)
#include "run_info_test.moc"
