// Fixed point to the bit: vector code of every instruction set against the two passes as they are
// defined, with the tables of the plan.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stop_token>

#include "engine/operations/geometry/resize.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Sums in double are exact but for float samples, whose order is that of the taps.
template <class T>
Image passesOf(const ResizePlan& plan, const Image& image) {
    constexpr bool kFloat = std::is_floating_point_v<T>;
    using Sum = std::conditional_t<kFloat, double, std::int64_t>;
    constexpr std::int64_t kMost = sizeof(T) == 1 ? 255 : 65535;
    const auto in = image.view<T>();
    const int channels = in.channels;
    const auto weightOf = [](const ResizeAxis& axis, std::size_t at) {
        if constexpr (kFloat)
            return axis.realWeights[at];
        else
            return std::int64_t(axis.weights[at]);
    };
    const auto rounded = [](Sum sum, int shift, std::int64_t most) {
        if constexpr (kFloat)
            return double(float(sum));
        else
            return std::clamp((sum + (std::int64_t(1) << (shift - 1))) >> shift, std::int64_t(0),
                              most);
    };
    const Size size = plan.outputSize;
    std::vector<Sum> middle;
    for (int y = 0; y < in.height; ++y)
        for (std::size_t x = 0; x < std::size_t(size.width); ++x)
            for (int c = 0; c < channels; ++c) {
                Sum sum = 0;
                for (int i = 0; i < plan.across.count[x]; ++i)
                    sum += weightOf(plan.across, std::size_t(plan.across.begin[x] + i)) *
                           Sum(in.row(y)[(plan.across.first[x] + i) * channels + c]);
                middle.push_back(Sum(rounded(sum, sizeof(T) == 1 ? 8 : 22, kMost << 8)));
            }
    std::vector<double> samples;
    const auto perRow = std::size_t(size.width * channels);
    for (std::size_t y = 0; y < std::size_t(size.height); ++y)
        for (std::size_t k = 0; k < perRow; ++k) {
            Sum sum = 0;
            for (int i = 0; i < plan.down.count[y]; ++i)
                sum += weightOf(plan.down, std::size_t(plan.down.begin[y] + i)) *
                       middle[std::size_t(plan.down.first[y] + i) * perRow + k];
            samples.push_back(double(rounded(sum, sizeof(T) == 1 ? 24 : 38, kMost)));
        }
    return makeImage(image.format(), size, samples);
}

Image passesOf(const Plan& plan, const Image& image) {
    return visitSampleType(image.format(), [&]<class T>() {
        if constexpr (sizeof(T) <= 4 && !std::is_same_v<T, std::uint32_t>)
            return passesOf<T>(static_cast<const ResizePlan&>(plan), image);
        else
            return Image();
    });
}

const char* const kAllMethods[] = {"nearest", "bilinear", "area", "bicubic", "lanczos3"};

}  // namespace

class ResizeBitsTest : public QObject {
    Q_OBJECT

    std::uint32_t m_seed = freshSeed();
    std::mt19937 m_random{m_seed};

    int anyUpTo(int most) { return 1 + int(m_random() % unsigned(most)); }

    void compareTargets(const Plan& plan, const Image& image, const std::string& name) {
        const Image truth = passesOf(plan, image);
        forEachVectorTarget([&](const std::string& target) {
            compareSamples(truth, runPlan(plan, image),
                           name + ", " + target + ", seed " + std::to_string(m_seed));
        });
    }

    void compareSizes(PixelFormat format, Size from, Size to, const std::string& method) {
        // Levels at both ends, where sums overshoot.
        Image image = makeNoise(format, from, m_random());
        if (m_random() % 2) {
            std::vector<double> samples;
            for (std::int64_t i = 0; i < from.pixels() * channelCount(format); ++i)
                samples.push_back(m_random() % 2 ? fullScale(format) : 0);
            image = makeImage(format, from, samples);
        }
        const PlanPtr plan = planFor(*findOperation("resize"),
                                     {{"width", std::to_string(to.width)},
                                      {"height", std::to_string(to.height)},
                                      {"method", method}},
                                     format, from);
        if (plan->identity) return;
        compareTargets(*plan, image,
                       method + " " + std::to_string(from.width) + " x " +
                           std::to_string(from.height) + " to " + std::to_string(to.width) + " x " +
                           std::to_string(to.height));
    }

