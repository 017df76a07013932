#include "engine/operations/edges/laplacian.h"

#include <cmath>

#include "operations/edges/luma_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

template <class T>
T laplacianTruth(const Wide<T> (&v)[3][3], int neighbours, bool isSigned) {
    Wide<T> sum = 0;
    bool any = false;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            const int steps = std::abs(i - 1) + std::abs(j - 1);
            if (steps == 0 || (steps == 2 && neighbours == 4)) continue;
            sum = any ? sum + v[j][i] : v[j][i];
            any = true;
        }
    const Wide<T> taken = Wide<T>(neighbours) * v[1][1];
    const Wide<T> s = sum - taken;
    if constexpr (std::is_floating_point_v<T>) {
        return isSigned ? 0.5f + s : std::fabs(s);
    } else {
        const Wide<T> white = whiteOf<T>();
        return T(isSigned ? std::clamp<Wide<T>>((white + 1) / 2 + s, 0, white)
                          : std::min(white, s < 0 ? -s : s));
    }
}

}  // namespace

class LaplacianTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const int neighbours : {4, 8})
            for (const bool isSigned : {false, true})
                compareWithTruth(laplacian_operation(),
                                 {{"neighbours", std::to_string(neighbours)},
                                  {"output", isSigned ? "signed" : "absolute"}},
                                 format, [&](const Image& image) {
                                     return fromLumaSquares(
                                         image, [&]<class T>(const Wide<T>(&v)[3][3]) {
                                             return laplacianTruth<T>(v, neighbours, isSigned);
                                         });
                                 });
    }

    // Even areas and even slopes have none, but for the edges of a slope.
    void evenSlopesAreBlack() {
        std::vector<double> samples;
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 21; ++x) samples.push_back(3 * x + 5 * y);
        const Image image = makeImage(PixelFormat::Gray8, {21, 9}, samples);
        for (const char* neighbours : {"4", "8"}) {
            const Image made = runOn(laplacian_operation(), {{"neighbours", neighbours}}, image);
            for (int y = 1; y < 8; ++y)
                for (int x = 1; x < 20; ++x) QCOMPARE(int(made.view<std::uint8_t>().row(y)[x]), 0);
            QVERIFY(made.view<std::uint8_t>().row(0)[0] > 0);
        }
    }

    void manyBands() {
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makePhotograph(format, {517, 389}, warpscope::test::freshSeed());
            compareSamples(runOn(laplacian_operation(), {}, image),
                           runOn(laplacian_operation(), {}, image, Threading::AllCores), "bands");
        }
    }
};

WARPSCOPE_TEST(LaplacianTest)
#include "laplacian_test.moc"
#include "support/random_seed.h"
