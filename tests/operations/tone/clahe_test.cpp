#include "engine/operations/tone/clahe.h"

#include <algorithm>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Plane = std::vector<std::vector<std::int64_t>>;

struct Given {
    int tilesX = 8, tilesY = 8;
    double clip = 2;
    std::string channels = "luma";

    TextParameters parameters() const {
        return {{"tiles_x", std::to_string(tilesX)},
                {"tiles_y", std::to_string(tilesY)},
                {"clip", toText(ParamValue(clip))},
                {"channels", channels}};
    }
    std::string name() const {
        std::string text;
        for (const auto& [key, value] : parameters()) text += key + "=" + value + ",";
        return text;
    }
};

// Rows and columns are appended one by one, each the mirror image of one inside.
Plane extended(Plane plane, int tilesX, int tilesY) {
    const int width = int(plane[0].size()), height = int(plane.size());
    if (width % tilesX == 0 && height % tilesY == 0) return plane;
    const auto mirror = [](int at, int length) {
        while (at >= length) {
            at = 2 * (length - 1) - at;
            if (at < 0) at = -at;
            if (length == 1) at = 0;
        }
        return std::size_t(at);
    };
    for (auto& row : plane) {
        const auto own = row;
        for (int x = width; x < width + tilesX - width % tilesX; ++x)
            row.push_back(own[mirror(x, width)]);
    }
    const Plane own = plane;
    for (int y = height; y < height + tilesY - height % tilesY; ++y)
        plane.push_back(own[mirror(y, height)]);
    return plane;
}

std::vector<std::int64_t> tableOf(std::vector<std::int64_t> counts, double clip,
                                  std::int64_t area) {
    const auto levels = std::int64_t(counts.size());
    if (clip > 0) {
        const std::int64_t limit =
            std::max<std::int64_t>(1, std::int64_t(clip * double(area) / double(levels)));
        std::int64_t cut = 0;
        for (auto& count : counts)
            if (count > limit) {
                cut += count - limit;
                count = limit;
            }
        for (auto& count : counts) count += cut / levels;
        std::int64_t rest = cut % levels;
        if (rest > 0) {
            const std::int64_t step = std::max<std::int64_t>(levels / rest, 1);
            for (std::int64_t k = 0; k < levels && rest > 0; k += step, --rest)
                ++counts[std::size_t(k)];
        }
    }
    std::int64_t cumulative = 0;
    for (auto& count : counts) {
        cumulative += count;
        const std::int64_t twice = 2 * (levels - 1) * cumulative;
        // Half to even: up from above the half, or from the half of an odd number.
        std::int64_t level = twice / (2 * area);
        const std::int64_t beyond = twice - 2 * area * level - area;
        if (beyond > 0 || (beyond == 0 && level % 2 != 0)) ++level;
        count = level;
    }
    return counts;
}

// Tables of `counted`, applied to `plane`, which lies in an image of `whole` pixels at `corner`.
Plane truthOf(const Plane& plane, const Plane& counted, std::int64_t white, const Given& given,
              Size whole, int cornerX, int cornerY) {
    const Plane padded = extended(counted, given.tilesX, given.tilesY);
    const int tileWidth = int(padded[0].size()) / given.tilesX;
    const int tileHeight = int(padded.size()) / given.tilesY;
    std::vector<std::vector<std::vector<std::int64_t>>> tables;
    for (int ty = 0; ty < given.tilesY; ++ty) {
        tables.emplace_back();
        for (int tx = 0; tx < given.tilesX; ++tx) {
            std::vector<std::int64_t> counts(std::size_t(white + 1));
            for (int y = ty * tileHeight; y < (ty + 1) * tileHeight; ++y)
                for (int x = tx * tileWidth; x < (tx + 1) * tileWidth; ++x)
                    ++counts[std::size_t(padded[std::size_t(y)][std::size_t(x)])];
            tables.back().push_back(
                tableOf(std::move(counts), given.clip, std::int64_t(tileWidth) * tileHeight));
        }
    }
    const bool divides = whole.width % given.tilesX == 0 && whole.height % given.tilesY == 0;
    struct Between {
        int first, second;
        std::int64_t weight;
    };
    const auto between = [&](int at, int length, int tiles) {
        const std::int64_t side = length / tiles + (divides ? 0 : 1);
        int first = -1;
        while ((2 * at - side) >= 2 * side * (first + 1)) ++first;
        const std::int64_t rest = 2 * at - side - 2 * side * first;
        // Rounded half up.
        const std::int64_t weight = (2 * 65536 * rest + 2 * side) / (4 * side);
        return Between{std::max(first, 0), std::min(first + 1, tiles - 1), weight};
    };
    Plane made = plane;
    for (int y = 0; y < int(plane.size()); ++y)
        for (int x = 0; x < int(plane[0].size()); ++x) {
            const Between across = between(cornerX + x, whole.width, given.tilesX);
            const Between down = between(cornerY + y, whole.height, given.tilesY);
            const auto level = std::size_t(plane[std::size_t(y)][std::size_t(x)]);
            const auto at = [&](int ty, int tx) {
                return tables[std::size_t(ty)][std::size_t(tx)][level];
            };
            std::int64_t sum = 0;
            sum += at(down.first, across.first) * (65536 - down.weight) * (65536 - across.weight);
            sum += at(down.first, across.second) * (65536 - down.weight) * across.weight;
            sum += at(down.second, across.first) * down.weight * (65536 - across.weight);
            sum += at(down.second, across.second) * down.weight * across.weight;
            made[std::size_t(y)][std::size_t(x)] =
                (sum + (std::int64_t(1) << 31)) / (std::int64_t(1) << 32);
        }
    return made;
}

