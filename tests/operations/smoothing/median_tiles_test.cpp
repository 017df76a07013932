// Medians of radius 3 to 7: the networks of minima and maxima by themselves, and every radius
// against the sorted square where vectors, strips and tiles begin and end.
#include <QThread>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>

#include "engine/operations/smoothing/median.h"
#include "engine/operations/smoothing/median_plan.h"
#include "engine/operations/smoothing/median_tiles.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// 64 inputs of zeros and ones at a time: what sorts all of them sorts everything.
using Word = std::uint64_t;

template <class Network>
void run(const Network& network, Word* wires) {
    for (const median::Exchange& step : network.steps) {
        const Word low = wires[step.low] & wires[step.high];
        const Word high = wires[step.low] | wires[step.high];
        // What nobody needs is lost.
        wires[step.low] = step.needed == median::Needed::High ? 0x5555555555555555 : low;
        wires[step.high] = step.needed == median::Needed::Low ? 0x5555555555555555 : high;
    }
}

// Gives each of `cases` to the wires, fill(number of the case, set(wire)), and expects rank
// `first` on to be what is sorted of it.
template <class Network, class Fill>
bool sortsAll(const Network& network, int first, std::int64_t cases, const Fill& fill) {
    std::vector<Word> wires(std::size_t(Network::inputs));
    for (std::int64_t begin = 0; begin < cases; begin += 64) {
        int ones[64] = {};
        std::fill(wires.begin(), wires.end(), Word{0});
        const int count = int(std::min<std::int64_t>(64, cases - begin));
        for (int k = 0; k < count; ++k)
            fill(begin + k, [&](int wire) {
                wires[std::size_t(wire)] |= Word{1} << k;
                ++ones[k];
            });
        run(network, wires.data());
        for (int i = 0; i < Network::results; ++i)
            for (int k = 0; k < count; ++k) {
                const Word bit = wires[std::size_t(network.result[std::size_t(i)])] >> k & 1;
                if (bit != Word(first + i >= Network::inputs - ones[k])) return false;
            }
    }
    return true;
}

template <int kCount>
bool sorts() {
    return sortsAll(median::kSort<kCount>, 0, std::int64_t{1} << kCount,
                    [](std::int64_t number, const auto& set) {
                        for (int i = 0; i < kCount; ++i)
                            if (number >> i & 1) set(i);
                    });
}

// Every number of ones in every list.
template <int kOthers, int... kSizes>
bool merges() {
    constexpr int kAll = (kSizes + ...);
    return sortsAll(median::kMerge<kOthers, kSizes...>, median::kept(kAll, kOthers).first,
                    ((kSizes + std::int64_t{1}) * ...), [](std::int64_t number, const auto& set) {
                        int begin = 0;
                        for (const int size : {kSizes...}) {
                            const int ones = int(number % (size + 1));
                            number /= size + 1;
                            for (int i = size - ones; i < size; ++i) set(begin + i);
                            begin += size;
                        }
                    });
}

template <int kRadius, int... kLists>
void checkRadius() {
    using S = median::Sizes<kRadius>;
    constexpr int kAfterCore = S::kAll - S::kWide * S::kTall;
    QVERIFY(sorts<S::kTall>());
    QVERIFY(sorts<S::kWide>());
    QVERIFY((merges<median::kKeepAll, S::kTall, S::kTall>()));
    QVERIFY((merges<median::kKeepAll, S::kPair, S::kPair>()));
    QVERIFY((merges<kAfterCore, kLists * S::kPair...>()));
    QVERIFY((merges<kAfterCore - 2 * S::kWide, S::kWide, S::kWide, S::kCore>()));
    QVERIFY((merges<S::kSide, S::kHalf, S::kWide>()));
    QVERIFY((merges<median::kKeepAll, 1, 1, S::kTall>()));
    QVERIFY((merges<1, S::kRow, S::kSide - 1>()));
}

// What a thread of a GPU merges for 4 x 4 windows of kSide x kSide (median_tile_networks.cuh).
// kLists: of its core, in columns.
template <int kSide, int... kLists>
void checkWindows() {
    constexpr int kAll = kSide * kSide, kCore = kSide - 3, kWide = kSide - 1;
    constexpr int kOthers = kAll - kCore * kCore, kTallOthers = kAll - kCore * kWide;
    constexpr int kRoot = median::countKept(kCore * kCore, kOthers);
    constexpr int kTall = median::countKept(kRoot + 2 * kCore, kTallOthers);
    constexpr int kSquare = median::countKept(kTall + 2 * kWide, kAll - kWide * kWide);
    constexpr int kPair = median::countKept(kSquare + kWide, kSide);
    QVERIFY(sorts<kCore>());
    QVERIFY(sorts<kWide>());
    QVERIFY((merges<median::kKeepAll, kCore, kCore>()));
    QVERIFY((merges<median::kKeepAll, kWide, kWide>()));
    if constexpr (sizeof...(kLists) == 0)
        QVERIFY((merges<median::kKeepAll, kCore, kCore, kCore, kCore>()));
    else
        QVERIFY((merges<kOthers, kLists * kCore...>()));
    QVERIFY((merges<kTallOthers, kRoot, 2 * kCore>()));
    QVERIFY((merges<kAll - kWide * kWide, kTall, 2 * kWide>()));
    QVERIFY((merges<kSide, kSquare, kWide>()));
    QVERIFY((merges<1, kPair, kWide>()));
}

