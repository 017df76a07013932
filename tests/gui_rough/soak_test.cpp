// Hours of work in short: sliders are moved, images changed, work cancelled and results saved, and
// the memory that the program holds stays what it was. WARPSCOPE_SOAK_SECONDS says for how long.
#include <malloc.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QUndoStack>

#include "engine/image/storage_pool.h"
#include "gui/document/memory_budget.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

constexpr int kShortSeconds = 10;
// Caches fill, tables are made, the allocator finds its size.
constexpr double kWarmUp = 0.4;
// What may be found where nothing grows: of the resident memory, and at least.
constexpr double kToleratedShare = 0.05, kToleratedMiB = 8;
// In so few seconds caches are still being filled.
constexpr double kToleratedSoonMiB = 16, kSoonSeconds = 60;

struct Sample {
    double seconds;
    double residentMiB;
};

double residentMiB() {
    trimStorage();
    ::malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) return -1;
    const auto pages = file.readAll().split(' ').value(1).toDouble();
    return pages * double(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// By least squares.
double slopeOf(const std::vector<Sample>& samples) {
    double t = 0, m = 0, tm = 0, tt = 0;
    for (const Sample& one : samples) {
        t += one.seconds / double(samples.size());
        m += one.residentMiB / double(samples.size());
    }
    for (const Sample& one : samples) {
        tm += (one.seconds - t) * (one.residentMiB - m);
        tt += (one.seconds - t) * (one.seconds - t);
    }
    return tt > 0 ? tm / tt : 0;
}

}  // namespace

class SoakTest : public QObject {
    Q_OBJECT

    QRandomGenerator m_random{test::freshSeed()};
    int below(int end) { return int(m_random.bounded(end)); }

    // As a hand that drags: values come faster than they are computed.
    void drag(WindowFixture& f) {
        struct Slider {
            int step;
            const char* parameter;
            double low, high;
        };
        constexpr Slider kSliders[] = {
            {0, "sigma", 0.5, 9}, {1, "radius", 1, 6}, {2, "amount", 0, 1}};
        const Slider& slider = kSliders[below(3)];
        f.document().beginInteraction();
        for (int i = 0; i < 15; ++i) {
            const double at = slider.low + (slider.high - slider.low) * m_random.generateDouble();
            const ParamValue value =
                slider.step == 1 ? ParamValue(std::int64_t(at)) : ParamValue(at);
            f.document().setParameter(slider.step, slider.parameter, value, EditPhase::Drag);
            QTest::qWait(below(4));
        }
        f.document().endInteraction();
    }

  private slots:
    void memoryStaysFlat() {
        const QByteArray wanted = qgetenv("WARPSCOPE_SOAK_SECONDS");
        const double seconds = wanted.isEmpty() ? kShortSeconds : wanted.toDouble();
        QVERIFY(seconds > 0);
        WindowFixture f;
        f.bridge().setMemoryBudget(std::uint64_t(kLeastMemoryMiB) << 20);
        QStringList images;
        for (int i = 0; i < 4; ++i)
            images << f.scene(qPrintable(QStringLiteral("%1.png").arg(i)), {400 + 40 * i, 300},
                              std::uint32_t(i));
        QVERIFY(f.open(images[0]));
        for (const char* step : {"gaussian_blur", "median", "add_noise"}) QVERIFY(f.addStep(step));

        std::vector<Sample> samples;
        int rounds = 0, cancels = 0, opened = 0, saved = 0;
        QElapsedTimer clock;
        clock.start();
        const auto now = [&] { return double(clock.elapsed()) / 1000; };
        const QString target = f.folder.filePath(QStringLiteral("saved.tif"));
        for (; now() < seconds; ++rounds) {
            drag(f);
            const int what = below(6);
            if (what == 0) {
                f.window.files().openFiles({images[below(4)]});
                ++opened;
            } else if (what == 1) {
                f.window.actions().cancel->trigger();
                f.bridge().cancel();
                ++cancels;
            } else if (what == 2) {
                f.window.files().saveResultTo(target);
                if (below(2)) f.window.files().cancelSaves();
                ++saved;
            } else if (what == 3) {
                f.document().undoStack().undo();
                f.document().undoStack().redo();
            }
            if (rounds % 3 != 0) continue;
            // A pause, in which all that was asked for is done.
            drag(f);
            QVERIFY(waitedFor(
                [&] {
                    return f.bridge().resultIsCurrent() && !f.bridge().opening() &&
                           !f.window.files().savesUnfinished();
                },
                30'000));
            f.document().undoStack().clear();  // what it remembers is no leak
            f.window.messages().clear(MessageBar::Level::Error);
            samples.push_back({now(), residentMiB()});
        }
        QVERIFY2(samples.size() >= 4, "too slow to tell anything");
        std::erase_if(samples, [&](const Sample& one) { return one.seconds < kWarmUp * seconds; });
        QVERIFY2(samples.size() >= 3, "too slow to tell anything");
        qInfo(
            "%d rounds, %d images, %d cancels, %d saves; %.1f MiB after %.0f s, %.1f MiB after "
            "%.0f s, slope %.3f MiB/s",
            rounds, opened, cancels, saved, samples.front().residentMiB, samples.front().seconds,
            samples.back().residentMiB, samples.back().seconds, slopeOf(samples));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        const double span = samples.back().seconds - samples.front().seconds;
        const double grown = slopeOf(samples) * span;
        const double tolerated =
            std::max(seconds < kSoonSeconds ? kToleratedSoonMiB : kToleratedMiB,
                     kToleratedShare * samples.front().residentMiB);
        QVERIFY2(grown < tolerated,
                 qPrintable(QStringLiteral("grew by %1 MiB in %2 s").arg(grown).arg(span)));
#endif
    }
};

WARPSCOPE_TEST(SoakTest)
#include "soak_test.moc"
