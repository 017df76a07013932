// Which pixels a draft needs.
#include "engine/worker/draft_plan.h"

#include <cmath>

#include "support/test_case.h"
#include "worker/worker_fixture.h"

using namespace warpscope;
using test::chain;

class DraftPlanTest : public QObject {
    Q_OBJECT

    PyramidPtr m_small = test::pyramidOf(test::makeConstant(PixelFormat::Gray8, {301, 203}, 9));
    PyramidPtr m_large = test::pyramidOf(test::makeConstant(PixelFormat::Gray8, {3001, 2003}, 9));

  private slots:
    void nothingVisible() {
        QVERIFY(planDraft({}, {}, {{0, 0, 10, 10}, 1.0}).empty());
        QVERIFY(planDraft(*m_small, {}, {{}, 1.0}).empty());
        QVERIFY(planDraft(*m_small, {}, {{400, 0, 10, 10}, 1.0}).empty());
        QVERIFY(planDraft(*m_small, {}, {{0, -20, 10, 10}, 1.0}).empty());
    }

    void fullScale() {
        const auto plan =
            planDraft(*m_small, chain({"gaussian_blur:sigma=2"}), {{100, 50, 20, 10}, 3.0});
        QCOMPARE(plan.level, 0);
        QCOMPARE(plan.scale, 1.0);
        QVERIFY(plan.exact);
        QVERIFY((plan.visible == Rect{100, 50, 20, 10}));
        QVERIFY(plan.covered == plan.visible);
        QVERIFY((plan.needed == Rect{94, 44, 32, 22}));
        QVERIFY(contains(plan.roomy, plan.needed));
        QCOMPARE(plan.wholeLevel, -1);
    }

    void clippedAtTheEdges() {
        const auto plan =
            planDraft(*m_small, chain({"gaussian_blur:sigma=2"}), {{-50, -50, 1000, 1000}, 1.0});
        QVERIFY((plan.visible == Rect{0, 0, 301, 203}));
        QVERIFY(plan.needed == plan.visible);
        QVERIFY(plan.roomy == plan.visible);
    }

    void zoomedOut() {
        const auto plan =
            planDraft(*m_large, chain({"gaussian_blur:sigma=8"}), {{401, 203, 1001, 777}, 0.25});
        QCOMPARE(plan.level, 2);
        QCOMPARE(plan.scale, 0.25);
        QVERIFY(!plan.exact);
        // Whole pixels of the level that cover what is visible.
        QVERIFY((plan.visible == Rect{100, 50, 251, 195}));
        QVERIFY(contains(plan.covered, Rect{401, 203, 1001, 777}));
        QCOMPARE(plan.visible.x - plan.needed.x, 6);  // sigma 2: radius 6
    }

    void lastPixelOfAnOddLevel() {
        const auto plan = planDraft(*m_large, {}, {{2995, 1999, 6, 4}, 0.25});
        const Size level = m_large->levels[2].size();
        QCOMPARE(plan.visible.x + plan.visible.width, level.width);
        QCOMPARE(plan.visible.y + plan.visible.height, level.height);
        QCOMPARE(plan.covered.x + plan.covered.width, 3001);
        QCOMPARE(plan.covered.y + plan.covered.height, 2003);
    }

    void statisticsOfTheWhole() {
        const Pipeline equalize = chain({"equalize"});
        // A small image: its own pixels, so the draft is exact.
        auto plan = planDraft(*m_small, equalize, {{10, 10, 20, 20}, 1.0});
        QCOMPARE(plan.wholeLevel, 0);
        QVERIFY(plan.exact);
        // A large one: about half a megapixel, so it is not.
        plan = planDraft(*m_large, equalize, {{10, 10, 20, 20}, 1.0});
        QVERIFY(plan.wholeLevel > 0);
        QVERIFY(m_large->levels[std::size_t(plan.wholeLevel)].size().pixels() <= 512 * 1024);
        QVERIFY(!plan.exact);
        // All of it is seen at full scale: nothing better than its own.
        plan = planDraft(*m_large, equalize, {{0, 0, 3001, 2003}, 1.0});
        QCOMPARE(plan.wholeLevel, -1);
        QVERIFY(plan.exact);
        // Switched off, it asks for nothing.
        Pipeline off = equalize;
        off.steps[0].enabled = false;
        QCOMPARE(planDraft(*m_large, off, {{10, 10, 20, 20}, 1.0}).wholeLevel, -1);
    }

