// Scopes against a walk over all pixels, with whole numbers where samples are whole.
#include "engine/operations/analysis/scopes.h"

#include <QRandomGenerator>
#include <QtTest>
#include <cmath>
#include <limits>

#include "support/test_case.h"

using namespace warpscope;

namespace {

constexpr std::int64_t kR = 19595, kG = 38470, kB = 7471, kOne = 65536;

Image imageForScopes(PixelFormat format, Size size) {
    auto* random = warpscope::test::freshRandom();
    auto image = MutableImage::create(format, size).value();
    visitSampleType(format, [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < size.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i) {
                T& sample = view.row(y)[i];
                if constexpr (std::is_floating_point_v<T>) {
                    const T odd[] = {std::numeric_limits<T>::quiet_NaN(),
                                     -std::numeric_limits<T>::infinity(), T(1e30), T(0), T(1)};
                    const int which = random->bounded(60);
                    sample = which < 5 ? odd[which] : T(random->generateDouble() * 1.2 - 0.1);
                } else {
                    // The ends are as frequent as they are in clipped pictures.
                    const auto last = T(std::numeric_limits<T>::max());
                    const int which = random->bounded(8);
                    sample = which == 0 ? T(0) : which == 1 ? last : T(random->generate64());
                }
            }
    });
    return std::move(image).freeze({});
}

ScopeCounts emptyOf(const ScopeRequest& request, const Rect& part, PixelFormat format) {
    ScopeCounts truth;
    const bool chroma = request.kind == ScopeKind::Vectorscope;
    truth.columns = chroma ? 256 : std::min(request.columns, part.width);
    truth.grids.assign(request.kind == ScopeKind::Parade && isColor(format) ? 3 : 1,
                       std::vector<std::uint64_t>(std::size_t(truth.columns) * 256));
    return truth;
}

// Whole numbers all the way: full range of 8 and 16 bits.
template <class T>
ScopeCounts wholeTruth(const Image& image, const ScopeRequest& request, const Rect& part) {
    ScopeCounts truth = emptyOf(request, part, image.format());
    const std::int64_t span = std::int64_t(std::numeric_limits<T>::max());
    const auto view = image.view<T>();
    for (int y = part.y; y < part.y + part.height; ++y)
        for (int x = part.x; x < part.x + part.width; ++x) {
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            const bool color = view.channels == 4;
            const std::int64_t r = p[0], g = color ? p[1] : p[0], b = color ? p[2] : p[0];
            const std::int64_t sum = kR * r + kG * g + kB * b;
            if (request.kind == ScopeKind::Vectorscope) {
                const auto level = [&](std::int64_t sample, std::int64_t weight) {
                    // 255 c + 128.5 over one denominator, which makes it positive.
                    const std::int64_t below = 2 * (kOne - weight) * span;
                    const std::int64_t above = 255 * (kOne * sample - sum) * 2 + 257 * below;
                    return std::min<std::int64_t>(above / (2 * below), 255);
                };
                ++truth.grids[0][std::size_t(level(r, kR) * 256 + level(b, kB))];
                continue;
            }
            const std::int64_t column =
                std::int64_t(x - part.x) * truth.columns / std::int64_t(part.width);
            const std::int64_t luma = color ? (sum + 32768) >> 16 : r;
            const std::int64_t values[] = {truth.grids.size() == 3 ? r : luma, g, b};
            for (std::size_t i = 0; i < truth.grids.size(); ++i)
                ++truth
                      .grids[i][std::size_t(values[i] * 256 / (span + 1) * truth.columns + column)];
        }
    return truth;
}

// Over a range, by the words of the header.
template <class T>
ScopeCounts rangeTruth(const Image& image, const ScopeRequest& request, const Rect& part) {
    ScopeCounts truth = emptyOf(request, part, image.format());
    const double span = request.high - request.low + (sizeof(T) < 4 ? 1 : 0);
    const auto view = image.view<T>();
    for (int y = part.y; y < part.y + part.height; ++y)
        for (int x = part.x; x < part.x + part.width; ++x) {
            const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
            const bool color = view.channels == 4;
            const double rgb[] = {double(p[0]), double(color ? p[1] : p[0]),
                                  double(color ? p[2] : p[0])};
            bool finite = true, inside = true;
            for (const double v : rgb) {
                finite = finite && std::isfinite(v);
                inside = inside && v >= request.low && v <= request.high;
            }
            if (!finite) {
                ++truth.notFinite;
                continue;
            }
            const double sum = double(kR) * rgb[0] + double(kG) * rgb[1] + double(kB) * rgb[2];
            if (request.kind == ScopeKind::Vectorscope) {
                if (!inside) {
                    ++truth.beside[0];
                    continue;
                }
                const auto level = [&](double sample, std::int64_t weight) {
                    const double c = (double(kOne) * sample - sum) / double(2 * (kOne - weight)) /
                                     (request.high - request.low);
                    return std::size_t(std::min(255.0, std::floor(c * 255 + 128.5)));
                };
                ++truth.grids[0][level(rgb[0], kR) * 256 + level(rgb[2], kB)];
                continue;
            }
            const double luma = !color           ? rgb[0]
                                : sizeof(T) >= 4 ? sum / double(kOne)
                                                 : std::floor((sum + 32768) / double(kOne));
            const std::size_t column =
                std::size_t(std::int64_t(x - part.x) * truth.columns / std::int64_t(part.width));
            for (std::size_t i = 0; i < truth.grids.size(); ++i) {
                const double v = truth.grids.size() == 3 ? rgb[i] : luma;
                if (v < request.low || v > request.high)
                    ++truth.beside[i];
                else
                    ++truth.grids[i][std::size_t(std::min(
                                         255.0, std::floor((v - request.low) * (256 / span)))) *
                                         std::size_t(truth.columns) +
                                     column];
            }
        }
    return truth;
}

