#include "engine/operations/tone/threshold.h"

#include <cmath>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

__extension__ using Wide = __int128;

struct Method {
    const char* id;
    ThresholdMethod method;
};
constexpr Method kAutomatic[] = {{"mean", ThresholdMethod::Mean},
                                 {"otsu", ThresholdMethod::Otsu},
                                 {"triangle", ThresholdMethod::Triangle},
                                 {"li", ThresholdMethod::Li},
                                 {"isodata", ThresholdMethod::Isodata}};

using Counts = std::vector<std::uint64_t>;

// The definitions once more; t, in long double where it is real.
struct Truth {
    const Counts& h;
    int lo = 0, hi = 0;
    Wide n = 0, mt = 0;

    explicit Truth(const Counts&& counts) = delete;
    explicit Truth(const Counts& counts) : h(counts) {
        lo = int(h.size());
        for (int k = 0; k < int(h.size()); ++k) {
            if (h[std::size_t(k)] == 0) continue;
            lo = std::min(lo, k);
            hi = k;
            n += Wide(h[std::size_t(k)]);
            mt += Wide(h[std::size_t(k)]) * k;
        }
    }
    std::pair<Wide, Wide> upTo(int t) const {
        Wide w = 0, m = 0;
        for (int k = 0; k <= t; ++k) {
            w += Wide(h[std::size_t(k)]);
            m += Wide(h[std::size_t(k)]) * k;
        }
        return {w, m};
    }
    long double operator()(ThresholdMethod method) const {
        if (n == 0) return 0;
        if (lo == hi) return lo;
        switch (method) {
            case ThresholdMethod::Otsu:
                return otsu();
            case ThresholdMethod::Triangle:
                return triangle();
            case ThresholdMethod::Li:
                return li();
            case ThresholdMethod::Isodata:
                return isodata();
            default:
                return (long double)(mt) / (long double)(n);
        }
    }
    int otsu() const {
        int best = lo;
        double most = -1;
        Wide w = 0, m = 0;
        for (int t = 0; t < hi; ++t) {
            w += Wide(h[std::size_t(t)]);
            m += Wide(h[std::size_t(t)]) * t;
            if (w == 0) continue;
            // Every step rounded to double.
            const volatile double one = double(mt) * double(w), other = double(m) * double(n);
            const volatile double d = one - other, square = d * d;
            const volatile double sides = double(w) * double(n - w);
            const double q = square / sides;
            if (q > most) {
                most = q;
                best = t;
            }
        }
        return best;
    }
    int triangle() const {
        int p = 0;
        for (int k = 0; k < int(h.size()); ++k)
            if (h[std::size_t(k)] > h[std::size_t(p)]) p = k;
        const int e = p - lo < hi - p ? hi : lo;
        const int step = e > p ? -1 : 1;
        int best = e;
        Wide most = 0;
        for (int i = 0; i <= std::abs(p - e); ++i) {
            const int k = e + step * i;
            const Wide height =
                Wide(h[std::size_t(p)]) * i - Wide(std::abs(p - e)) * Wide(h[std::size_t(k)]);
            if (i == 0 || height > most) {
                most = height;
                best = k;
            }
        }
        return best;
    }
    long double li() const {
        long double t = (long double)(mt - n * lo) / (long double)(n);
        for (;;) {
            const auto [w, m] = upTo(lo + int(t));
            const Wide relative = m - w * lo;
            const long double mb = (long double)(relative) / (long double)(w);
            const long double mf = (long double)(mt - n * lo - relative) / (long double)(n - w);
            const long double next = mb == 0 ? 0 : (mb - mf) / (std::log(mb) - std::log(mf));
            const bool done = std::fabs(next - t) <= 0.5L;
            t = next;
            if (done) return lo + t;
        }
    }
    int isodata() const {
        Wide w = 0, m = 0;
        for (int t = 0; t < hi; ++t) {
            w += Wide(h[std::size_t(t)]);
            m += Wide(h[std::size_t(t)]) * t;
            if (w == 0) continue;
            // 2 t <= m0/w0 + m1/w1 < 2 t + 2; products of small counts only.
            const Wide sum = m * (n - w) + (mt - m) * w, sides = w * (n - w);
            if (2 * t * sides <= sum && sum < 2 * (Wide(t) + 1) * sides) return t;
        }
        return -1;
    }
};

