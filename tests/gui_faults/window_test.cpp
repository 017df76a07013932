// Calls of the CUDA runtime fail while the window is used: it shows the right result, says on the
// step and above the image what happened, and goes on.
#include <QSet>
#include <random>
#include <set>

#include "engine/base/log.h"
#include "engine/pipeline/executor.h"
#include "fake_cuda/fake_backend_set.h"
#include "fake_cuda/fault_kinds.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui/window_fixture.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace warpscope::test;

namespace {

constexpr int kPatienceMs = 120000;

const FaultKind kNoMemory{"no memory there", cudaErrorMemoryAllocation, Lasting::SamePlace};
const FaultKind kFault{"illegal address", cudaErrorIllegalAddress, Lasting::ForEver};

// A small image and three steps, which run on the fake GPU.
struct FaultyWindow {
    WindowFixture w{{}, [] { return fakeBackends(); }};
    Image photo = makePhotograph(PixelFormat::Rgba8, {53, 37});

    FaultyWindow() {
        w.bridge().openImage(photo, QStringLiteral("photo"));
        Pipeline pipeline;
        for (const char* step : {"gaussian_blur", "equalize", "median"})
            pipeline.steps.push_back(makeStep(step).value());
        w.document().replacePipeline(pipeline, QStringLiteral("steps"));
    }

