#include "engine/operations/edges/canny.h"

#include <cmath>
#include <cstdlib>

#include "operations/edges/luma_truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Whole = std::int64_t;

// The definition: gradients and candidates pixel by pixel, then white spreads over the whole image
// until nothing changes.
class Truth {
  public:
    Truth(const Image& image, int low, int high) : m_size(image.size()) {
        visitSampleType(image.format(), [&]<class T>() {
            if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) {
                m_white = whiteOf<T>();
                take(image.view<T>());
            }
        });
        const Whole scale = m_white == 255 ? 1 : 257;
        findCandidates(std::min(low, high) * scale, std::max(low, high) * scale);
        while (spread()) {
        }
    }

    Image result() const {
        std::vector<double> samples;
        for (const int state : m_states) samples.push_back(state == 2 ? double(m_white) : 0.0);
        return makeImage(m_white == 255 ? PixelFormat::Gray8 : PixelFormat::Gray16, m_size,
                         samples);
    }

  private:
    std::size_t at(int x, int y) const {
        return std::size_t(y) * unsigned(m_size.width) + unsigned(x);
    }
    bool inside(int x, int y) const {
        return x >= 0 && y >= 0 && x < m_size.width && y < m_size.height;
    }
    Whole magnitude(int x, int y) const {
        return inside(x, y) ? std::abs(m_gx[at(x, y)]) + std::abs(m_gy[at(x, y)]) : 0;
    }

    template <class T>
    void take(const View<const T>& view) {
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x) {
                Whole gx = 0, gy = 0;
                for (int k = -1; k <= 1; ++k) {
                    const Whole weight = k == 0 ? 2 : 1;
                    gx += weight * (lumaTruth(view, x + 1, y + k) - lumaTruth(view, x - 1, y + k));
                    gy += weight * (lumaTruth(view, x + k, y + 1) - lumaTruth(view, x + k, y - 1));
                }
                m_gx.push_back(gx);
                m_gy.push_back(gy);
            }
    }

    void findCandidates(Whole low, Whole high) {
        for (int y = 0; y < m_size.height; ++y)
            for (int x = 0; x < m_size.width; ++x) {
                const Whole gx = m_gx[at(x, y)], gy = m_gy[at(x, y)], m = magnitude(x, y);
                const Whole t = 13573 * std::abs(gx), s = 32768 * std::abs(gy);
                bool largest = false;
                if (s < t)
                    largest = m > magnitude(x - 1, y) && m >= magnitude(x + 1, y);
                else if (s > t + 65536 * std::abs(gx))
                    largest = m > magnitude(x, y - 1) && m >= magnitude(x, y + 1);
                else if ((gx < 0) != (gy < 0))
                    largest = m > magnitude(x + 1, y - 1) && m > magnitude(x - 1, y + 1);
                else
                    largest = m > magnitude(x - 1, y - 1) && m > magnitude(x + 1, y + 1);
                m_states.push_back(m > low && largest ? (m > high ? 2 : 1) : 0);
            }
    }

    bool spread() {
        bool any = false;
        for (int y = 0; y < m_size.height; ++y)
            for (int x = 0; x < m_size.width; ++x) {
                if (m_states[at(x, y)] != 1) continue;
                for (int j = -1; j <= 1; ++j)
                    for (int i = -1; i <= 1; ++i)
                        if (inside(x + i, y + j) && m_states[at(x + i, y + j)] == 2) {
                            m_states[at(x, y)] = 2;
                            any = true;
                        }
            }
        return any;
    }

    Size m_size;
    Whole m_white = 255;
    std::vector<Whole> m_gx, m_gy;
    std::vector<int> m_states;
};

TextParameters thresholds(int low, int high) {
    return {{"low", std::to_string(low)}, {"high", std::to_string(high)}};
}

// A faint line that winds through the whole image from the top, once as strong as `strong`.
Image snake(Size size, int faint, int strong) {
    std::vector<double> samples(std::size_t(size.pixels()), 0.0);
    const auto at = [&](int x, int y) -> double& {
        return samples[std::size_t(y) * unsigned(size.width) + unsigned(x)];
    };
    for (int x = 4; x + 4 < size.width; x += 8) {
        for (int y = 4; y + 4 < size.height; ++y) at(x, y) = faint;
        const int y = x / 8 % 2 == 0 ? size.height - 5 : 4;
        for (int i = x; i <= x + 8 && i + 4 < size.width; ++i) at(i, y) = faint;
    }
    at(4, 5) = strong;
    return makeImage(PixelFormat::Gray8, size, samples);
}

int whitePixels(const Image& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.view<std::uint8_t>().row(y)[x] == 255;
    return count;
}

}  // namespace

