// Maps of pixels, and parts of reduced copies.
#include "engine/image/placement.h"

#include <cmath>
#include <random>
#include <vector>

#include "support/test_case.h"

using namespace warpscope;

namespace {

int anyOf(std::mt19937& random, int low, int high) {
    return low + int(random() % unsigned(high - low + 1));
}

// Shifts, quarter turns, mirrors.
PixelMap anyExact(std::mt19937& random) {
    const double a = random() % 2 ? 1 : -1, b = random() % 2 ? 1 : -1;
    const double dx = anyOf(random, -500, 500), dy = anyOf(random, -500, 500);
    if (random() % 2) return {a, 0, dx, 0, b, dy};
    return {0, a, dx, b, 0, dy};
}

PixelMap anyAffine(std::mt19937& random) {
    const auto number = [&] { return anyOf(random, -300, 300) / 64.0; };
    PixelMap map;
    do {
        map = {number(), number(), 10 * number(), number(), number(), 10 * number()};
    } while (std::abs(map.xx * map.yy - map.xy * map.yx) < 0.1);
    return map;
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

Rect anyRect(std::mt19937& random) {
    return {anyOf(random, -60, 60), anyOf(random, -60, 60), anyOf(random, 1, 50),
            anyOf(random, 1, 50)};
}

}  // namespace

class PlacementTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

  private slots:
    void whichKeepPixels() {
        QVERIFY(PixelMap().keepsPixels());
        QVERIFY(PixelMap().isShift());
        QVERIFY((PixelMap{1, 0, -7, 0, 1, 30}.isShift()));
        for (int i = 0; i < 100; ++i) {
            const PixelMap map = anyExact(m_random);
            QVERIFY(map.keepsPixels());
            QCOMPARE(map.isShift(), map.xx == 1 && map.yy == 1);
            PixelMap other = map;
            (i % 2 ? other.dx : other.dy) += 0.5;
            QVERIFY(!other.keepsPixels() && !other.isShift());
            other = map;
            (i % 2 ? other.xx : other.xy) += 1;  // doubled, squeezed or slanted
            QVERIFY(!other.keepsPixels());
        }
        QVERIFY(!(PixelMap{2, 0, 0, 0, 2, 0}.keepsPixels()));
        QVERIFY(!(PixelMap{0.5, 0, 0, 0, 1, 0}.keepsPixels()));
        QVERIFY(!(PixelMap{1, 0, 0, 1, 0, 0}.keepsPixels()));  // onto a line
        const double half = std::sqrt(0.5);
        QVERIFY(!(PixelMap{half, -half, 0, half, half, 0}.keepsPixels()));
    }

    void oneAfterTheOther() {
        for (int i = 0; i < 200; ++i) {
            const bool exact = i % 2;
            const PixelMap inner = exact ? anyExact(m_random) : anyAffine(m_random);
            const PixelMap outer = exact ? anyExact(m_random) : anyAffine(m_random);
            const PixelMap both = after(inner, outer);
            const double x = anyOf(m_random, -90, 90), y = anyOf(m_random, -90, 90);
            const double wantedX = outer.mapX(inner.mapX(x, y), inner.mapY(x, y));
            const double wantedY = outer.mapY(inner.mapX(x, y), inner.mapY(x, y));
            QVERIFY(exact ? both.mapX(x, y) == wantedX : near(both.mapX(x, y), wantedX));
            QVERIFY(exact ? both.mapY(x, y) == wantedY : near(both.mapY(x, y), wantedY));
            if (exact) QVERIFY(both.keepsPixels());
        }
        // The order matters.
        const PixelMap shift{1, 0, 3, 0, 1, 0}, turn{0, 1, 0, -1, 0, 10};
        QVERIFY(after(shift, turn) != after(turn, shift));
    }

    void thereAndBack() {
        for (int i = 0; i < 200; ++i) {
            const PixelMap exact = anyExact(m_random);
            QCOMPARE(after(exact, inverse(exact)), PixelMap());
            QCOMPARE(after(inverse(exact), exact), PixelMap());
            QCOMPARE(inverse(inverse(exact)), exact);
            const PixelMap map = anyAffine(m_random);
            const double x = anyOf(m_random, -90, 90), y = anyOf(m_random, -90, 90);
            const double toX = map.mapX(x, y), toY = map.mapY(x, y);
            QVERIFY(near(inverse(map).mapX(toX, toY), x));
            QVERIFY(near(inverse(map).mapY(toX, toY), y));
        }
        // No minus zero: equal maps are equal in text too.
        for (const double d : {inverse({}).xy, inverse({}).dx, inverse({}).yx, inverse({}).dy})
            QVERIFY(!std::signbit(d));
    }