constexpr ScopeKind kScopeKinds[] = {ScopeKind::Waveform, ScopeKind::Parade,
                                     ScopeKind::Vectorscope};

}  // namespace

class ScopesTest : public QObject {
    Q_OBJECT

    static void compare(const ScopeCounts& counted, const ScopeCounts& truth) {
        QCOMPARE(counted.columns, truth.columns);
        QCOMPARE(counted.grids.size(), truth.grids.size());
        for (std::size_t i = 0; i < truth.grids.size(); ++i)
            QVERIFY(counted.grids[i] == truth.grids[i]);
        QCOMPARE(counted.notFinite, truth.notFinite);
        QCOMPARE(counted.beside, truth.beside);
    }

  private slots:
    void countsAreThoseOfAWalk() {
        auto* random = warpscope::test::freshRandom();
        for (const PixelFormat format : kAllPixelFormats)
            for (int round = 0; round < 9; ++round) {
                const Size size{1 + random->bounded(97), 1 + random->bounded(53)};
                const Image image = imageForScopes(format, size);
                Rect part{0, 0, size.width, size.height};
                ScopeRequest request;
                request.kind = kScopeKinds[round % 3];
                request.columns = 1 + random->bounded(120);
                if (round > 2) {
                    part.x = random->bounded(size.width);
                    part.y = random->bounded(size.height);
                    part.width = 1 + random->bounded(size.width - part.x);
                    part.height = 1 + random->bounded(size.height - part.y);
                    request.region = part;
                }
                const CpuContext context{
                    round % 2 ? Threading::AllCores : Threading::Single, {}, {}};
                request.low = 0;
                request.high = fullScale(format);
                const auto whole = countScope(image, request, context);
                QVERIFY(whole);
                QCOMPARE(whole->size, part.size());
                visitSampleType(format, [&]<class T>() {
                    compare(*whole, rangeTruth<T>(image, request, part));
                    if constexpr (sizeof(T) < 4)
                        compare(*whole, wholeTruth<T>(image, request, part));
                });
                request.low = fullScale(format) * random->generateDouble() * 0.4;
                request.high = fullScale(format) * (0.5 + random->generateDouble() * 0.4);
                const auto middle = countScope(image, request, context);
                QVERIFY(middle);
                visitSampleType(format, [&]<class T>() {
                    compare(*middle, rangeTruth<T>(image, request, part));
                });
            }
    }

    void greysHaveNoChromaAndPureColoursReachTheEdge() {
        const auto of = [](std::uint8_t r, std::uint8_t g, std::uint8_t b) {
            auto image = MutableImage::create(PixelFormat::Rgba8, {3, 2}).value();
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 3; ++x) {
                    std::uint8_t* p = image.view<std::uint8_t>().row(y) + 4 * x;
                    p[0] = r, p[1] = g, p[2] = b, p[3] = 17;
                }
            return countScope(std::move(image).freeze({}), {.kind = ScopeKind::Vectorscope},
                              CpuContext{})
                .value();
        };
        for (const int grey : {0, 1, 128, 255})
            QCOMPARE(of(std::uint8_t(grey), std::uint8_t(grey), std::uint8_t(grey))
                         .at(0, kNoChroma, kNoChroma),
                     std::uint64_t(6));
        // As in JPEG: blue has Cb 255, red has Cr 255.
        const ScopeCounts blue = of(0, 0, 255), red = of(255, 0, 0);
        std::uint64_t bluest = 0, reddest = 0;
        for (int i = 0; i < kScopeLevels; ++i) {
            bluest += blue.at(0, 255, i);
            reddest += red.at(0, i, 255);
        }
        QCOMPARE(bluest, std::uint64_t(6));
        QCOMPARE(reddest, std::uint64_t(6));
        QVERIFY(std::abs(chromaOf(0, 0, 1)[0] - 0.5) < 1e-12);
        QVERIFY(std::abs(chromaOf(1, 0, 0)[1] - 0.5) < 1e-12);
        QVERIFY(std::abs(chromaOf(1, 1, 1)[0]) + std::abs(chromaOf(1, 1, 1)[1]) < 1e-12);
    }

    void refusesWhatCannotBeCountedAndHearsStop() {
        const Image image = imageForScopes(PixelFormat::Rgba8, {40, 30});
        const auto code = [&](const Image& of, const ScopeRequest& request) {
            const auto counted = countScope(of, request, CpuContext{});
            return counted ? std::nullopt : std::optional(counted.error().code);
        };
        const auto wrong = std::optional(ErrorCode::InvalidArgument);
        QCOMPARE(code(Image(), {}), wrong);
        QCOMPARE(code(image, {.columns = 0}), wrong);
        QCOMPARE(code(image, {.low = 5, .high = 5}), wrong);
        QCOMPARE(code(image, {.low = std::nan("")}), wrong);
        QCOMPARE(code(image, {.high = std::numeric_limits<double>::infinity()}), wrong);
        QCOMPARE(code(image, {.region = Rect{30, 0, 11, 5}}), wrong);
        QCOMPARE(code(image, {.region = Rect{3, 3, 0, 5}}), wrong);
        QVERIFY(!code(image, {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = countScope(image, {}, {Threading::AllCores, stop.get_token(), {}});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }
};

WARPSCOPE_TEST(ScopesTest)
#include "scopes_test.moc"
