#include "engine/operations/edges/gradient.h"

#include <cmath>

#include "operations/edges/luma_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

const char* const kKernels[] = {"sobel", "scharr", "prewitt"};
const char* const kOutputs[] = {"magnitude", "horizontal", "vertical"};

// Halves the interval that the root lies in.
std::int64_t wholeRoot(std::int64_t of) {
    std::int64_t low = 0, high = std::int64_t(1) << 31;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (middle * middle <= of ? low : high) = middle;
    }
    return low;
}

template <class T>
T gradientTruth(const Wide<T> (&v)[3][3], const std::string& kernel, const std::string& output) {
    const int side = kernel == "scharr" ? 3 : 1;
    const int centre = kernel == "scharr" ? 10 : kernel == "sobel" ? 2 : 1;
    const Wide<T> weights[] = {Wide<T>(side), Wide<T>(centre), Wide<T>(side)};
    Wide<T> gx = 0, gy = 0;
    for (int k = 0; k < 3; ++k) {
        const Wide<T> right = weights[k] * (v[k][2] - v[k][0]);
        const Wide<T> down = weights[k] * (v[2][k] - v[0][k]);
        gx = k == 0 ? right : gx + right;
        gy = k == 0 ? down : gy + down;
    }
    const Wide<T> shown = output == "vertical" ? gy : gx;
    if constexpr (std::is_floating_point_v<T>) {
        if (output == "magnitude")
            return float(std::sqrt(double(gx) * double(gx) + double(gy) * double(gy)));
        return 0.5f + shown / 2;
    } else {
        const Wide<T> white = whiteOf<T>();
        if (output == "magnitude") return T(std::min(white, wholeRoot(gx * gx + gy * gy)));
        return T(std::clamp<Wide<T>>((white + 1) / 2 + (shown >> 1), 0, white));
    }
}

}  // namespace

class GradientTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (const std::string kernel : kKernels)
            for (const std::string output : kOutputs)
                compareWithTruth(gradient_operation(), {{"kernel", kernel}, {"output", output}},
                                 format, [&](const Image& image) {
                                     return fromLumaSquares(
                                         image, [&]<class T>(const Wide<T>(&v)[3][3]) {
                                             return gradientTruth<T>(v, kernel, output);
                                         });
                                 });
    }

    // Every magnitude of 8 bits that is not white, from whole steps each way: where a root in float
    // is just below a whole number, the floor shows it.
    void everyWholeRoot() {
        // Three rows with steps to the right and down; the pixel in the middle is looked at.
        std::vector<double> samples;
        std::vector<int> roots;
        for (int gx = 0; gx < 128; ++gx)
            for (int gy = 0; gy < 128; ++gy) {
                // Prewitt: corners alone make gx = a + b and gy = a - b.
                const int a = gx + gy, b = gx - gy;
                if (a > 255 || b > 255 || b < -255) continue;
                roots.push_back(
                    int(std::min<std::int64_t>(255, wholeRoot(4LL * gx * gx + 4LL * gy * gy))));
                samples.push_back(a);
                samples.push_back(b);
            }
        const int count = int(roots.size());
        std::vector<double> rows(std::size_t(count) * 3 * 3, 0.0);
        const auto at = [&](int x, int y) -> double& {
            return rows[std::size_t(y) * unsigned(count) * 3 + unsigned(x)];
        };
        for (int i = 0; i < count; ++i) {
            const int a = int(samples[std::size_t(2 * i)]),
                      b = int(samples[std::size_t(2 * i + 1)]);
            at(3 * i + 2, 2) = a;
            at(3 * i + 2, 0) = std::max(b, 0);
            at(3 * i, 2) = std::max(-b, 0);
        }
        const Image image = makeImage(PixelFormat::Gray8, {count * 3, 3}, rows);
        forEachVectorTarget([&](const std::string& target) {
            const Image made = runOn(gradient_operation(), {{"kernel", "prewitt"}}, image);
            for (int i = 0; i < count; ++i)
                if (int(made.view<std::uint8_t>().row(1)[3 * i + 1]) != roots[std::size_t(i)])
                    QFAIL(qPrintable(QString("%1: case %2").arg(target.c_str()).arg(i)));
        });
    }

    // Squares of 16 bits need more than 32, and white is reached in both ways.
    void extremesOf16Bits() {
        std::mt19937 random{warpscope::test::freshSeed()};
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<double> samples;
            for (int i = 0; i < 41 * 5; ++i) {
                const std::uint32_t of = random();
                samples.push_back(of % 4 == 0   ? 0
                                  : of % 4 == 1 ? 65535
                                  : of % 4 == 2 ? double(of >> 16)
                                                : double(of >> 24));
            }
            const Image image = makeImage(PixelFormat::Gray16, {41, 5}, samples);
            const Image truth = fromLumaSquares(image, [&]<class T>(const Wide<T>(&v)[3][3]) {
                return gradientTruth<T>(v, "prewitt", "magnitude");
            });
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(truth, runOn(gradient_operation(), {{"kernel", "prewitt"}}, image),
                               target);
            });
        }
    }

    void manyBands() {
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makePhotograph(format, {517, 389}, warpscope::test::freshSeed());
            compareSamples(runOn(gradient_operation(), {}, image),
                           runOn(gradient_operation(), {}, image, Threading::AllCores), "bands");
        }
    }
};

WARPSCOPE_TEST(GradientTest)
#include "gradient_test.moc"
#include "support/random_seed.h"
