// What kernels take in place of plans, and which plans they take: made on the host, looked at
// without a GPU.
#include <array>

#include "cuda_kernels/edges/small_kernel.h"
#include "cuda_kernels/geometry/resize_doubled_taps.h"
#include "cuda_kernels/geometry/resize_enlarged_taps.h"
#include "cuda_kernels/geometry/resize_taps.h"
#include "cuda_kernels/smoothing/bilateral_tables.h"
#include "cuda_kernels/smoothing/gaussian_blur_choice.h"
#include "support/test_case.h"
#include "tests/devices/planned.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

int half(std::uint32_t word, int which) {
    return std::int16_t(word >> (16 * which));
}

// "" if the groups of sample i weigh each input sample as the axis does.
std::string groupsDifference(const ResizeAxis& axis, int size, int phase, bool bySample) {
    const int needed = tapGroupsNeeded(axis, size, phase);
    const TapGroups groups = tapGroupsOf(axis, size, phase, needed + 1, bySample);
    const auto words = std::size_t(groups.words()), planes = std::size_t(groups.planes());
    const std::size_t length = axis.first.size();
    for (std::size_t i = 0; i < length; ++i)
        for (std::size_t w = 0; w < words; ++w)
            for (int which = 0; which < 2; ++which) {
                int weight = 0;
                for (std::size_t p = 0; p < planes; ++p) {
                    const std::size_t at =
                        bySample ? (i * planes + p) * words + w : (p * words + w) * length + i;
                    weight += (p ? 32768 : 1) * half(groups.weights[at], which);
                }
                const int k = groups.first[i] * size - phase + int(2 * w) + which - axis.first[i];
                const int expected =
                    k >= 0 && k < axis.count[i] ? axis.weights[std::size_t(axis.begin[i] + k)] : 0;
                if (weight != expected)
                    return "sample " + std::to_string(i) + ", tap " + std::to_string(k) + ": " +
                           std::to_string(weight) + " in place of " + std::to_string(expected);
            }
    return {};
}

std::string factorText(std::mt19937& random) {
    return std::to_string(1 + random() % 400);
}

constexpr const char* kMethods[] = {"bicubic", "nearest", "bilinear", "area", "lanczos3"};
constexpr int kMultiprocessors = 132;

}  // namespace

class KernelTablesTest : public QObject {
    Q_OBJECT

  private slots:
    void tapGroups() {
        std::mt19937 random(freshSeed());
        for (int i = 0; i < 200; ++i) {
            const Size size{1 + int(random() % 300), 1 + int(random() % 300)};
            const auto plan = planned<ResizePlan>(
                "resize", {{"method", kMethods[random() % 5]}, {"percent", factorText(random)}},
                PixelFormat::Gray8, size);
            if (plan->identity) continue;
            for (const ResizeAxis* axis : {&plan->across, &plan->down}) {
                QVERIFY(fitsTapGroups(*axis));
                for (const int groupSize : {2, 4})
                    for (int phase = 0; phase < groupSize; ++phase)
                        for (const bool bySample : {false, true})
                            REQUIRE_SAME(groupsDifference(*axis, groupSize, phase, bySample));
            }
        }
    }

