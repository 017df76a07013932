#include "engine/operations/edges/convolve.h"

#include <cmath>
#include <random>

#include "operations/edges/luma_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Rounds down, unlike the division of C++.
std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

struct Task {
    IntMatrix kernel;
    std::int64_t divisor = 0;
    std::int64_t offset = 0;

    TextParameters parameters() const {
        return {{"kernel", toText(ParamValue(kernel))},
                {"divisor", std::to_string(divisor)},
                {"offset", std::to_string(offset)}};
    }
};

template <class T>
std::vector<double> truthOf(const View<const T>& image, const Task& task) {
    const IntMatrix& kernel = task.kernel;
    std::int64_t divisor = task.divisor;
    if (divisor == 0)
        for (const std::int32_t weight : kernel.values) divisor += weight;
    if (divisor == 0) divisor = 1;
    std::vector<double> samples;
    for (int y = 0; y < image.height; ++y)
        for (int i = 0; i < image.samplesPerRow(); ++i) {
            const int x = i / image.channels, c = i % image.channels;
            if (c == 3) {
                samples.push_back(double(image.row(y)[i]));
                continue;
            }
            std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t> sum = 0;
            for (int r = 0; r < kernel.rows(); ++r)
                for (int k = 0; k < kernel.columns; ++k) {
                    const int row = std::clamp(y + r - kernel.rows() / 2, 0, image.height - 1);
                    const int column = std::clamp(x + k - kernel.columns / 2, 0, image.width - 1);
                    const std::int32_t weight = kernel.values[std::size_t(r * kernel.columns + k)];
                    if (weight == 0) continue;
                    const auto product = decltype(sum)(weight) *
                                         decltype(sum)(image.row(row)[column * image.channels + c]);
                    sum += product;
                }
            if constexpr (std::is_floating_point_v<T>) {
                const double ratio = sum / double(divisor);
                samples.push_back(double(float(ratio + double(task.offset) / 255)));
            } else {
                const std::int64_t made = floorDivide(2 * sum + divisor, 2 * divisor) +
                                          task.offset * (sizeof(T) == 2 ? 257 : 1);
                samples.push_back(double(std::clamp<std::int64_t>(made, 0, whiteOf<T>())));
            }
        }
    return samples;
}

Image truth(const Image& image, const Task& task) {
    std::vector<double> samples;
    visitSampleType(image.format(), [&]<class T>() {
        if constexpr (sizeof(T) <= 2 || std::is_floating_point_v<T>)
            samples = truthOf(image.view<T>(), task);
    });
    return makeImage(image.format(), image.size(), samples);
}

}  // namespace

class ConvolveTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = warpscope::test::freshSeed();
    std::mt19937 m_random{m_seed};

    int anyUpTo(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(m_random);
    }

    // Sums of all widths: small weights, all, and the largest ones everywhere.
    Task anyTask() {
        Task task;
        task.kernel.columns = 1 + 2 * anyUpTo(0, 7);
        const int entries = task.kernel.columns * (1 + 2 * anyUpTo(0, 7));
        const int kind = anyUpTo(0, 3);
        const int most = kind == 0 ? 1 : kind == 1 ? 40 : 32767;
        for (int i = 0; i < entries; ++i)
            task.kernel.values.push_back(kind == 3 ? -32768 : anyUpTo(-most, most));
        if (kind == 2 && anyUpTo(0, 1))
            for (std::int32_t& value : task.kernel.values) value = anyUpTo(0, 5) ? 0 : value;
        const int divisors = anyUpTo(0, 4);
        task.divisor = divisors == 0   ? 0
                       : divisors == 1 ? anyUpTo(-9, 9)
                       : divisors == 2 ? anyUpTo(-100000, 100000)
                       : divisors == 3 ? anyUpTo(-7372800, 7372800)
                                       : 1 << anyUpTo(0, 22);
        task.offset = anyUpTo(0, 1) ? anyUpTo(-255, 255) : 0;
        return task;
    }

    void compare(const Image& image, const Task& task) {
        const Image expected = truth(image, task);
        forEachVectorTarget([&](const std::string& target) {
            for (const Threading threading : {Threading::Single, Threading::AllCores})
                compareSamples(
                    expected, runOn(convolve_operation(), task.parameters(), image, threading),
                    target + ", seed " + std::to_string(m_seed) + ", divisor " +
                        std::to_string(task.divisor) + ", offset " + std::to_string(task.offset) +
                        ", kernel " + toText(ParamValue(task.kernel)));
        });
    }

  private slots:
    void equalsTruth_data() { addFilterFormats(); }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        for (int trial = 0; trial < 30; ++trial) {
            const Task task = anyTask();
            const Size size{anyUpTo(1, 90), anyUpTo(1, 25)};
            compare(isFloat(format) && trial % 2 ? makeWild(format, size, m_random())
                                                 : makeNoise(format, size, m_random()),
                    task);
            if (QTest::currentTestFailed()) return;
        }
    }

    void presetsOnAwkwardImages_data() { addFilterFormats(); }
    void presetsOnAwkwardImages() {
        QFETCH(PixelFormat, format);
        for (const PresetSpec& preset :
             convolve_operation().description().findParameter("kernel")->presets)
            for (const NamedImage& named : awkwardImages(format)) {
                Task task;
                task.kernel = std::get<IntMatrix>(preset.value);
                compareSamples(truth(named.image, task),
                               runOn(convolve_operation(), {{"kernel", preset.id}}, named.image),
                               preset.id + " " + named.name);
            }
    }

    // The largest sums there are, of 8 and of 16 bits.
    void largestSums() {
        for (const PixelFormat format : kIntegerFormats)
            for (const std::int32_t weight : {32767, -32768})
                for (const std::int64_t divisor : {0, 1, -1, 7372800, -7372800}) {
                    Task task{{15, std::vector<std::int32_t>(225, weight)}, divisor, 0};
                    compare(makeConstant(format, {33, 17}, fullScale(format)), task);
                    if (QTest::currentTestFailed()) return;
                }
    }

    // Results of every magnitude beyond 0 and white, on their way through 16 bits too.
    void farBeyondWhite() {
        std::vector<double> levels;
        for (int i = 0; i < 70; ++i) levels.push_back(i < 50 ? 255 - 5 * i : anyUpTo(0, 255));
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16}) {
            const Image image = makeImage(format, {70, 1}, levels);
            for (double weight = 1; weight < 32767; weight *= 1.4)
                for (const std::int64_t divisor : {1, -1, 2, 255}) {
                    const auto whole = std::int32_t(weight);
                    compare(image, Task{{3, {0, whole, whole / 2}}, divisor, anyUpTo(-255, 255)});
                    if (QTest::currentTestFailed()) return;
                }
        }
    }

    // Halves are rounded up on both sides of 0, whatever the sign of the divisor.
    void halvesAreRoundedUp() {
        std::vector<double> levels;
        for (int i = 0; i < 256; ++i) levels.push_back(i);
        const Image image = makeImage(PixelFormat::Gray8, {256, 1}, levels);
        for (const std::int32_t weight : {1, -1, 3, -3})
            for (const std::int64_t divisor : {2, -2, 4, 6, -6, 10}) {
                compare(image, Task{{1, {weight}}, divisor, 128});
                if (QTest::currentTestFailed()) return;
            }
    }

    // The kernel is not turned round: what stands left of the middle weighs the pixel to the left.
    void correlates() {
        const Image image = makeImage(PixelFormat::Gray8, {5, 1}, {0, 0, 100, 0, 0});
        const Image made =
            runOn(convolve_operation(), {{"kernel", "1 0 2"}, {"divisor", "1"}}, image);
        compareSamples(makeImage(PixelFormat::Gray8, {5, 1}, {0, 200, 0, 100, 0}), made, "");
    }

    // What was white stays white where the result is a mean.
    void meansKeepWhite() {
        const auto fills = [](const char* kernel, const char* divisor, const char* offset) {
            return planFor(convolve_operation(),
                           {{"kernel", kernel}, {"divisor", divisor}, {"offset", offset}},
                           PixelFormat::Gray16, {9, 9})
                ->fillsRange;
        };
        QVERIFY(!fills("motion", "0", "0"));
        QVERIFY(!fills("1 2 1", "5", "-3"));
        QVERIFY(!fills("-1 -2 -1", "0", "0"));
        QVERIFY(fills("motion", "8", "0"));
        QVERIFY(fills("motion", "0", "1"));
        QVERIFY(fills("sharpen", "0", "0"));
    }

    void oneInTheMiddleIsNothing() {
        for (const char* kernel : {"1", "7", "0 0 0;0 3 0;0 0 0"}) {
            const PlanPtr plan =
                planFor(convolve_operation(), {{"kernel", kernel}}, PixelFormat::Rgba16, {40, 30});
            QVERIFY(plan->identity);
        }
        QVERIFY(!planFor(convolve_operation(), {{"kernel", "1 0 0"}}, PixelFormat::Gray8, {4, 4})
                     ->identity);
        QVERIFY(!planFor(convolve_operation(), {{"kernel", "2"}, {"divisor", "1"}},
                         PixelFormat::Gray8, {4, 4})
                     ->identity);
    }
};

WARPSCOPE_TEST(ConvolveTest)
#include "convolve_test.moc"
#include "support/random_seed.h"