// Of a channel, or luma.
template <class T>
Plane planeOf(const Image& image, int channel, bool luma) {
    Plane plane;
    const int channels = channelCount(image.format());
    for (int y = 0; y < image.height(); ++y) {
        plane.emplace_back();
        for (int x = 0; x < image.width(); ++x) {
            const T* p = image.view<T>().row(y) + channels * x;
            plane.back().push_back(
                luma ? std::int64_t((19595ull * p[0] + 38470ull * p[1] + 7471ull * p[2] + 32768) >>
                                    16)
                     : std::int64_t(p[channel]));
        }
    }
    return plane;
}

template <class T>
Image truthOf(const Image& image, const Image& counted, const Given& given, Size whole, int cornerX,
              int cornerY) {
    constexpr int kWhite = std::numeric_limits<T>::max();
    const bool luma = isColor(image.format()) && given.channels == "luma";
    const int planes = isColor(image.format()) && !luma ? 3 : 1;
    const int channels = channelCount(image.format());
    auto made = *MutableImage::create(image.format(), image.size());
    for (int c = 0; c < planes; ++c) {
        const Plane mapped = truthOf(planeOf<T>(image, c, luma), planeOf<T>(counted, c, luma),
                                     kWhite, given, whole, cornerX, cornerY);
        const Plane levels = planeOf<T>(image, c, luma);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const auto i = std::size_t(x), j = std::size_t(y);
                const T* from = image.view<T>().row(y) + channels * x;
                T* to = made.view<T>().row(y) + channels * x;
                if (channels == 4) to[3] = from[3];
                if (!luma) {
                    to[c] = T(mapped[j][i]);
                    continue;
                }
                for (int k = 0; k < 3; ++k)
                    to[k] = T(truth::equalizedSample(from[k], int(mapped[j][i]), int(levels[j][i]),
                                                     kWhite));
            }
    }
    return std::move(made).freeze({});
}

Image truthOf(const Image& image, const Image& counted, const Given& given, Size whole,
              int cornerX = 0, int cornerY = 0) {
    return bytesPerSample(image.format()) == 1
               ? truthOf<std::uint8_t>(image, counted, given, whole, cornerX, cornerY)
               : truthOf<std::uint16_t>(image, counted, given, whole, cornerX, cornerY);
}

}  // namespace

class ClaheTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    void check(const Image& image, const Given& given, const std::string& name) {
        const Image expected = truthOf(image, image, given, image.size());
        for (const Threading threading : {Threading::Single, Threading::AllCores})
            compareSamples(expected, runOn(clahe_operation(), given.parameters(), image, threading),
                           name + ", " + given.name());
    }

    Image anyImage(PixelFormat format, Size size) {
        const std::uint32_t seed = m_random();
        const Image image = makePhotograph(format, size, seed);
        return m_random() % 3 ? image : makeNoise(format, size, seed);
    }

  private slots:
    void equalsTruth() {
        for (const PixelFormat format : kIntegerFormats) {
            const bool eight = bytesPerSample(format) == 1;
            for (const Size size :
                 {Size{1, 1}, Size{1, 67}, Size{67, 1}, Size{16, 8}, Size{97, 61}, Size{160, 96}})
                for (const char* channels : {"luma", "each"}) {
                    Given given;
                    given.channels = channels;
                    if (!eight) given.tilesX = given.tilesY = 3;
                    check(anyImage(format, size), given, "defaults");
                    given.tilesX = 1 + int(m_random() % (eight ? 64 : 5));
                    given.tilesY = 1 + int(m_random() % (eight ? 20 : 4));
                    given.clip = m_random() % 3 ? double(m_random() % 400) / 10 : 0;
                    check(anyImage(format, size), given, "any");
                    if (QTest::currentTestFailed()) return;
                }
        }
    }

    // Wide enough for the tables of whole rows.
    void wideRowsEqualTruth() {
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const char* channels : {"luma", "each"})
                for (const int tiles : {1, 4, 7}) {
                    Given given{tiles, tiles, 3.5, channels};
                    const Image image =
                        anyImage(format, {(tiles == 1 ? 2601 : 601) + int(m_random() % 9), 23});
                    check(image, given, "wide");
                    const Image expected = runOn(clahe_operation(), given.parameters(), image);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(expected,
                                       runOn(clahe_operation(), given.parameters(), image), target);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    // One tile with nothing clipped is plain equalization, but for how halves are rounded.
    // Halves among them, which are rounded to even.
    void levelsOfCounts() {
        for (const std::uint32_t white : {255u, 65535u}) {
            const auto check = [&](std::uint64_t area, std::uint64_t count) {
                QCOMPARE(ClaheLevels(white, area)(count), claheLevel(count, white, area));
            };
            for (std::uint64_t area = 1; area <= 600; ++area)
                for (std::uint64_t count = 0; count <= area; ++count) check(area, count);
            std::mt19937_64 random(m_random());
            for (int i = 0; i < 200'000; ++i) {
                // Up to a tile that is the largest image.
                const std::uint64_t area = 1 + (random() >> (24 + i % 40));
                check(area, random() % (area + 1));
                // At half a level, and a count before and after.
                const std::uint64_t half = (2 * (random() % white) + 1) * area / (2 * white);
                for (const std::uint64_t count : {half, half + 1})
                    if (count <= area) check(area, count);
            }
        }
    }

    void oneTileIsEqualization() {
        const Image image = makePhotograph(PixelFormat::Gray8, {301, 203}, m_random());
        const Image ours =
            runOn(clahe_operation(), {{"tiles_x", "1"}, {"tiles_y", "1"}, {"clip", "0"}}, image);
        const Image plain =
            truth::equalize(image, EqualizeChannels::Luma, EqualizeMapping::Classic);
        for (int y = 0; y < 203; ++y)
            for (int x = 0; x < 301; ++x)
                QVERIFY(std::abs(ours.view<std::uint8_t>().row(y)[x] -
                                 plain.view<std::uint8_t>().row(y)[x]) <= 1);
    }

    void frozenOnACropEqualsTheWhole() {
        for (const PixelFormat format : kIntegerFormats)
            for (const char* channels : {"luma", "each"}) {
                Given given{3, 2, 2.5, channels};
                const Image whole = anyImage(format, {211, 157});
                const Rect window{31, 17, 101, 67};
                PlanRequest request =
                    requestFor(clahe_operation(), given.parameters(), format, window.size());
                request.place = Placement::partOf(whole.size(), window);
                const auto plan = clahe_operation().freeze(request, whole, CpuContext{});
                QVERIFY(plan);
                compareSamples(runOn(clahe_operation(), given.parameters(), whole).crop(window),
                               runPlan(**plan, whole.crop(window)), channels);
            }
    }

    // A draft of one level with tables of a smaller one.
    void frozenByASmallerImage() {
        const Given given{5, 4, 2, "luma"};
        const Image small = anyImage(PixelFormat::Rgba8, {83, 61});
        const Image part = anyImage(PixelFormat::Rgba8, {50, 31});
        PlanRequest request =
            requestFor(clahe_operation(), given.parameters(), part.format(), part.size());
        request.place = Placement{{70, 40, 50, 31}, {167, 123}, 0.5, {334, 246}};
        const auto plan = clahe_operation().freeze(request, small, CpuContext{});
        QVERIFY(plan);
        compareSamples(truthOf(part, small, given, {167, 123}, 70, 40), runPlan(**plan, part),
                       "smaller");
    }

    void freezeRefusesAnotherFormat() {
        const Image colour = makeNoise(PixelFormat::Rgba8, {4, 4}, 1);
        const auto plan = clahe_operation().freeze(
            requestFor(clahe_operation(), {}, PixelFormat::Gray8, {4, 4}), colour, CpuContext{});
        REQUIRE_FAILS(plan, ErrorCode::InvalidArgument, "clahe");
    }

    void floatIsRefusedByName() {
        PlanRequest request;
        request.size = {4, 4};
        request.format = PixelFormat::GrayF32;
        REQUIRE_FAILS(clahe_operation().plan(request), ErrorCode::Unsupported, "float");
    }
};

WARPSCOPE_TEST(ClaheTest)
#include "clahe_test.moc"