    bool settled() {
        return waitedFor(
            [&] { return w.bridge().resultIsCurrent() && w.bridge().histogramsAreCurrent(); },
            kPatienceMs);
    }
    // Everything is computed anew.
    bool change(double sigma) {
        w.document().setParameter(0, "sigma", sigma, EditPhase::Single);
        return settled();
    }
    // What the window shows against what the CPU makes of it; empty if it is the same.
    std::string difference() {
        Executor cpu(BackendSet::cpuOnly("none"), 1 << 20);
        ExecuteRequest request;
        request.source = photo;
        request.pipeline = w.document().pipeline();
        const Image expected = cpu.run(std::move(request), {}).value().image;
        return firstDifference(expected, w.bridge().result()->levels.front());
    }
    // Whether a step ran on the CPU.
    bool fellBack() {
        for (const StepReport& step : w.bridge().stepReports())
            if (step.backend && *step.backend != BackendKind::Cuda) return true;
        return false;
    }
    std::string reason() {
        for (const StepReport& step : w.bridge().stepReports())
            if (!step.fallbackReason.empty()) return step.fallbackReason;
        return {};
    }
    // What a person reads of it, on a card.
    bool shows(const std::string& text) {
        auto* const list = w.window.findChild<StepList*>();
        return waitedFor([&] {
            for (int i = 0; i < list->count(); ++i)
                if (list->card(i)->warningText().contains(QString::fromStdString(text)))
                    return true;
            return false;
        });
    }
};

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        setLogSink({});
        QCOMPARE(whatIsLeft(), std::string());
    }
    void cleanup() {
        // The window and its worker are gone.
        QCOMPARE(whatIsLeft(), std::string());
    }

    void withoutFaults() {
        const FaultHook hook;
        FaultyWindow f;
        QVERIFY(f.settled());
        QVERIFY(f.w.bridge().backends()->cuda);
        QCOMPARE(f.reason(), std::string());
        QVERIFY(!f.fellBack());
        REQUIRE_SAME(f.difference());
    }

    // Between an edit and its picture and histograms, in one window: a call of each place, and
    // others. cuda_faults has them all, without a window.
    void lackOfMemory() {
        FaultHook hook;
        FaultyWindow f;
        QVERIFY(f.settled());
        // As while a slider is held: without timings, whose calls would come in between by chance.
        f.w.document().beginInteraction();
        QVERIFY(f.change(1.2));
        QVERIFY(waitedFor([&] { return !f.w.bridge().busy(); }, kPatienceMs));
        hook.arm(-1, cudaSuccess, Lasting::Once);
        QVERIFY(f.change(1.5));
        hook.disarm();
        std::mt19937 random(freshSeed());
        int fell = 0;
        const std::set<int> chosen = hook.someOfEachPlace(random, 30);
        for (const int n : chosen) {
            if (leftOut()) continue;
            hook.arm(n, kNoMemory.code, kNoMemory.lasting);
            QVERIFY(f.change(2 + 0.01 * n));
            hook.disarm();
            const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
            const std::string difference = f.difference();
            QVERIFY2(difference.empty(), (where + ": " + difference).c_str());
            if (!f.fellBack()) continue;
            ++fell;
            QVERIFY2(explains(f.reason(), kNoMemory), (where + ": " + f.reason()).c_str());
            QVERIFY2(f.shows("memory"), where.c_str());
        }
        qInfo("%d calls failed, %d runs fell back", int(chosen.size()), fell);
        QVERIFY(fell > 0);
        // It is over.
        f.w.document().endInteraction();
        QVERIFY(f.change(9));
        QVERIFY2(!f.fellBack(), f.reason().c_str());
        REQUIRE_SAME(f.difference());
    }

    // From the start of the program on. A window for each call, because none has a GPU after it.
    void faultForEver() {
        FaultHook hook;
        {
            hook.arm(-1, cudaSuccess, Lasting::Once);
            FaultyWindow f;
            QVERIFY(f.settled());
            hook.disarm();
        }
        std::mt19937 random(freshSeed());
        int hits = 0;
        int fell = 0;
        for (const int n : hook.someOfEachPlace(random, 20)) {
            if (leftOut()) continue;
            // Of the window before.
            const std::string left = whatIsLeft();
            QVERIFY2(left.empty(), left.c_str());
            hook.arm(n, kFault.code, kFault.lasting);
            FaultyWindow f;
            QVERIFY(f.settled());
            hook.disarm();
            const std::string where = hook.hit() ? hook.hit()->text() : "no fault";
            hits += hook.hit().has_value();
            std::string difference = f.difference();
            QVERIFY2(difference.empty(), (where + ": " + difference).c_str());
            // Without a GPU from the beginning nobody asked for one: "Auto" takes the CPU.
            const bool missing = !f.w.bridge().backends()->cuda;
            if (missing) {
                const std::string why = f.w.bridge().backends()->cudaUnavailable;
                QVERIFY2(explainsMissing(why, kFault), (where + ": " + why).c_str());
            }
            // Whoever met the fault, the next run knows of it.
            QVERIFY2(f.change(3), where.c_str());
            difference = f.difference();
            QVERIFY2(difference.empty(), (where + ", then: " + difference).c_str());
            if (missing || !hook.hit() || hook.hit()->quiet) continue;
            ++fell;
            QVERIFY2(f.fellBack(), where.c_str());
            QVERIFY2(explains(f.reason(), kFault), (where + ": " + f.reason()).c_str());
            QVERIFY2(f.shows("restart to use the GPU again"), where.c_str());
            QVERIFY2(f.w.window.messages().text().contains(
                         QStringLiteral("restart to use the GPU again")),
                     qPrintable(f.w.window.messages().text()));
        }
        qInfo("%d calls failed, %d runs fell back", hits, fell);
        QVERIFY(fell > 0);
    }

    // Timings capture a graph of short kernels; without one they repeat runs, and say so.
    void brokenCaptures_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<int>("code");
        // 900 to 908: each says that there is no graph, and nothing against the GPU.
        const std::pair<const char*, cudaError_t> rows[] = {
            {"cudaStreamBeginCapture", cudaErrorStreamCaptureUnsupported},
            {"cudaStreamBeginCapture", cudaErrorStreamCaptureImplicit},
            {"cudaStreamEndCapture", cudaErrorStreamCaptureInvalidated},
            {"cudaStreamEndCapture", cudaErrorStreamCaptureUnjoined},
            {"cudaStreamEndCapture", cudaErrorStreamCaptureWrongThread},
            {"cudaGraphInstantiate", cudaErrorStreamCaptureMerge},
            {"cudaGraphInstantiate", cudaErrorStreamCaptureIsolation},
            {"cudaGraphLaunch", cudaErrorStreamCaptureUnmatched},
            {"cudaGraphLaunch", cudaErrorCapturedEvent}};
        for (const auto& [call, code] : rows)
            QTest::addRow("%s, %d", call, int(code)) << QString(call) << int(code);
    }
    void brokenCaptures() {
        QFETCH(QString, call);
        QFETCH(int, code);
        FaultHook hook;
        FaultyWindow f;
        f.w.document().removeStep(1);
        f.w.document().removeStep(1);
        QVERIFY(f.settled());
        QTRY_VERIFY_WITH_TIMEOUT(f.w.bridge().timingsComplete(), kPatienceMs);
        hook.armAt(call.toStdString(), cudaError_t(code), Lasting::SamePlace);
        f.w.bridge().requestTimings();
        QTRY_VERIFY_WITH_TIMEOUT(f.w.bridge().timingsComplete() && !f.w.bridge().busy(),
                                 kPatienceMs);
        hook.disarm();
        if (kSlowdown > 1 && !hook.hit())
            QSKIP("with a sanitizer a run took longer than those that a graph is made for");
        QVERIFY(hook.hit());
        QSet<QString> methods;
        for (const TimingReady& row : f.w.bridge().timings()) {
            QVERIFY2(row.timing.measured(), row.timing.error.c_str());
            QVERIFY2(row.timing.agreement.allowsSpeedup(), describe(row.timing.agreement).c_str());
            if (row.timing.backend == BackendKind::Cuda)
                methods.insert(QString::fromStdString(row.timing.method));
        }
        QCOMPARE(methods, QSet<QString>{QStringLiteral("repeated")});
        QVERIFY(!cuda::earlierDeviceFault());
        QVERIFY2(f.change(4) && !f.fellBack(), f.reason().c_str());
        REQUIRE_SAME(f.difference());
    }
};

WARPSCOPE_TEST(WindowTest)
#include "window_test.moc"