  private slots:
    void anySizes() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* method : kAllMethods)
                for (int trial = 0; trial < 8; ++trial)
                    compareSizes(format, {anyUpTo(150), anyUpTo(40)}, {anyUpTo(200), anyUpTo(60)},
                                 method);
    }

    // One pixel, columns and rows of one, and taps by the hundred and the thousand.
    void extremeSizes() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* method : kAllMethods) {
                compareSizes(format, {1, 1}, {70, 9}, method);
                compareSizes(format, {1, 300}, {1, 37}, method);
                compareSizes(format, {300, 1}, {37, 1}, method);
                compareSizes(format, {257, 129}, {1, 1}, method);
                compareSizes(format, {9000, 2}, {5, 3}, method);
                compareSizes(format, {2, 9000}, {3, 5}, method);
                compareSizes(format, {3, 5}, {800, 400}, method);
            }
    }

    void halves() {
        for (const PixelFormat format : kFilterFormats)
            for (int trial = 0; trial < 20; ++trial) {
                const Size to{anyUpTo(150), anyUpTo(20)};
                compareSizes(format, {2 * to.width, 2 * to.height}, to, "area");
            }
    }

    // Taps of neighbouring pixels far apart: eights of them, and one to seven more.
    void farApart() {
        for (int width = 320; width < 640; width += 40)
            for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
                compareSizes(format, {width, 53}, {40, 5}, "area");
    }

    // Large enough for results to be written past the cache.
    void pastTheCache() {
        compareSizes(PixelFormat::Rgba8, {2058, 2064}, {1029, 1032}, "area");
        compareSizes(PixelFormat::Rgba8, {2058, 2064}, {1029, 1032}, "nearest");
        compareSizes(PixelFormat::Gray16, {2908, 2922}, {1454, 1461}, "area");
        compareSizes(PixelFormat::GrayF32, {2058, 2064}, {1029, 1032}, "area");
        compareSizes(PixelFormat::RgbaF32, {1034, 1030}, {517, 515}, "area");
        compareSizes(PixelFormat::Gray8, {1031, 1029}, {2062, 2058}, "nearest");
    }

    // Taps beyond a part are missing, so that weights have other sums.
    void parts() {
        for (const PixelFormat format : kFilterFormats)
            for (const char* method : kAllMethods)
                for (int trial = 0; trial < 4; ++trial) {
                    const Size whole{anyUpTo(200) + 20, anyUpTo(100) + 20};
                    const Rect part{anyUpTo(10), anyUpTo(10), whole.width - 19, whole.height - 19};
                    const PlanPtr plan = planForPart(*findOperation("resize"),
                                                     {{"width", std::to_string(anyUpTo(300) + 20)},
                                                      {"height", std::to_string(anyUpTo(150) + 20)},
                                                      {"method", method}},
                                                     format, part, whole);
                    compareTargets(*plan, makeNoise(format, part.size(), m_random()), method);
                }
    }

    // What is no number spoils the pixels that it is a tap of, and no others.
    void noNumber() {
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
            for (const Size to : {Size{23, 20}, Size{61, 9}, Size{150, 41}}) {
                const Size from{53, 20};
                Image image = makeConstant(format, from, 0.5);
                MutableImage spoilt = MutableImage::create(format, from).value();
                for (int y = 0; y < from.height; ++y)
                    std::copy_n(image.view<float>().row(y), image.view<float>().samplesPerRow(),
                                spoilt.view<float>().row(y));
                spoilt.view<float>().row(7)[30 * channelCount(format)] =
                    std::numeric_limits<float>::quiet_NaN();
                image = std::move(spoilt).freeze({});
                const PlanPtr plan = planFor(
                    *findOperation("resize"),
                    {{"width", std::to_string(to.width)}, {"height", std::to_string(to.height)}},
                    format, from);
                const Image truth = passesOf(*plan, image);
                forEachVectorTarget([&](const std::string& target) {
                    const Image made = runPlan(*plan, image);
                    int found = 0;
                    for (int y = 0; y < to.height; ++y)
                        for (int k = 0; k < made.view<float>().samplesPerRow(); ++k) {
                            const bool isSpoilt = std::isnan(truth.view<float>().row(y)[k]);
                            found += isSpoilt;
                            if (isSpoilt != std::isnan(made.view<float>().row(y)[k]))
                                QFAIL(qPrintable(QString("%1: sample %2 of row %3")
                                                     .arg(target.c_str())
                                                     .arg(k)
                                                     .arg(y)));
                        }
                    QVERIFY(found > 0);
                });
            }
    }

    void stops() {
        const Image image = makeNoise(PixelFormat::Gray16, {2000, 1500}, 5);
        for (const char* method : kAllMethods) {
            const PlanPtr plan =
                planFor(*findOperation("resize"), {{"percent", "150"}, {"method", method}},
                        image.format(), image.size());
            std::stop_source stop;
            CpuContext context{Threading::Single, stop.get_token(), {}};
            context.progress = [&](double) { stop.request_stop(); };
            auto out = MutableImage::create(plan->output, plan->outputSize);
            const auto done = plan->operation->runCpu(*plan, {image}, *out, context);
            QVERIFY(!done);
            QCOMPARE(done.error().code, ErrorCode::Cancelled);
        }
    }
};

WARPSCOPE_TEST(ResizeBitsTest)
#include "resize_bits_test.moc"