    // The coarsest level that the screen has pixels for is too much work: one coarser, and so on.
    void levelFitsTheTime() {
        const Pipeline chainOfOne = chain({"nl_means:h=10"});
        const Viewport all{{0, 0, 3001, 2003}, 0.5};
        QCOMPARE(planDraft(*m_large, chainOfOne, all).level, 1);
        const auto at = [&](double budgetMs, double msPerGuess = 1, int lastLevel = -1) {
            return planDraft(*m_large, chainOfOne, all, {budgetMs, msPerGuess, lastLevel});
        };
        std::vector<double> guesses;
        for (int level = 1; level <= 4; ++level) {
            // Just enough for this level, or for none finer than it.
            double low = 0, high = 1e6;
            while (high - low > 1e-3) {
                const double middle = (low + high) / 2;
                (at(middle).level <= level ? high : low) = middle;
            }
            const DraftPlan plan = at(high);
            QCOMPARE(plan.level, level);
            QCOMPARE(plan.scale, std::ldexp(1.0, -level));
            QVERIFY(!plan.exact);
            QVERIFY(level == 4 || plan.guessedMs <= high);
            guesses.push_back(plan.guessedMs);
            // Never more than three levels coarser, be it ever so slow.
            QCOMPARE(at(0).level, 4);
        }
        for (std::size_t i = 1; i < guesses.size(); ++i) QVERIFY(guesses[i] * 3 < guesses[i - 1]);
        // A machine that is faster than the guess draws finer, a slower one coarser.
        const double enough = guesses[1] * 1.01;
        QCOMPARE(at(enough).level, 2);
        QCOMPARE(at(enough, 0.01).level, 1);
        QCOMPARE(at(enough, 2).level, 3);
        // What was drawn just now is left for a reason only.
        QCOMPARE(at(guesses[1] / 1.2, 1, 2).level, 2);
        QCOMPARE(at(guesses[1] / 1.4, 1, 2).level, 3);
        QCOMPARE(at(guesses[0] / 0.9, 1, 2).level, 2);
        QCOMPARE(at(guesses[0] / 0.5, 1, 2).level, 1);
    }

    void cheapStepsStayFine() {
        const auto plan =
            planDraft(*m_large, chain({"invert"}), {{0, 0, 3001, 2003}, 0.5}, {.budgetMs = 1e3});
        QCOMPARE(plan.level, 1);
        // Where little is seen, little is computed: exact, as without a limit.
        const auto part = planDraft(*m_large, chain({"gaussian_blur:sigma=2"}),
                                    {{1000, 900, 40, 30}, 8.0}, {.budgetMs = 20});
        QCOMPARE(part.level, 0);
        QVERIFY(part.exact);
    }

    // However long the last draft took: a processor that is busy elsewhere costs no pixels.
    void fewPixelsStayFine() {
        const DraftPace slow{.budgetMs = 20, .msPerGuess = 1e6, .lastLevel = 0};
        const auto small =
            planDraft(*m_small, chain({"nl_means:h=10"}), {{0, 0, 60, 50}, 1.0}, slow);
        QCOMPARE(small.level, 0);
        QVERIFY(small.exact);
        const auto large =
            planDraft(*m_large, chain({"nl_means:h=10"}), {{0, 0, 3001, 2003}, 1.0}, slow);
        QCOMPARE(large.level, 3);
    }

    void roomyChangesRarely() {
        const auto at = [&](const char* step) {
            return planDraft(*m_large, chain({step}), {{1000, 1000, 200, 200}, 1.0}).roomy;
        };
        QVERIFY(at("gaussian_blur:sigma=3") == at("gaussian_blur:sigma=5"));
    }
};

WARPSCOPE_TEST(DraftPlanTest)
#include "draft_plan_test.moc"
