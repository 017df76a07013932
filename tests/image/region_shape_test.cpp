// Which pixels a region has, against a look at every single one.
#include "engine/image/region_shape.h"

#include <cmath>

#include "support/shapes.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// "" if the rows hold exactly the pixels that belong to the shape.
std::string difference(const RegionShape& shape, const Rect& within) {
    const RegionRows rows(shape, within);
    if (rows.height() != within.height) return "another height";
    std::uint64_t pixels = 0;
    for (int y = 0; y < within.height; ++y) {
        std::vector<bool> held(std::size_t(within.width), false);
        int end = -1;
        for (const PixelRun& run : rows.row(y)) {
            if (run.first <= end || run.first >= run.last || run.last > within.width)
                return "runs that touch, lie beside or are empty, of " + regionText(shape);
            end = run.last;
            for (int x = run.first; x < run.last; ++x) held[std::size_t(x)] = true;
        }
        for (int x = 0; x < within.width; ++x) {
            pixels += held[std::size_t(x)];
            if (held[std::size_t(x)] != belongs(shape, within.x + x, within.y + y))
                return "pixel " + std::to_string(within.x + x) + ", " +
                       std::to_string(within.y + y) + " of " + regionText(shape);
        }
    }
    return pixels == rows.pixels() ? "" : "another number of pixels, of " + regionText(shape);
}

}  // namespace

class RegionShapeTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    int any(int low, int high) { return anyBetween(m_random, low, high); }
    Rect anyRect(int reach, int side) {
        return {any(-reach, reach), any(-reach, reach), any(1, side), any(1, side)};
    }

  private slots:
    void ellipsesOfEverySmallSize() {
        for (int width = 1; width <= 24; ++width)
            for (int height = 1; height <= 24; ++height) {
                const Rect box{any(-9, 9), any(-9, 9), width, height};
                const RegionShape shape = RegionShape::ellipse(box);
                REQUIRE_SAME(difference(shape, box));
                REQUIRE_SAME(difference(shape, {box.x - 2, box.y - 3, width + 5, height + 4}));
                QVERIFY(RegionRows(shape, box).pixels() > 0);
            }
    }

    // The definition as it is written down, where rounding cannot matter.
    void ellipseAsTheFormulaSays() {
        for (int i = 0; i < 40; ++i) {
            const Rect box = anyRect(50, 200);
            const RegionRows rows(RegionShape::ellipse(box), box);
            const double rx = box.width / 2.0, ry = box.height / 2.0;
            for (int y = 0; y < box.height; ++y)
                for (int x = 0; x < box.width; ++x) {
                    const double dx = (x + 0.5 - rx) / rx, dy = (y + 0.5 - ry) / ry;
                    const double away = dx * dx + dy * dy;
                    if (std::abs(away - 1) < 1e-9) continue;
                    const auto runs = rows.row(y);
                    const bool held = std::ranges::any_of(
                        runs, [x](const PixelRun& run) { return x >= run.first && x < run.last; });
                    QCOMPARE(held, away < 1);
                }
        }
    }

    // Where 64 bits do not hold what is compared.
    void largestEllipse() {
        const RegionShape shape = RegionShape::ellipse({0, 0, kMaxSide, kMaxSide});
        for (int i = 0; i < 50; ++i) {
            const Rect strip{0, any(0, kMaxSide - 1), kMaxSide, 1};
            const RegionRows rows(shape, strip);
            QCOMPARE(rows.row(0).size(), std::size_t(1));
            const PixelRun run = rows.row(0)[0];
            QCOMPARE(run.first + run.last, kMaxSide);
            const auto inside = [&](std::int64_t x) {
                __extension__ using Wide = __int128;
                const Wide dx = 2 * x + 1 - kMaxSide, dy = 2 * Wide(strip.y) + 1 - kMaxSide;
                return dx * dx + dy * dy <= Wide(kMaxSide) * kMaxSide;
            };
            QVERIFY(inside(run.first));
            QVERIFY(!inside(run.first - 1));
        }
    }

    void polygonsOfEveryKind() {
        for (int i = 0; i < 600; ++i) {
            std::vector<PixelCorner> corners;
            const int count = any(3, i % 5 == 0 ? 60 : 7), side = any(1, 40);
            for (int k = 0; k < count; ++k) {
                corners.push_back({any(-side, side), any(-side, side)});
                if (any(0, 9) == 0) corners.push_back(corners.back());
            }
            const RegionShape shape = RegionShape::polygon(corners);
            REQUIRE_SAME(difference(shape, {-45, -45, 90, 90}));
            REQUIRE_SAME(difference(shape, anyRect(30, 40)));
        }
    }

    void rectangleIsAPolygonToo() {
        for (int i = 0; i < 50; ++i) {
            const Rect r = anyRect(30, 40), within = anyRect(30, 40);
            const int right = r.x + r.width, bottom = r.y + r.height;
            const RegionShape shape =
                RegionShape::polygon({{r.x, r.y}, {right, r.y}, {right, bottom}, {r.x, bottom}});
            QCOMPARE(shape.box(), r);
            const Rect both = intersect(r, within);
            const auto pixels = std::uint64_t(both.empty() ? 0 : both.size().pixels());
            QCOMPARE(RegionRows(shape, within).pixels(), pixels);
            QCOMPARE(RegionRows(r, within).pixels(), pixels);
            REQUIRE_SAME(difference(r, within));
        }
    }

    // Turned and mirrored with its image a shape keeps its pixels, those on the outline too.
    void mapsKeepThePixels() {
        for (int i = 0; i < 200; ++i) {
            const Size size{any(1, 60), any(1, 60)};
            const RegionShape shape = anyShape(m_random, size, i % 2 == 0);
            const double a = any(0, 1) ? 1 : -1, b = any(0, 1) ? 1 : -1;
            const double dx = any(-90, 90), dy = any(-90, 90);
            const PixelMap map =
                any(0, 1) ? PixelMap{a, 0, dx, 0, b, dy} : PixelMap{0, a, dx, b, 0, dy};
            const RegionShape there = mapped(map, shape);
            QCOMPARE(there.kind(), shape.kind());
            QCOMPARE(there.box(), mapped(map, shape.box()));
            QVERIFY(mapped(inverse(map), there) == shape);
            for (int y = -25; y < size.height + 25; ++y)
                for (int x = -25; x < size.width + 25; ++x) {
                    const int tx = int(std::floor(map.mapX(x + 0.5, y + 0.5)));
                    const int ty = int(std::floor(map.mapY(x + 0.5, y + 0.5)));
                    QCOMPARE(belongs(there, tx, ty), belongs(shape, x, y));
                }
        }
    }

    void fittedIntoBoxes() {
        for (int i = 0; i < 100; ++i) {
            const RegionShape shape = anyShape(m_random, {any(2, 50), any(2, 50)});
            const Rect box = anyRect(40, 90);
            const RegionShape there = fitted(shape, box);
            QCOMPARE(there.kind(), shape.kind());
            QCOMPARE(there.box(), box);
            QVERIFY(fitted(shape, shape.box()) == shape);
            // Moved alone: corner by corner.
            const Rect& before = shape.box();
            const Rect moved{box.x, box.y, before.width, before.height};
            const PixelMap shift{1, 0, double(box.x - before.x), 0, 1, double(box.y - before.y)};
            QVERIFY(fitted(shape, moved) == mapped(shift, shape));
        }
    }

    // Rows are built in strips: of more than one here.
    void highShapes() {
        for (int i = 0; i < 12; ++i) {
            const Size size{any(1, 40), any(100, 400)};
            const RegionShape shape = anyShape(m_random, size, true);
            const Rect within{any(-30, 30), any(-30, 30), any(1, 60), any(60, 450)};
            REQUIRE_SAME(difference(shape, within));
            QCOMPARE(holdsPixels(shape, within), RegionRows(shape, within).pixels() > 0);
            const Rect low{any(-30, 30), any(-30, 430), any(1, 20), any(1, 4)};
            QCOMPARE(holdsPixels(shape, low), RegionRows(shape, low).pixels() > 0);
        }
    }

    void stopsWhereItIsAskedTo() {
        std::stop_source stop;
        const RegionShape shape = RegionShape::ellipse({0, 0, 100, 500});
        const Rect within{0, 0, 100, 500};
        QVERIFY(RegionRows(shape, within, stop.get_token()).pixels() > 0);
        stop.request_stop();
        const RegionRows none(shape, within, stop.get_token());
        QCOMPARE(none.pixels(), std::uint64_t(0));
        QCOMPARE(none.height(), 500);
        for (int y = 0; y < none.height(); ++y) QVERIFY(none.row(y).empty());
    }

    void text() {
        QCOMPARE(regionText(Rect{1, -2, 3, 4}), std::string("rectangle 1 -2 3 4"));
        QCOMPARE(regionText(RegionShape::ellipse({10, 20, 100, 50})),
                 std::string("ellipse 10 20 100 50"));
        QCOMPARE(regionText(RegionShape::polygon({{0, 0}, {5, 1}, {-2, 7}})),
                 std::string("polygon 0 0 5 1 -2 7"));
        for (int i = 0; i < 100; ++i) {
            const RegionShape shape = i % 3 ? anyShape(m_random, {any(2, 500), any(2, 500)}, true)
                                            : RegionShape(anyRect(1000, 1000));
            const auto back = regionFromText(regionText(shape));
            REQUIRE_OK(back);
            QVERIFY(*back == shape);
        }
        for (const char* wrong :
             {"", "rectangle", "circle 1 2 3 4", "ellipse 1 2 3", "ellipse 1 2 3 4 5",
              "ellipse 1 2 0 4", "rectangle 1 2 3 -4", "ellipse 1 2 3 x", "ellipse 1 2 3 4x",
              "ellipse 1 2 3 99999999999", "rectangle 2000000 0 1 1", "polygon 1 2 3 4",
              "polygon 1 2 3 4 5", "polygon 1 2 3 4 5 1e3", "Ellipse 1 2 3 4", "ellipse1 2 3 4"})
            REQUIRE_FAILS(regionFromText(wrong), ErrorCode::InvalidArgument, "no region");
        std::string endless = "polygon";
        for (int i = 0; i < 200'001; ++i) endless += " 1";
        REQUIRE_FAILS(regionFromText(endless), ErrorCode::InvalidArgument, "no region");
        // Few bytes, many rows.
        std::string zigzag = "polygon";
        for (int i = 0; i < 3000; ++i)
            zigzag += " " + std::to_string(i) + (i % 2 ? " 10000" : " 0");
        REQUIRE_FAILS(regionFromText(zigzag), ErrorCode::InvalidArgument, "no region");
        // Down, up and so on, 2^22 rows in all; one more is too many.
        std::vector<PixelCorner> corners;
        for (int i = 0; i < 64; ++i) corners.push_back({i, i % 2 ? 1 << 16 : 0});
        QVERIFY(isBounded(RegionShape::polygon(corners)));
        REQUIRE_OK(regionFromText(regionText(RegionShape::polygon(corners))));
        corners[1].y += 1;
        QVERIFY(!isBounded(RegionShape::polygon(corners)));
        REQUIRE_FAILS(regionFromText(regionText(RegionShape::polygon(corners))),
                      ErrorCode::InvalidArgument, "no region");
    }
};

WARPSCOPE_TEST(RegionShapeTest)
#include "region_shape_test.moc"
