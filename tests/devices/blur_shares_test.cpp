// How the blocks of a Gaussian by warpgroups share an image.
#include "cuda_kernels/smoothing/blur_shares.h"

#include <random>

#include "support/test_case.h"

using namespace warpscope::cuda;

namespace {

struct Shares {
    int count, strips, steps, before;
    bool cross;
};

int costOf(const BlurShare& share, int before) {
    const auto part = [&](int steps) { return steps > 0 ? before + kBlurStepCost * steps : 0; };
    return part(share.count) + part(share.second);
}

// Goes the way of each share and says what was wrong first.
QByteArray problemOf(const Shares& s) {
    std::vector<int> outputs(std::size_t(s.strips) * std::size_t(s.steps), 0);
    for (int i = 0; i < s.count; ++i) {
        const BlurShare share = blurShare(i, s.count, s.strips, s.steps, s.before, s.cross);
        if (share.count < 0 || share.second < 0) return "less than no step";
        const BlurWay way{share, s.before};
        int alongRows = 0, strip = -1, row = 0;
        for (int step = 0; step < way.allSteps(); ++step) {
            const BlurStep at = way.at(step);
            if (at.strip != strip) {
                alongRows = 0;
                if (at.row != (strip < 0 ? share.begin : 0) - s.before) return "begins elsewhere";
            } else if (at.row != row + 1) {
                return "leaves out a step";
            }
            strip = at.strip;
            row = at.row;
            if (at.output < 0) {
                ++alongRows;
                continue;
            }
            if (alongRows != s.before) return "puts out before there are rows enough";
            if (at.row < 0 || at.row >= s.steps || strip >= s.strips) return "beyond the image";
            ++outputs[std::size_t(strip) * std::size_t(s.steps) + std::size_t(at.row)];
        }
    }
    for (const int times : outputs)
        if (times != 1) return "a step not once";
    return {};
}

int longestOf(const Shares& s) {
    int longest = 0;
    for (int i = 0; i < s.count; ++i)
        longest = std::max(
            longest, costOf(blurShare(i, s.count, s.strips, s.steps, s.before, s.cross), s.before));
    return longest;
}

}  // namespace

class BlurSharesTest : public QObject {
    Q_OBJECT

  private slots:
    void eachStepOnce() {
        std::mt19937 random(7);
        const auto upTo = [&](int most) { return 1 + int(random() % unsigned(most)); };
        for (int i = 0; i < 3000; ++i) {
            const int strips = upTo(200), steps = upTo(200);
            const int device[] = {1, 46, 80, 132, 264, 396, 528};
            const int count =
                std::max(strips, std::min(strips * steps, device[random() % std::size(device)]));
            const Shares shares{count, strips, steps, upTo(3), random() % 2 == 0};
            const QByteArray problem = problemOf(shares);
            QVERIFY2(problem.isEmpty(),
                     qPrintable(QStringLiteral("%1: %2 shares, %3 strips of %4 steps, %5 before")
                                    .arg(QString::fromLatin1(problem))
                                    .arg(count)
                                    .arg(strips)
                                    .arg(steps)
                                    .arg(shares.before)));
        }
    }

    // Sizes where whole shares of a strip leave multiprocessors idle: a strip has one block or two.
    void evenWhereStripsAreNot_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("6000 x 4000") << 6000 << 4000;
        QTest::newRow("3840 x 2160") << 3840 << 2160;
        QTest::newRow("7680 x 4320") << 7680 << 4320;
        QTest::newRow("3000 x 2000") << 3000 << 2000;
    }
    void evenWhereStripsAreNot() {
        QFETCH(int, width);
        QFETCH(int, height);
        constexpr int kBlocks = 132, kBefore = 2;
        const int strips = (width + 63) / 64, steps = (height + 63) / 64;
        const int whole = longestOf({kBlocks, strips, steps, kBefore, false});
        const int crossing = longestOf({kBlocks, strips, steps, kBefore, true});
        QVERIFY2(crossing < whole, qPrintable(QString::number(crossing)));
        // No more than a step and what it begins with above the mean.
        const int mean = strips * (kBefore + kBlurStepCost * steps) / kBlocks;
        QVERIFY2(crossing <= mean + kBefore + kBlurStepCost, qPrintable(QString::number(crossing)));
    }
};

WARPSCOPE_TEST(BlurSharesTest)
#include "blur_shares_test.moc"