void checkCounts(const Counts& counts, const std::string& name) {
    const Truth truth(counts);
    for (const auto& [id, method] : kAutomatic) {
        const ThresholdCut cut = cutOfCounts(counts, method);
        const long double expected = truth(method);
        const bool real = method == ThresholdMethod::Li || method == ThresholdMethod::Mean;
        const bool right = real ? std::fabs(cut.chosen - expected) <= 1e-9L * (1 + expected)
                                : (long double)(cut.chosen) == expected;
        const std::string said = name + ", " + id + ": " + std::to_string(cut.chosen) + " for " +
                                 std::to_string(double(expected));
        QVERIFY2(right, said.c_str());
        // The mean is cut off exactly; a real one near a whole number is left to rounding.
        if (method == ThresholdMethod::Mean)
            QCOMPARE(cut.level, truth.n == 0 ? 0u : std::uint32_t(truth.mt / truth.n));
        else if (std::fabs(expected - std::round(expected)) > 1e-6L || !real)
            QCOMPARE(cut.level, std::uint32_t(expected));
    }
}

Counts countsOf(const Image& luma) {
    Counts counts(bytesPerSample(luma.format()) == 1 ? 256 : 65536);
    for (int y = 0; y < luma.height(); ++y)
        for (int x = 0; x < luma.width(); ++x)
            ++counts[counts.size() == 256 ? luma.view<std::uint8_t>().row(y)[x]
                                          : luma.view<std::uint16_t>().row(y)[x]];
    return counts;
}

template <class T>
Image lumaImage(const Image& image) {
    if (!isColor(image.format())) return image;
    auto luma = *MutableImage::create(*withChannels(image.format(), false), image.size());
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const T* p = image.view<T>().row(y) + 4 * x;
            if constexpr (std::is_floating_point_v<T>) {
                const volatile float r = p[0] * (19595.0f / 65536.0f),
                                     g = p[1] * (38470.0f / 65536.0f),
                                     b = p[2] * (7471.0f / 65536.0f);
                const volatile float rg = r + g;
                luma.view<T>().row(y)[x] = rg + b;
            } else {
                luma.view<T>().row(y)[x] =
                    T((19595ull * p[0] + 38470ull * p[1] + 7471ull * p[2] + 32768) >> 16);
            }
        }
    return std::move(luma).freeze({});
}

template <class T, class White>
Image blackAndWhite(const Image& luma, T most, const White& white) {
    auto made = *MutableImage::create(luma.format(), luma.size());
    for (int y = 0; y < luma.height(); ++y)
        for (int x = 0; x < luma.width(); ++x)
            made.view<T>().row(y)[x] = white(luma.view<T>().row(y)[x]) ? most : T(0);
    return std::move(made).freeze({});
}

template <class T>
void checkImage(const Image& image, const std::string& name) {
    const Image luma = lumaImage<T>(image);
    const Counts counts = countsOf(luma);
    const Truth truth(counts);
    constexpr T kMost = std::numeric_limits<T>::max();
    for (const auto& [id, method] : kAutomatic) {
        const long double t = truth(method);
        const Image expected = blackAndWhite<T>(luma, kMost, [&](T v) {
            if (method == ThresholdMethod::Mean) return Wide(v) * truth.n > truth.mt;
            return (long double)(v) > t;
        });
        for (const Threading threading : {Threading::Single, Threading::AllCores})
            compareSamples(expected,
                           runOn(threshold_operation(), {{"method", id}}, image, threading),
                           name + ", " + id);
    }
    for (const char* value : {"0", "0.5", "127.3", "128", "254.99", "255"}) {
        const double t = std::stod(value) * (kMost == 255 ? 1 : 257);
        compareSamples(blackAndWhite<T>(luma, kMost, [&](T v) { return double(v) > t; }),
                       runOn(threshold_operation(), {{"value", value}}, image),
                       name + ", fixed at " + value);
    }
}

std::shared_ptr<const ThresholdPlan> frozen(const char* method, const Image& image) {
    const auto plan = threshold_operation().freeze(
        requestFor(threshold_operation(), {{"method", method}}, image.format(), image.size()),
        image, {});
    return std::dynamic_pointer_cast<const ThresholdPlan>(*plan);
}

}  // namespace

class ThresholdTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

  private slots:
    void countsEqualTruth() {
        for (int round = 0; round < 300; ++round) {
            Counts counts(round % 10 == 0 ? 65536 : 256);
            const int filled = 1 + int(m_random() % (round % 3 ? 6 : 200));
            for (int i = 0; i < filled; ++i)
                counts[m_random() % counts.size()] = m_random() % (round % 2 ? 5 : 100000);
            checkCounts(counts, "round " + std::to_string(round));
            if (QTest::currentTestFailed()) return;
        }
        // As of an image of 2^40 pixels.
        Counts large(256);
        for (auto& count : large) count = m_random() % 2 ? std::uint64_t(m_random()) : 0;
        large[3] = 1ull << 38;
        large[200] = (1ull << 38) + 1;
        checkCounts(large, "large");
        checkCounts(Counts(256), "empty");
    }

    // Results that are written past the cache; rows with and without something between them.
    void largeImages() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Gray16, PixelFormat::GrayF32})
            for (const Size size : {Size{2112, 2003}, Size{2109, 2003}}) {
                const Image image = makeNoise(format, size, freshSeed());
                for (const Image& one : {image, image.crop({3, 1, size.width - 3, 2001})}) {
                    const Image made =
                        runOn(threshold_operation(), {{"method", "fixed"}, {"value", "77"}}, one,
                              Threading::AllCores);
                    visitSampleType(format, [&]<class T>() {
                        const double cut = 77 * fullScale(format) / 255;
                        for (int y = 0; y < one.height(); ++y)
                            for (int x = 0; x < one.width(); ++x) {
                                const T v = one.view<T>().row(y)[x];
                                const double truth = double(v) > cut ? fullScale(format) : 0;
                                if (double(made.view<T>().row(y)[x]) != truth)
                                    QFAIL((std::to_string(x) + "," + std::to_string(y) + " of " +
                                           std::to_string(double(v)))
                                              .c_str());
                            }
                    });
                    if (QTest::currentTestFailed()) return;
                }
            }
    }

    void logarithmIsRight() {
        for (int i = 0; i < 100000; ++i) {
            const double x = std::exp2(std::uniform_real_distribution<>(-40, 17)(m_random));
            const double expected = std::log(x);
            QVERIFY2(std::fabs(logarithm(x) - expected) <= 4e-16 * std::fabs(expected) + 2e-16,
                     std::to_string(x).c_str());
        }
        QCOMPARE(logarithm(1), 0.0);
    }

    void productsAreCompared() {
        for (int i = 0; i < 100000; ++i) {
            const auto number = [&] {
                return (std::uint64_t(m_random()) << 9 ^ m_random()) >> m_random() % 41;
            };
            const std::uint64_t a = number(), b = number(), c = i % 3 ? number() : b,
                                d = i % 3 ? number() : a + m_random() % 3 - 1;
            if (d >> 41) continue;
            QCOMPARE(atLeastProduct(a, b, c, d), Wide(a) * Wide(b) >= Wide(c) * Wide(d));
        }
    }

    void integersEqualTruth() {
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16})
            for (const Size size : {Size{1, 1}, Size{1, 61}, Size{67, 1}, Size{131, 57}})
                for (const Image& image :
                     {makePhotograph(format, size, m_random()), makeNoise(format, size, m_random()),
                      makeConstant(format, size, 77)}) {
                    bytesPerSample(format) == 1 ? checkImage<std::uint8_t>(image, "8 bits")
                                                : checkImage<std::uint16_t>(image, "16 bits");
                    if (QTest::currentTestFailed()) return;
                }
    }

    void everyTargetAgrees() {
        for (const PixelFormat format : kFilterFormats) {
            const Image image = makePhotograph(format, {301, 40}, m_random());
            const Image expected = runOn(threshold_operation(), {{"method", "otsu"}}, image);
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(expected, runOn(threshold_operation(), {{"method", "otsu"}}, image),
                               target);
            });
        }
    }

    void floatsEqualTruth() {
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (int round = 0; round < 12; ++round) {
                const std::uint32_t seed = m_random();
                const Size size{1 + int(m_random() % 90), 1 + int(m_random() % 50)};
                const Image image = round % 3 == 0 ? makeWild(format, size, seed)
                                    : round % 3 == 1
                                        ? makeWild(format, size, seed, Wild::AllMagnitudes)
                                        : makePhotograph(format, size, seed);
                const Image luma = lumaImage<float>(image);
                long double sum = 0, magnitude = 0;
                std::uint64_t n = 0;
                EqualizeRange range;
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const float v = luma.view<float>().row(y)[x];
                        if (!std::isfinite(v)) continue;
                        range.low = n ? std::min(range.low, v) : v;
                        range.high = n ? std::max(range.high, v) : v;
                        sum += v;
                        magnitude += std::fabs(v);
                        ++n;
                    }
                Counts counts(65536);
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const float v = luma.view<float>().row(y)[x];
                        if (std::isfinite(v) && range.maps()) ++counts[range.bin(v)];
                    }
                const std::string name =
                    "seed " + std::to_string(seed) + ", round " + std::to_string(round);
                for (const auto& [id, method] : kAutomatic) {
                    const auto plan = frozen(id, image);
                    const double t = chosenThreshold(*plan);
                    if (method == ThresholdMethod::Mean && n > 0)
                        QVERIFY2(std::fabs(t - sum / (long double)(n)) <=
                                     1e-14L * magnitude / (long double)(n),
                                 name.c_str());
                    const auto bin = std::uint32_t(Truth(counts)(method));
                    const Image expected = blackAndWhite<float>(luma, 1.0f, [&](float v) {
                        if (method == ThresholdMethod::Mean || !range.maps()) return double(v) > t;
                        return v == v && range.bin(v) > bin;
                    });
                    for (const Threading threading : {Threading::Single, Threading::AllCores})
                        compareSamples(
                            expected,
                            runOn(threshold_operation(), {{"method", id}}, image, threading),
                            name + ", " + id);
                    if (QTest::currentTestFailed()) return;
                }
                for (const char* value : {"0", "51", "127.3", "255"})
                    compareSamples(
                        blackAndWhite<float>(
                            luma, 1.0f,
                            [&](float v) { return double(v) > std::stod(value) / 255.0; }),
                        runOn(threshold_operation(), {{"value", value}}, image),
                        name + ", fixed at " + value);
            }
    }

    void oneLevelIsBlack() {
        for (const PixelFormat format : kFilterFormats)
            for (const auto& [id, method] : kAutomatic) {
                const Image image = makeConstant(format, {37, 5}, isFloat(format) ? 0.3 : 200);
                compareSamples(makeConstant(*withChannels(format, false), {37, 5}, 0),
                               runOn(threshold_operation(), {{"method", id}}, image), id);
                if (!isFloat(format)) QCOMPARE(chosenThreshold(*frozen(id, image)), 200.0);
            }
    }

    void frozenWorksOnCrops() {
        for (const PixelFormat format : kFilterFormats)
            for (const auto& [id, method] : kAutomatic) {
                const Image whole = makePhotograph(format, {211, 157}, m_random());
                const Rect window{31, 17, 101, 67};
                const auto plan = threshold_operation().freeze(
                    requestFor(threshold_operation(), {{"method", id}}, format, window.size()),
                    whole, CpuContext{});
                QVERIFY(plan);
                compareSamples(runOn(threshold_operation(), {{"method", id}}, whole).crop(window),
                               runPlan(**plan, whole.crop(window)), id);
            }
    }

    void whoeverShowsItCanAsk() {
        const Image image = makeImage(PixelFormat::Gray8, {4, 1}, {10, 20, 200, 210});
        QCOMPARE(chosenThreshold(*frozen("otsu", image)), 20.0);
        QCOMPARE(chosenThreshold(*frozen("mean", image)), 110.0);
        const auto asked =
            planFor(threshold_operation(), {{"method", "otsu"}}, PixelFormat::Gray8, image.size());
        QVERIFY(std::isnan(chosenThreshold(static_cast<const ThresholdPlan&>(*asked))));
        const auto fixed =
            planFor(threshold_operation(), {{"value", "3"}}, PixelFormat::Gray16, image.size());
        QCOMPARE(chosenThreshold(static_cast<const ThresholdPlan&>(*fixed)), 771.0);
    }
};

WARPSCOPE_TEST(ThresholdTest)
#include "threshold_test.moc"
