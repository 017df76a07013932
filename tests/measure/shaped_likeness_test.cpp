// Errors, PSNR and SSIM over the pixels of a region that is no rectangle.
#include <cmath>

#include "engine/measure/likeness.h"
#include "support/images.h"
#include "support/shapes.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

bool near(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

// Windows that lie in the part and have their middle in the shape, each counted as an image of its
// own; of the row "all" its three.
double ssimOf(const Image& a, const Image& b, const RegionShape& inPart, const std::string& row) {
    if (row == "all")
        return (ssimOf(a, b, inPart, "red") + ssimOf(a, b, inPart, "green") +
                ssimOf(a, b, inPart, "blue")) /
               3;
    double sum = 0;
    int windows = 0;
    for (int y = 0; y + kSsimWindow <= a.height(); ++y)
        for (int x = 0; x + kSsimWindow <= a.width(); ++x) {
            if (!belongs(inPart, x + kSsimWindow / 2, y + kSsimWindow / 2)) continue;
            const Rect window{x, y, kSsimWindow, kSsimWindow};
            const auto rows = likenessOf(a.crop(window), b.crop(window), {}).value();
            for (const ChannelLikeness& found : rows) {
                if (found.channel != row || std::isnan(found.ssim)) continue;
                sum += found.ssim;
                ++windows;
            }
        }
    return windows ? sum / windows : std::nan("");
}

}  // namespace

class ShapedLikenessTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

  private slots:
    void asPixelByPixel_data() {
        QTest::addColumn<PixelFormat>("format");
        for (const PixelFormat format : kAllPixelFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << format;
    }
    void asPixelByPixel() {
        QFETCH(PixelFormat, format);
        for (int i = 0; i < 8; ++i) {
            const Size size{anyBetween(m_random, 1, 60), anyBetween(m_random, 1, 60)};
            const auto any = [&] {
                return isFloat(format) && i % 2 ? makeWild(format, size, m_random())
                                                : makeNoise(format, size, m_random());
            };
            const Image a = any(), b = any();
            const RegionShape shape = anyShape(m_random, size, i % 3 == 0);
            const Rect box = intersect(shape.box(), {0, 0, size.width, size.height});
            const RegionRows rows(shape, box);
            CpuContext context;
            context.threading = i % 2 ? Threading::Single : Threading::AllCores;
            const Image first = a.crop(box), second = b.crop(box);
            const auto found = likenessOf(first, second, context, &rows);
            const auto truth = likenessOf(pixelsOf(a, shape), pixelsOf(b, shape), {});
            REQUIRE_OK(found);
            REQUIRE_OK(truth);
            QCOMPARE(found->size(), truth->size());
            const RegionShape inPart =
                mapped(PixelMap{1, 0, double(-box.x), 0, 1, double(-box.y)}, shape);
            for (std::size_t k = 0; k < truth->size(); ++k) {
                const ChannelLikeness &f = (*found)[k], &t = (*truth)[k];
                QCOMPARE(f.channel, t.channel);
                QCOMPARE(f.samples, t.samples);
                QCOMPARE(f.notFinite, t.notFinite);
                QCOMPARE(f.samples, rows.pixels() * (f.channel == "all" ? 3 : 1));
                QVERIFY(f.largest == t.largest || (std::isnan(f.largest) && std::isnan(t.largest)));
                QVERIFY(near(f.meanSquared, t.meanSquared));
                QVERIFY(near(f.rootMeanSquared, t.rootMeanSquared));
                QVERIFY(near(f.meanAbsolute, t.meanAbsolute));
                QVERIFY(near(f.psnr, t.psnr));
                // A polygon of noise may have few windows; the alpha of a window may be opaque.
                if (f.channel != "alpha")
                    QVERIFY2(near(f.ssim, ssimOf(first, second, inPart, f.channel)),
                             regionText(shape).c_str());
            }
        }
    }

    void wholeRectangleAsWithout() {
        const Image a = makePhotograph(PixelFormat::Rgba8, {53, 41}, m_random());
        const Image b = makePhotograph(PixelFormat::Rgba8, {53, 41}, m_random());
        const RegionRows rows(Rect{0, 0, 53, 41}, {0, 0, 53, 41});
        const auto with = likenessOf(a, b, {}, &rows), without = likenessOf(a, b, {});
        REQUIRE_OK(with);
        for (std::size_t k = 0; k < without->size(); ++k) {
            QCOMPARE((*with)[k].ssim, (*without)[k].ssim);
            QCOMPARE((*with)[k].meanSquared, (*without)[k].meanSquared);
            QCOMPARE((*with)[k].samples, (*without)[k].samples);
        }
    }
};

WARPSCOPE_TEST(ShapedLikenessTest)
#include "shaped_likeness_test.moc"