class CannyTest : public QObject {
    Q_OBJECT

  private slots:
    void equalsTruth_data() {
        QTest::addColumn<PixelFormat>("format");
        for (const PixelFormat format : kIntegerFormats)
            QTest::newRow(std::string(formatName(format)).c_str()) << format;
    }
    void equalsTruth() {
        QFETCH(PixelFormat, format);
        std::mt19937 random{warpscope::test::freshSeed()};
        const int any = int(random() % 1000), other = int(random() % 1000);
        for (const auto& [low, high] :
             {std::pair{50, 100}, std::pair{0, 0}, std::pair{300, 40}, std::pair{0, 700},
              std::pair{2040, 2040}, std::pair{any, other}})
            compareWithTruth(canny_operation(), thresholds(low, high), format,
                             [&](const Image& image) { return Truth(image, low, high).result(); });
    }

    // Steps of 0, 1 and 2 levels: directions of every kind, equal neighbours everywhere.
    void fewLevels() {
        std::mt19937 random{warpscope::test::freshSeed()};
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Gray16})
            for (int trial = 0; trial < 40; ++trial) {
                const Size size{1 + int(random() % 70), 1 + int(random() % 20)};
                std::vector<double> samples;
                for (std::int64_t i = 0; i < size.pixels(); ++i)
                    samples.push_back(double(random() % 3) *
                                      (format == PixelFormat::Gray8 ? 1 : 257));
                const Image image = makeImage(format, size, samples);
                const Image truth = Truth(image, 1, 4).result();
                forEachVectorTarget([&](const std::string& target) {
                    compareSamples(truth, runOn(canny_operation(), thresholds(1, 4), image),
                                   target);
                });
                if (QTest::currentTestFailed()) return;
            }
    }

    // Wherever |gy| 2^15 is next to |gx| 13573 and to |gx| (13573 + 2^16), 16 bits.
    void directionsNextToTheBounds() {
        std::mt19937 random{warpscope::test::freshSeed()};
        for (int trial = 0; trial < 60; ++trial) {
            // A plane with gx = 8 a and gy = 8 b, and a little of anything on top.
            const int a = 1 + int(random() % 400);
            const int flat = int(a * 13573LL / 32768), steep = int(a * (13573LL + 65536) / 32768);
            const int b = (trial % 2 ? flat : steep) + int(random() % 2);
            const Size size{31, 9};
            std::vector<double> samples;
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x)
                    samples.push_back(
                        std::min(65535.0, (trial % 4 < 2 ? x : size.width - x) * double(a) +
                                              y * double(b) + double(random() % 3)));
            const Image image = makeImage(PixelFormat::Gray16, size, samples);
            const Image truth = Truth(image, 0, 0).result();
            forEachVectorTarget([&](const std::string& target) {
                compareSamples(truth, runOn(canny_operation(), thresholds(0, 0), image), target);
            });
            if (QTest::currentTestFailed()) return;
        }
    }

    // One edge that goes up and down through all bands many times, and is strong at its very
    // beginning only.
    void followsThroughAllBands() {
        const Image image = snake({203, 701}, 40, 90);
        const TextParameters parameters = thresholds(30, 200);
        const Image one = runOn(canny_operation(), parameters, image);
        compareSamples(Truth(image, 30, 200).result(), one, "one thread");
        compareSamples(one, runOn(canny_operation(), parameters, image, Threading::AllCores),
                       "all cores");
        QVERIFY(whitePixels(one) > 20'000);
        QCOMPARE(whitePixels(runOn(canny_operation(), thresholds(30, 400), image)), 0);
    }

    void manyBands() {
        for (const PixelFormat format : kIntegerFormats) {
            const Image image = makePhotograph(format, {517, 389}, warpscope::test::freshSeed());
            const Image one = runOn(canny_operation(), {}, image);
            compareSamples(Truth(image, 50, 100).result(), one, "one thread");
            compareSamples(one, runOn(canny_operation(), {}, image, Threading::AllCores), "all");
        }
    }

    void exchangesThresholds() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {97, 61});
        compareSamples(runOn(canny_operation(), thresholds(40, 180), image),
                       runOn(canny_operation(), thresholds(180, 40), image), "");
    }

    void refusesFloat() {
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32}) {
            PlanRequest request = requestFor(canny_operation(), {}, PixelFormat::Gray8, {4, 4});
            request.format = format;
            const auto plan = canny_operation().plan(request);
            QVERIFY(!plan);
            QCOMPARE(plan.error().code, ErrorCode::Unsupported);
            QVERIFY(plan.error().message.find("float") != std::string::npos);
        }
    }
};

WARPSCOPE_TEST(CannyTest)
#include "canny_test.moc"
#include "support/random_seed.h"