    void rectanglesOfWholePixels() {
        for (int i = 0; i < 300; ++i) {
            const PixelMap map = anyExact(m_random);
            const Rect rect = anyRect(m_random);
            // The bounds of where each pixel's centre goes.
            int left = 1 << 20, top = 1 << 20, right = -(1 << 20), bottom = -(1 << 20);
            for (int y = rect.y; y < rect.y + rect.height; ++y)
                for (int x = rect.x; x < rect.x + rect.width; ++x) {
                    const int toX = int(std::floor(map.mapX(x + 0.5, y + 0.5)));
                    const int toY = int(std::floor(map.mapY(x + 0.5, y + 0.5)));
                    left = std::min(left, toX), right = std::max(right, toX + 1);
                    top = std::min(top, toY), bottom = std::max(bottom, toY + 1);
                }
            QCOMPARE(mapped(map, rect), (Rect{left, top, right - left, bottom - top}));
            QCOMPARE(mapped(inverse(map), mapped(map, rect)), rect);
        }
    }

    // Enlarged, reduced and shifted by fractions: in whole numbers of 1 / 48.
    void rectanglesThatAreScaled() {
        const auto down = [](int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); };
        for (int i = 0; i < 500; ++i) {
            const int scale = anyOf(m_random, 1, 200), shift = anyOf(m_random, -2000, 2000);
            const PixelMap map{scale / 48.0, 0, shift / 48.0, 0, scale / 48.0, shift / 48.0};
            const Rect rect = anyRect(m_random);
            const auto first = [&](int from) { return down(from * scale + shift, 48); };
            const auto last = [&](int to) { return -down(-(to * scale + shift), 48); };
            const Rect wanted{first(rect.x), first(rect.y),
                              last(rect.x + rect.width) - first(rect.x),
                              last(rect.y + rect.height) - first(rect.y)};
            QCOMPARE(mapped(map, rect), wanted);
            QVERIFY(contains(mapped(inverse(map), mapped(map, rect)), rect));
        }
    }

    void turnedRectanglesAreCovered() {
        for (int i = 0; i < 200; ++i) {
            const PixelMap map = anyAffine(m_random);
            const Rect rect = anyRect(m_random);
            const Rect made = mapped(map, rect);
            for (int k = 0; k < 50; ++k) {
                const double x = rect.x + anyOf(m_random, 1, 16 * rect.width - 1) / 16.0;
                const double y = rect.y + anyOf(m_random, 1, 16 * rect.height - 1) / 16.0;
                const double toX = map.mapX(x, y), toY = map.mapY(x, y);
                QVERIFY(toX > made.x && toX < made.x + made.width);
                QVERIFY(toY > made.y && toY < made.y + made.height);
            }
        }
    }

    void nothingAndFarAway() {
        QVERIFY(mapped({1, 0, 5, 0, 1, 5}, {}).empty());
        QVERIFY(mapped({1, 0, 5, 0, 1, 5}, {3, 3, 0, 9}).empty());
        const Rect far = mapped({1e6, 0, 0, 0, 1e6, 0}, {0, 0, kMaxSide, kMaxSide});
        QCOMPARE(far.x, 0);
        QVERIFY(far.width > kMaxSide && far.height > kMaxSide);
        QVERIFY(
            intersect(mapped({1e6, 0, 1e300, 0, 1e6, 0}, {0, 0, 5, 5}), {0, 0, 99, 99}).empty());
    }

    void windowsOfPlacements() {
        QVERIFY(Placement::all({30, 20}).isAll());
        QCOMPARE(Placement::all({30, 20}).window(), (Rect{0, 0, 30, 20}));
        const Placement part = Placement::partOf({30, 20}, {3, 4, 5, 6});
        QVERIFY(!part.isAll());
        QCOMPARE(part.window(), part.part);
        for (int i = 0; i < 200; ++i) {
            // A level of a pyramid: halved and rounded up, so that its last pixels reach beyond.
            const Size whole{anyOf(m_random, 1, 999), anyOf(m_random, 1, 999)};
            const int level = anyOf(m_random, 0, 5), step = 1 << level;
            const Size reduced{(whole.width + step - 1) / step, (whole.height + step - 1) / step};
            Placement place = Placement::reducedCopy(reduced, whole, std::ldexp(1.0, -level));
            QVERIFY(place.isAll());
            QCOMPARE(place.window(), (Rect{0, 0, whole.width, whole.height}));
            const int x = anyOf(m_random, 0, reduced.width - 1);
            const int y = anyOf(m_random, 0, reduced.height - 1);
            place.part = {x, y, anyOf(m_random, 1, reduced.width - x),
                          anyOf(m_random, 1, reduced.height - y)};
            QCOMPARE(place.window(),
                     (Rect{step * x, step * y,
                           std::min(step * (x + place.part.width), whole.width) - step * x,
                           std::min(step * (y + place.part.height), whole.height) - step * y}));
        }
    }
};

WARPSCOPE_TEST(PlacementTest)
#include "placement_test.moc"