// NaN is larger than all, -0 comes before 0.
template <class T>
bool less(T a, T b) {
    if (a != a || b != b) return a == a;
    return a < b || (a == b && std::signbit(double(a)) && !std::signbit(double(b)));
}

template <class T>
std::string firstWrong(const Image& image, const Image& result, int radius) {
    const auto in = image.view<T>();
    const auto out = result.view<T>();
    std::vector<T> square;
    for (int y = 0; y < in.height; ++y)
        for (int k = 0; k < in.samplesPerRow(); ++k) {
            const int x = k / in.channels, c = k % in.channels;
            T expected = in.row(y)[k];
            if (c < 3) {
                square.clear();
                for (int j = -radius; j <= radius; ++j)
                    for (int i = -radius; i <= radius; ++i)
                        square.push_back(in.row(std::clamp(
                            y + j, 0,
                            in.height - 1))[std::clamp(x + i, 0, in.width - 1) * in.channels + c]);
                const auto middle = square.begin() + std::ptrdiff_t(square.size() / 2);
                std::nth_element(square.begin(), middle, square.end(), less<T>);
                expected = *middle;
            }
            if (less(expected, out.row(y)[k]) || less(out.row(y)[k], expected))
                return "at " + std::to_string(x) + ", " + std::to_string(y) + " channel " +
                       std::to_string(c) + ": expected " + std::to_string(expected) + ", got " +
                       std::to_string(out.row(y)[k]);
        }
    return {};
}

// Where two results differ, -0 and 0 too, which are equal when they are compared.
template <class T>
std::string firstUnlike(const Image& image, const Image& other) {
    const auto a = image.view<T>(), b = other.view<T>();
    const auto same = [](T one, T two) { return !less(one, two) && !less(two, one); };
    for (int y = 0; y < a.height; ++y)
        if (!std::equal(a.row(y), a.row(y) + a.samplesPerRow(), b.row(y), same))
            return "unlike in row " + std::to_string(y);
    return {};
}

// Contents: noise; few values, so that most are equal; the ends of the range alone; rising rows.
template <class T>
Image contents(PixelFormat format, Size size, int which, std::mt19937& random) {
    constexpr bool kFloat = std::is_floating_point_v<T>;
    const T ends[] = {kFloat ? -std::numeric_limits<T>::infinity() : T{0},
                      kFloat ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max(),
                      kFloat ? std::numeric_limits<T>::quiet_NaN() : T{0},
                      kFloat ? T(-0.0) : T{1},
                      T{0},
                      kFloat ? std::numeric_limits<T>::denorm_min() : T{2}};
    auto image = MutableImage::create(format, size);
    const auto out = image->view<T>();
    for (int y = 0; y < out.height; ++y)
        for (int k = 0; k < out.samplesPerRow(); ++k) {
            const std::uint32_t bits = random();
            const double unit = double(bits >> 8) / 16777216.0;
            out.row(y)[k] = which == 0   ? (kFloat ? T(2 * unit - 1) : T(bits))
                            : which == 1 ? T(bits % 3)
                            : which == 2 ? ends[bits % 6]
                                         : T(kFloat ? k - 7 * y : (k + 5 * y) / 3);
        }
    return std::move(*image).freeze({});
}

template <class T>
void equalsSortedSquares(PixelFormat format) {
    const std::uint32_t seed = freshSeed();
    std::mt19937 random(seed);
    const int channels = isColor(format) ? 4 : 1;
    // Pixels of a vector and of a strip, in columns of both halves.
    const int vector = 2 * 64 / int(sizeof(T)) / channels, strip = 2 * kTileStrip<T> / channels;
    std::vector<Size> sizes;
    for (int narrow = 1; narrow <= 17; narrow += 1 + int(random() % 3)) {
        sizes.push_back({narrow, 1 + int(random() % 12)});
        sizes.push_back({1 + int(random() % 12), narrow});
    }
    for (const int wide : {vector / 2, vector, 3 * vector, strip, strip + vector})
        sizes.push_back({wide - 1 + int(random() % 3), 1 + int(random() % 6)});
    int which = int(random() % 4);
    for (const Size size : sizes)
        for (int radius = 1; radius <= kMaxMedianRadius; ++radius) {
            const Image image = contents<T>(format, size, which++ % 4, random);
            const std::string name = std::to_string(size.width) + " x " +
                                     std::to_string(size.height) + ", radius " +
                                     std::to_string(radius) + ", seed " + std::to_string(seed);
            const TextParameters parameters{{"radius", std::to_string(radius)}};
            const Image best = runOn(median_operation(), parameters, image);
            const std::string wrong = firstWrong<T>(image, best, radius);
            QVERIFY2(wrong.empty(), (name + ": " + wrong).c_str());
            forEachVectorTarget([&](const std::string& target) {
                const Image other = runOn(median_operation(), parameters, image);
                const std::string unlike = firstUnlike<T>(best, other);
                QVERIFY2(unlike.empty(), (name + ", " + target + ": " + unlike).c_str());
            });
            if (QTest::currentTestFailed()) return;
        }
}