    // The factors that people use are made in tiles; what else there is has a kernel, too.
    void resizeChoice() {
        for (const char* method : kMethods)
            for (const char* percent : {"25", "30", "50", "75", "200", "400"})
                for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
                    const auto plan = planned<ResizePlan>(
                        "resize", {{"method", method}, {"percent", percent}}, format, {3840, 2160});
                    const auto tiles = resizeTilesFor(*plan, kMultiprocessors);
                    QVERIFY2(tiles, (std::string(method) + " " + percent).c_str());
                    QVERIFY(tiles->sharedBytes <= kResizeTileBytes);
                    QVERIFY(tiles->rows % 8 == 0);
                }
        const auto choice = [](PixelFormat format, const char* percent) {
            return resizeTilesFor(
                *planned<ResizePlan>("resize", {{"percent", percent}}, format, {1000, 700}),
                kMultiprocessors);
        };
        QVERIFY(!choice(PixelFormat::Gray16, "50"));
        QVERIFY(!choice(PixelFormat::GrayF32, "50"));
        QVERIFY(!choice(PixelFormat::Gray8, "1"));
        const auto isHalf = [](const char* method, Size size) {
            return isExactHalf(
                *planned<ResizePlan>("resize", {{"method", method}}, PixelFormat::Gray8, size));
        };
        QVERIFY(isHalf("area", {100, 70}));
        QVERIFY(!isHalf("area", {101, 70}) && !isHalf("bilinear", {100, 70}));
        // Tiles become smaller where there would be few of them.
        const auto few = choice(PixelFormat::Gray8, "50");
        QVERIFY(few);
        QCOMPARE(few->rows, 8);
        // A pair of rows may begin with an odd one: at half the size all taps lie in four pairs.
        QCOMPARE(few->downPhase, 1);
        QCOMPARE(few->downGroups, 4);
    }

    void selections() {
        const auto isOne = [](const char* method, const char* percent, PixelFormat format) {
            return isSelection(*planned<ResizePlan>(
                "resize", {{"method", method}, {"percent", percent}}, format, {100, 70}));
        };
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba16, PixelFormat::GrayF32}) {
            for (const char* percent : {"37", "50", "170", "200"})
                QVERIFY(isOne("nearest", percent, format));
            QVERIFY(isOne("area", "200", format) && !isOne("area", "50", format));
            QVERIFY(!isOne("bilinear", "200", format) && !isOne("bicubic", "50", format));
        }
        // Beyond a part there is nothing to select.
        const PlanPtr part = planForPart(*findOperation("resize"), {{"percent", "10"}},
                                         PixelFormat::Gray8, {3, 3, 4, 4}, {100, 100});
        QVERIFY(!isSelection(static_cast<const ResizePlan&>(*part)));
    }

    void enlargements() {
        const auto choice = [](const char* method, const char* percent, PixelFormat format,
                               Size size) {
            const auto plan = planned<ResizePlan>(
                "resize", {{"method", method}, {"percent", percent}}, format, size);
            return enlargementFor(*plan, kMultiprocessors);
        };
        const Size large{3840, 2160};
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const char* percent : {"101", "150", "200", "300", "400"})
                for (const char* method : {"bilinear", "bicubic", "lanczos3"}) {
                    const auto made = choice(method, percent, format, large);
                    QVERIFY2(made, (std::string(method) + " " + percent).c_str());
                    QCOMPARE(made->taps, method == std::string("lanczos3") ? 6 : 4);
                    QVERIFY(made->rows % 8 == 0);
                    if (percent == std::string("400")) QCOMPARE(made->rows, 64);
                    // Four weights with few bits: those of 1/4 and 1/8. Six where no pixel stays.
                    const bool isDouble = percent == std::string("200");
                    const bool small = made->taps == 6
                                           ? percent != std::string("300")
                                           : isDouble || (percent == std::string("400") &&
                                                          method == std::string("bilinear"));
                    QCOMPARE(made->smallDown, small);
                }
        QVERIFY(!choice("bicubic", "75", PixelFormat::Gray8, large));
        QVERIFY(!choice("bicubic", "200", PixelFormat::Gray16, large));
        QVERIFY(!choice("bicubic", "200", PixelFormat::RgbaF32, large));
        QVERIFY(!choice("bicubic", "200", PixelFormat::Gray8, {3, 100}));
        QCOMPARE(choice("bicubic", "200", PixelFormat::Gray8, {100, 100})->rows, 2);
        QCOMPARE(choice("bicubic", "200", PixelFormat::Gray8, {512, 512})->rows, 4);
        QCOMPARE(choice("bicubic", "200", PixelFormat::Rgba8, {512, 512})->rows, 8);
    }

    void doublings() {
        const auto choice = [](const char* method, TextParameters parameters, PixelFormat format,
                               Size size) {
            parameters.emplace_back("method", method);
            const auto plan = planned<ResizePlan>("resize", parameters, format, size);
            return doublingFor(*plan, kMultiprocessors);
        };
        const TextParameters twice{{"percent", "200"}};
        const Size large{3840, 2160};
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
            const auto cubic = choice("bicubic", twice, format, large);
            QVERIFY(cubic);
            QCOMPARE(cubic->taps, 4);
            QCOMPARE(cubic->pairs, 32);
            QVERIFY(cubic->across ==
                    (std::array{DoubledTaps{-3 * 512, 29 * 512, 111 * 512, -9 * 512},
                                DoubledTaps{-9 * 512, 111 * 512, 29 * 512, -3 * 512}}));
            QVERIFY(cubic->down == cubic->across);
            const auto linear = choice("bilinear", twice, format, large);
            QVERIFY(linear);
            QVERIFY(linear->across ==
                    (std::array{DoubledTaps{0, 16384, 49152, 0}, DoubledTaps{0, 49152, 16384, 0}}));
            const auto lanczos = choice("lanczos3", twice, format, large);
            QVERIFY(lanczos);
            QCOMPARE(lanczos->taps, 6);
            for (std::size_t k = 0; k < 6; ++k)
                QCOMPARE(lanczos->across[0][k], lanczos->across[1][5 - k]);
            QVERIFY(choice("bicubic", twice, format, {16, 16}));
            QVERIFY(!choice("bicubic", twice, format, {15, 100}));
            QVERIFY(!choice("bicubic", twice, format, {100, 15}));
            QVERIFY(!choice("bicubic", {{"percent", "400"}}, format, large));
            QVERIFY(!choice("bicubic", {{"width", "7680"}, {"height", "4321"}}, format, large));
        }
        QVERIFY(!choice("bicubic", twice, PixelFormat::Gray16, large));
        QCOMPARE(choice("bicubic", twice, PixelFormat::Gray8, {100, 100})->pairs, 2);
        QCOMPARE(choice("bicubic", twice, PixelFormat::Rgba8, {512, 512})->pairs, 4);
    }

    // Where a sample has more taps than it needs, the others weigh nothing, and all are there.
    void enlargedTaps() {
        std::mt19937 random(freshSeed());
        int seen = 0;
        for (int i = 0; i < 200; ++i) {
            const Size size{4 + int(random() % 300), 4 + int(random() % 300)};
            const auto plan =
                planned<ResizePlan>("resize",
                                    {{"method", kMethods[random() % 5]},
                                     {"percent", std::to_string(100 + random() % 500)}},
                                    PixelFormat::Gray8, size);
            const auto made = enlargementFor(*plan, kMultiprocessors);
            if (!made) continue;
            ++seen;
            const auto check = [&](const ResizeAxis& axis, int available) {
                for (std::size_t n = 0; n < axis.first.size(); ++n) {
                    const int first = enlargedFirst(axis, n, made->taps, available);
                    const auto weights = enlargedWeights(axis, n, made->taps, available);
                    QVERIFY(first >= 0 && first + made->taps <= available);
                    int sum = 0;
                    for (int k = 0; k < made->taps; ++k) {
                        const int tap = first + k - axis.first[n];
                        const int expected = tap >= 0 && tap < axis.count[n]
                                                 ? axis.weights[std::size_t(axis.begin[n] + tap)]
                                                 : 0;
                        QCOMPARE(weights[std::size_t(k)], expected);
                        sum += expected;
                    }
                    QCOMPARE(sum, 65536);
                }
            };
            check(plan->across, size.width);
            check(plan->down, size.height);
        }
        QVERIFY(seen > 50);
    }

    void smallWeightsOfRows() {
        const auto four = [](std::array<std::int32_t, 4> weights) {
            return smallWeights(weights, 4);
        };
        QCOMPARE(four({-9 * 512, 111 * 512, 29 * 512, -3 * 512})[0], 0xfd1d6ff7u);
        QCOMPARE(four({0, 65536, 0, 0})[0], 0u);
        QCOMPARE(four({1, 65535, 0, 0})[0], 0u);

        std::mt19937 random(freshSeed());
        std::array<std::int32_t, 6> weights{};
        for (int i = 0; i < 1000; ++i) {
            for (std::size_t k = 0; k < 6; ++k)
                weights[k] = int(random() % 65536) - (k / 2 == 1 ? 0 : 32768);
            weights[2] |= 256;
            const SmallWeights made = smallWeights(weights, 6);
            const auto byteAt = [&](std::size_t word, std::size_t k) {
                return std::int32_t(made[word] >> (8 * k) & 255);
            };
            for (std::size_t k = 0; k < 6; ++k) {
                std::int32_t upper = k < 4 ? byteAt(0, k) : byteAt(1, k - 4);
                if (k / 2 != 1 && upper > 127) upper -= 256;
                const std::int32_t lower = k < 4 ? byteAt(2, k) : byteAt(1, k - 2);
                QCOMPARE(upper * 256 + lower, weights[k]);
            }
        }
        weights = {0, 0, 65536, 0, 0, 0};
        QCOMPARE(smallWeights(weights, 6), SmallWeights{});
        weights = {0, 0, 32768, 32767, 0, 32768};
        QCOMPARE(smallWeights(weights, 6), SmallWeights{});
        weights = {0, 0, -1, 65535, 2, 0};
        QCOMPARE(smallWeights(weights, 6), SmallWeights{});
    }

    void smallKernels() {
        std::mt19937 random(freshSeed());
        for (int i = 0; i < 300; ++i) {
            const int radiusX = int(random() % 5), radiusY = int(random() % 5);
            const int most = std::array{1, 127, 128, 32767}[random() % 4];
            std::vector<ConvolveTap> taps;
            std::array<std::array<int, 9>, 9> weights{};
            bool large = false;
            for (int y = -radiusY; y <= radiusY; ++y)
                for (int x = -radiusX; x <= radiusX; ++x) {
                    const int weight = int(random() % unsigned(2 * most + 1)) - most;
                    taps.push_back({x, y, weight});
                    weights[std::size_t(y + 4)][std::size_t(x + 4)] = weight;
                    large = large || weight < -128 || weight > 127;
                }
            const int radius = std::max(radiusX, radiusY);
            const auto kernel = SmallKernel::of(taps, radius, 1, 0);
            QCOMPARE(bool(kernel), radius <= kMostSmallRadius);
            if (!kernel) continue;
            QCOMPARE(kernel->planes, large ? 2 : 1);
            for (int y = -kernel->radius; y <= kernel->radius; ++y)
                for (int x = -kernel->radius; x <= kernel->radius; ++x) {
                    const int row = y + kernel->radius, column = x + kernel->radius;
                    const auto byteAt = [&](int plane) {
                        return kernel->words[plane][row][column / 4] >> (column % 4 * 8) & 255u;
                    };
                    const int first = std::int8_t(byteAt(0));
                    QCOMPARE(kernel->planes == 2 ? 256 * first + int(byteAt(1)) : first,
                             weights[std::size_t(y + 4)][std::size_t(x + 4)]);
                }
        }
        QVERIFY(!SmallKernel::of({}, 1, 1 << 21, 0));
        QCOMPARE(laplacianKernel(4, true).words[0][1][0], 0x0001fc01u);
        QCOMPARE(laplacianKernel(8, false).words[0][1][0], 0x0001f801u);
        const auto of = [](PixelFormat format) {
            return bool(smallKernelOf(*planned<ConvolvePlan>("convolve", {}, format, {100, 100})));
        };
        QVERIFY(of(PixelFormat::Gray8) && of(PixelFormat::Rgba8));
        QVERIFY(!of(PixelFormat::Gray16) && !of(PixelFormat::RgbaF32));
    }

    void smallGaussians() {
        const auto fits = [](const char* sigma, PixelFormat format, bool integerMma) {
            return fitsGaussianWarp(
                *planned<GaussianBlurPlan>("gaussian_blur", {{"sigma", sigma}}, format, {100, 70}),
                integerMma);
        };
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
            for (const char* sigma : {"0.3", "1", "1.6", "2", "2.66", "2.7", "5"}) {
                QVERIFY2(fits(sigma, format, true), sigma);
                QVERIFY2(!fits(sigma, format, false), sigma);
            }
            QVERIFY(!fits("5.1", format, true) && !fits("20", format, true));  // radius 16, 60
        }
        QVERIFY(!fits("1", PixelFormat::Gray16, true) && !fits("1", PixelFormat::RgbaF32, true));
        const auto prefers = [](const char* sigma, PixelFormat format, bool integerMma,
                                Size size = {100, 70}) {
            return prefersGaussianWarp(
                *planned<GaussianBlurPlan>("gaussian_blur", {{"sigma", sigma}}, format, size), size,
                integerMma);
        };
        QVERIFY(prefers("1", PixelFormat::Gray8, true) && prefers("1", PixelFormat::Rgba8, true));
        // Radius 2 and 1.
        QVERIFY(prefers("0.6", PixelFormat::Gray8, true) &&
                prefers("0.6", PixelFormat::Rgba8, true));
        QVERIFY(!prefers("0.3", PixelFormat::Gray8, true));
        // Large colour images: radius 3, not 2.
        QVERIFY(prefers("1", PixelFormat::Rgba8, true, {3840, 2160}) &&
                !prefers("0.6", PixelFormat::Rgba8, true, {3840, 2160}));
        QVERIFY(prefers("0.6", PixelFormat::Gray8, true, {3840, 2160}) &&
                prefers("0.6", PixelFormat::Rgba8, true, {2000, 2000}));
        QVERIFY(!prefers("1", PixelFormat::Gray8, false));
        const auto five = [](const char* sigma, PixelFormat format, Size size,
                             int multiprocessors) {
            return prefersGaussianFive(
                *planned<GaussianBlurPlan>("gaussian_blur", {{"sigma", sigma}}, format, size), size,
                multiprocessors);
        };
        constexpr Size kLarge{7680, 4320}, kFourK{3840, 2160};
        QVERIFY(five("0.6", PixelFormat::Gray8, kLarge, 132) &&
                five("0.6", PixelFormat::Gray8, kFourK, 60));
        QVERIFY(!five("0.6", PixelFormat::Gray8, kFourK, 132) &&
                !five("0.6", PixelFormat::Rgba8, kLarge, 132) &&
                !five("0.6", PixelFormat::Gray16, kLarge, 132) &&
                !five("1", PixelFormat::Gray8, kLarge, 132) &&
                !five("0.3", PixelFormat::Gray8, kLarge, 132) &&
                !five("0.6", PixelFormat::Gray8, {7681, 4320}, 132));
        for (const bool mixes : {false, true}) {
            for (const int radius : {9, 15}) {
                QVERIFY(prefersGaussianSparse(radius, PixelFormat::Gray8, mixes));
                QVERIFY(prefersGaussianSparse(radius, PixelFormat::Rgba8, mixes));
            }
            for (const int radius : {1, 7, 8})
                QVERIFY(!prefersGaussianSparse(radius, PixelFormat::Gray8, mixes));
            QCOMPARE(prefersGaussianSparse(7, PixelFormat::Rgba8, mixes), !mixes);
            QVERIFY(!prefersGaussianSparse(8, PixelFormat::Rgba8, mixes));
        }
        const auto pairs = [](PixelFormat format, Size size, int multiprocessors,
                              const char* sigma = "1") {
            return prefersGaussianPairs(
                *planned<GaussianBlurPlan>("gaussian_blur", {{"sigma", sigma}}, format, size), size,
                multiprocessors);
        };
        QVERIFY(pairs(PixelFormat::Gray8, {3840, 2160}, 132));
        QVERIFY(pairs(PixelFormat::Gray8, {1024, 1024}, 132));
        QVERIFY(!pairs(PixelFormat::Gray8, {512, 512}, 132));
        QVERIFY(pairs(PixelFormat::Gray8, {512, 512}, 10));
        QVERIFY(!pairs(PixelFormat::Rgba8, {3840, 2160}, 132));
        // Parts of a step count as one: 3 x 4 of them.
        for (const char* sigma : {"1", "2.7"}) {
            QVERIFY(pairs(PixelFormat::Gray8, {65, 49}, 1, sigma));
            QVERIFY(!pairs(PixelFormat::Gray8, {64, 49}, 1, sigma));
            QVERIFY(!pairs(PixelFormat::Gray8, {65, 48}, 1, sigma));
        }
    }

    // Radius 16 to 96, of colour to 64; gray ones not where steps are just more than
    // multiprocessors.
    void gaussiansOfWarpgroups() {
        const auto prefers = [](const char* sigma, PixelFormat format, Size size,
                                bool products = true) {
            return prefersGaussianWarpgroup(
                *planned<GaussianBlurPlan>("gaussian_blur", {{"sigma", sigma}}, format, size), size,
                products, 132);
        };
        const Size large{3840, 2160};
        for (const char* sigma : {"5.3", "20", "21"}) {
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
                QVERIFY2(prefers(sigma, format, large), sigma);
                QVERIFY2(!prefers(sigma, format, large, false), sigma);
            }
            QVERIFY2(!prefers(sigma, PixelFormat::Gray16, large), sigma);
            QVERIFY2(!prefers(sigma, PixelFormat::RgbaF32, large), sigma);
        }
        QVERIFY(!prefers("5", PixelFormat::Gray8, large) &&
                !prefers("5", PixelFormat::Rgba8, large));
        QVERIFY(prefers("31", PixelFormat::Gray8, large) &&
                !prefers("31", PixelFormat::Rgba8, large));
        QVERIFY(!prefers("40", PixelFormat::Gray8, large));
        // 64, 256 and 528 steps.
        QVERIFY(prefers("20", PixelFormat::Gray8, {512, 512}) &&
                !prefers("10", PixelFormat::Gray8, {512, 512}));
        QVERIFY(!prefers("20", PixelFormat::Gray8, {1024, 1024}) &&
                prefers("20", PixelFormat::Rgba8, {1024, 1024}));
        QVERIFY(prefers("10", PixelFormat::Gray8, {64 * 24, 64 * 22}) &&
                !prefers("10", PixelFormat::Gray8, {64 * 24, 64 * 21}));
        QVERIFY(prefers("10", PixelFormat::Rgba8, large) &&
                prefers("10", PixelFormat::Rgba8, {7680, 4320}) &&
                prefers("10", PixelFormat::Rgba8, {1024, 1024}));
        QVERIFY(prefers("20", PixelFormat::Gray8, {65536, 700}) &&
                !prefers("20", PixelFormat::Gray8, {65537, 700}));
    }

    void bilateralTables() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const char* radius : {"1", "4", "9", "15"})
                for (const char* space : {"0.5", "3", "100"}) {
                    const auto plan = planned<BilateralPlan>(
                        "bilateral", {{"radius", radius}, {"sigma_space", space}}, format,
                        {50, 50});
                    const auto tables = BilateralTables::of(*plan, 200 << 10);
                    QVERIFY(tables);
                    // A weight of 256 beside the pixel itself needs more than a byte.
                    QCOMPARE(tables->entryBytes, space == std::string("100") ? 2 : 1);
                    const auto words = tables->words(*plan);
                    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
                    const bool colour = isColor(format);
                    const auto entry = [&](std::size_t at) {
                        const std::uint8_t* found = bytes + at * unsigned(tables->entryBytes);
                        return tables->entryBytes == 2 ? found[0] | std::uint32_t(found[1]) << 8
                                                       : std::uint32_t(found[0]);
                    };
                    const int r = plan->radius;
                    for (int dy = 0; dy <= r; ++dy)
                        for (int dx = -r - 1; dx <= r; ++dx)
                            for (int d = colour ? 0 : -255; d <= (colour ? 765 : 255); d += 5) {
                                const std::uint32_t range = plan->range[std::min<std::size_t>(
                                    unsigned(std::abs(d)), plan->range.size() - 1)];
                                const bool counts =
                                    dx * dx + dy * dy <= r * r && (dx != 0 || dy != 0);
                                const std::uint32_t expected =
                                    counts
                                        ? (plan->space[plan->spaceIndex(dx, dy)] * range + 128) >> 8
                                        : 0;
                                const std::uint32_t place =
                                    tables->places.at[dy][dx + BilateralPlaces::kMiddle];
                                QCOMPARE(entry(place + unsigned(d)), expected);
                            }
                }
        const auto fits = [](const char* radius, std::size_t shared) {
            const auto plan =
                planned<BilateralPlan>("bilateral", {{"radius", radius}, {"sigma_space", "10"}},
                                       PixelFormat::Rgba8, {50, 50});
            return bool(BilateralTables::of(*plan, shared));
        };
        QVERIFY(fits("4", 48 << 10));
        QVERIFY(!fits("15", 64 << 10));
        QVERIFY(!BilateralTables::of(
            *planned<BilateralPlan>("bilateral", {}, PixelFormat::Gray16, {50, 50}), 200 << 10));
    }
};

WARPSCOPE_TEST(KernelTablesTest)
#include "kernel_tables_test.moc"