template <class T>
void bands(PixelFormat format) {
    const std::uint32_t seed = freshSeed();
    std::mt19937 random(seed);
    for (const int radius : {kLeastTileRadius, kMaxMedianRadius}) {
        if (radius > kMostTileRadius) continue;
        const Size size{601 + int(random() % 200), 461 + int(random() % 40)};
        const Image image = contents<T>(format, size, radius == kLeastTileRadius ? 0 : 2, random);
        const PlanPtr plan =
            planFor(median_operation(), {{"radius", std::to_string(radius)}}, format, size);
        Image first;
        forEachVectorTarget([&](const std::string& target) {
            if (!hasMedianTiles()) return;
            const std::string name =
                std::to_string(radius) + ", " + target + ", seed " + std::to_string(seed);
            std::atomic<int> bands = 0;
            CpuContext context;
            context.progress = [&](double) { ++bands; };
            auto out = MutableImage::create(format, size);
            REQUIRE_OK(runMedianCpu(static_cast<const MedianPlan&>(*plan), image, *out, context));
            QVERIFY(bands > 1 || QThread::idealThreadCount() == 1);
            const Image result = std::move(*out).freeze({});
            const std::string wrong = first.isNull() ? firstWrong<T>(image, result, radius)
                                                     : firstUnlike<T>(first, result);
            QVERIFY2(wrong.empty(), (name + ": " + wrong).c_str());
            first = result;
        });
        if (QTest::currentTestFailed()) return;
    }
}

}  // namespace

class MedianTilesTest : public QObject {
    Q_OBJECT

  private slots:
    void networksOfEveryRadius() {
        checkRadius<3, 1, 1, 1>();
        checkRadius<4, 2, 2>();
        checkRadius<5, 2, 1, 2>();
        checkRadius<6, 2, 2, 2>();
        checkRadius<7, 2, 2, 2, 1>();
    }

    // What is kept of a list holds the median whatever else comes.
    void networksOfTheGpu() {
        checkWindows<5>();
        checkWindows<7>();
        checkWindows<9, 4, 2>();
        checkWindows<11, 4, 4>();
        checkWindows<13, 4, 2, 4>();
        checkWindows<15, 4, 4, 4>();
    }
    void keptRanksAreThoseThatCanBeTheMedian() {
        for (int size = 1; size <= 60; ++size)
            for (int others = 1 - size % 2; others <= 80; others += 2) {
                const median::Ranks ranks = median::kept(size, others);
                const int middle = (size + others) / 2;
                for (int rank = 0; rank < size; ++rank)
                    QCOMPARE(ranks.has(rank), rank <= middle && rank + others >= middle);
            }
    }

    void gray8() { equalsSortedSquares<std::uint8_t>(PixelFormat::Gray8); }
    void rgba8() { equalsSortedSquares<std::uint8_t>(PixelFormat::Rgba8); }
    void gray16() { equalsSortedSquares<std::uint16_t>(PixelFormat::Gray16); }
    void rgba16() { equalsSortedSquares<std::uint16_t>(PixelFormat::Rgba16); }
    void grayFloat() { equalsSortedSquares<float>(PixelFormat::GrayF32); }
    void rgbaFloat() { equalsSortedSquares<float>(PixelFormat::RgbaF32); }

    // Bands share rows, and the last tiles of a band reach beyond it. Images are large enough for
    // several bands, and bands for several turns of the ring of rows.
    void bandsOfTiles() {
        bands<std::uint8_t>(PixelFormat::Gray8);
        bands<std::uint16_t>(PixelFormat::Gray16);
        bands<float>(PixelFormat::GrayF32);
    }

    // All targets with vectors of 32 bytes and more.
    void tilesAreUsedWhereVectorsAreWide() {
        forEachVectorTarget([](const std::string& target) {
            QCOMPARE(hasMedianTiles(), target.starts_with("AVX"));
        });
    }
};

WARPSCOPE_TEST(MedianTilesTest)
#include "median_tiles_test.moc"
