// Variants that are wrong on purpose: each springs its trap on an image that has what it takes, is
// right where it says that it is, and stays inside its image.
#include <array>
#include <cstring>
#include <random>
#include <set>

#include "engine/measure/agreement.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "engine/operations/smoothing/gaussian_blur.h"
#include "engine/operations/tone/grayscale.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

HistogramSet wronglyCounted(const std::string& variant, const Image& image,
                            Threading threading = Threading::Single) {
    const PlanPtr plan =
        planFor(histogram_operation(), {{"channel", "all"}}, image.format(), image.size(), variant);
    auto counts = countCpu(static_cast<const HistogramPlan&>(*plan), image, {threading, {}, {}});
    if (!counts) throw std::runtime_error(counts.error().message);
    return *counts;
}

// Of one channel, from the definition of the trap.
std::vector<std::uint64_t> countsOfTheTrap(const std::string& variant, const Image& image,
                                           HistogramChannel channel) {
    const bool overflows = variant == "wrong_8bit_counters";
    const int columns = overflows ? 256 : 2048, rows = overflows ? 256 : 1;
    std::vector<std::uint64_t> sums(256);
    for (int y = 0; y < image.height(); y += rows)
        for (int x = 0; x < image.width(); x += columns) {
            const int n = std::min(columns, image.width() - x);
            const Image part =
                image.crop({x, y, overflows ? n : (n + 1) / 2, std::min(rows, image.height() - y)});
            const auto counts = truth::histogram(part, channel);
            for (std::size_t k = 0; k < 256; ++k)
                sums[k] += overflows ? counts[k] % 256 : counts[k];
        }
    return sums;
}

std::uint32_t wrongSeed() {
    const auto seed = warpscope::test::freshSeed();
    qInfo("seed %u", seed);
    return seed;
}

// With every plan of an operation that has a wrong variant and is a filter.
template <class Use>
void forWrongFilters(Use&& use) {
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        if (d.kind != OperationKind::Filter) continue;
        for (const VariantSpec& variant : d.wrongVariants)
            for (const PixelFormat format : d.accepts) {
                const PlanRequest request = requestFor(*operation, {}, format, {8, 8}, variant.id);
                if (operation->plan(request)) use(*operation, variant.id, format);
            }
    }
}

}  // namespace

class WrongOnPurposeTest : public QObject {
    Q_OBJECT
  private slots:
    // Those that this file knows; a new one needs a test of its trap.
    void theseThereAre() {
        std::set<std::string> found;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            for (const VariantSpec& variant : d.wrongVariants) {
                found.insert(d.id + ":" + variant.id);
                QVERIFY(variant.id.starts_with("wrong_") && variant.label.starts_with("Wrong: "));
                QVERIFY(variant.help.size() > 80 && !variant.source.empty());
                QVERIFY2(d.source.find(variant.source) != std::string::npos, variant.id.c_str());
                QCOMPARE(d.findVariant(variant.id), &variant);
                QVERIFY(d.isWrongOnPurpose(variant.id));
            }
            for (const VariantSpec& variant : d.variants) {
                QVERIFY(!variant.id.starts_with("wrong_"));
                QVERIFY(!d.isWrongOnPurpose(variant.id));
            }
        }
        QCOMPARE(found, (std::set<std::string>{"gaussian_blur:wrong_floor", "grayscale:wrong_floor",
                                               "grayscale:wrong_whole_blocks_only",
                                               "histogram:wrong_8bit_counters",
                                               "histogram:wrong_missing_barrier"}));
    }

    void unknownVariantsDoNotNameThem() {
        PlanRequest request = requestFor(grayscale_operation(), {}, PixelFormat::Rgba8, {8, 8});
        request.variant = "wrong";
        const auto plan = grayscale_operation().plan(request);
        QVERIFY(!plan);
        QCOMPARE(plan.error().message.find("wrong_"), std::string::npos);
    }

    void countersOverflow() {
        // 768 of one level in the first tile become 0; 132 in the next stay.
        const Image flat = makeConstant(PixelFormat::Gray8, {300, 3}, 77);
        QCOMPARE(wronglyCounted("wrong_8bit_counters", flat).channels[0].bins[77],
                 std::uint64_t(132));
        const Image narrow = makeConstant(PixelFormat::Gray8, {15, 17}, 77);
        QCOMPARE(wronglyCounted("wrong_8bit_counters", narrow).channels[0].bins[77],
                 std::uint64_t(15 * 17));
        // Of 65,536 pixels 256 have one level, whatever they show.
        const Image scene = makeNoise(PixelFormat::Gray8, {256, 256}, wrongSeed());
        QVERIFY(!compareHistograms(wronglyCounted("automatic", scene),
                                   wronglyCounted("wrong_8bit_counters", scene))
                     .allowsSpeedup());
    }

    void theUnawaitedHalfIsLost() {
        const Image flat = makeConstant(PixelFormat::Gray8, {5, 4}, 3);
        QCOMPARE(wronglyCounted("wrong_missing_barrier", flat).channels[0].bins[3],
                 std::uint64_t(3 * 4));
        const Image column = makeConstant(PixelFormat::Gray8, {1, 40}, 3);
        QCOMPARE(wronglyCounted("wrong_missing_barrier", column).channels[0].bins[3],
                 std::uint64_t(40));
    }

    void countsAreThoseOfTheTrap() {
        const std::uint32_t seed = wrongSeed();
        for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8})
            for (const Size size :
                 {Size{1, 1}, Size{17, 5}, Size{1023, 3}, Size{513, 33}, Size{257, 300},
                  Size{300, 170}, Size{2048, 2}, Size{2051, 17}, Size{4099, 1}})
                for (const Image& image :
                     {makeNoise(format, size, seed), misaligned(makeRamp(format, size)),
                      makeConstant(format, size, 200)})
                    for (const std::string variant :
                         {"wrong_8bit_counters", "wrong_missing_barrier"}) {
                        const HistogramSet one = wronglyCounted(variant, image);
                        const HistogramSet all =
                            wronglyCounted(variant, image, Threading::AllCores);
                        for (std::size_t c = 0; c < one.channels.size(); ++c) {
                            QVERIFY(one.channels[c].bins ==
                                    countsOfTheTrap(variant, image, one.channels[c].channel));
                            QVERIFY(one.channels[c].bins == all.channels[c].bins);
                        }
                    }
    }

    // The sums that are cut off are the rounded ones, less one where the rest is a half or more.
    void grayIsCutOff() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16}) {
            const Image image = makeNoise(format, {61, 37}, wrongSeed());
            const bool wide = format == PixelFormat::Rgba16;
            for (const char* method : {"weighted601", "weighted709", "average", "maximum"}) {
                const TextParameters parameters = {{"method", method}};
                const Image wrong =
                    runVariant(grayscale_operation(), "wrong_floor", parameters, image);
                const Image right = runOn(grayscale_operation(), parameters, image);
                int darker = 0;
                for (int y = 0; y < 37; ++y)
                    for (int x = 0; x < 61; ++x) {
                        const auto at = [&](const Image& of, int i) {
                            return wide ? unsigned(of.view<std::uint16_t>().row(y)[i])
                                        : unsigned(of.view<std::uint8_t>().row(y)[i]);
                        };
                        const unsigned r = at(image, 4 * x), g = at(image, 4 * x + 1),
                                       b = at(image, 4 * x + 2);
                        const std::string name = method;
                        const unsigned cut =
                            name == "weighted601"   ? (19595 * r + 38470 * g + 7471 * b) / 65536
                            : name == "weighted709" ? (13933 * r + 46871 * g + 4732 * b) / 65536
                            : name == "average"     ? (r + g + b) / 3
                                                    : std::max({r, g, b});
                        QCOMPARE(at(wrong, x), cut);
                        const unsigned less = at(right, x) - cut;
                        QVERIFY(less <= 1);
                        darker += int(less);
                    }
                if (std::string(method) == "maximum")
                    QCOMPARE(darker, 0);
                else
                    QVERIFY(darker > 61 * 37 / 5);
            }
        }
    }

    // Black beyond the last whole block of 32 x 32, right within.
    void whatNoBlockCoversIsBlack() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const Size size : {Size{1, 1}, Size{31, 40}, Size{32, 32}, Size{33, 64},
                                    Size{95, 97}, Size{64, 31}}) {
                const Image image = makeConstant(format, size, fullScale(format));
                const Image wrong =
                    runVariant(grayscale_operation(), "wrong_whole_blocks_only", {}, image);
                const Image right = runOn(grayscale_operation(), {}, image);
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const Rect pixel{x, y, 1, 1};
                        const bool covered = x < size.width / 32 * 32 && y < size.height / 32 * 32;
                        const Image black = makeConstant(right.format(), {1, 1}, 0);
                        QVERIFY(
                            sameSamples(wrong.crop(pixel), covered ? right.crop(pixel) : black));
                    }
            }
    }

    // A part of an image has the blocks of the whole one.
    void blocksAreThoseOfTheWholeImage() {
        const Size whole{100, 70};
        const Image image = makeNoise(PixelFormat::Rgba8, whole, wrongSeed());
        const std::string variant = "wrong_whole_blocks_only";
        const Image all = runVariant(grayscale_operation(), variant, {}, image);
        for (const Rect part : {Rect{0, 0, 100, 70}, Rect{3, 5, 60, 40}, Rect{40, 33, 60, 37},
                                Rect{97, 10, 3, 60}, Rect{33, 33, 20, 20}}) {
            PlanRequest request =
                requestFor(grayscale_operation(), {}, image.format(), part.size(), variant);
            Placement place = Placement::all(whole);
            place.part = part;
            request.place = place;
            const auto plan = grayscale_operation().plan(request);
            QVERIFY(plan.has_value());
            QVERIFY(sameSamples(runPlan(**plan, image.crop(part)), all.crop(part)));
        }
    }

    void blursAreCutOff() {
        for (const PixelFormat format : kIntegerFormats) {
            const Image image = makeNoise(format, {53, 41}, wrongSeed());
            for (const char* sigma : {"0.5", "2", "9"}) {
                const TextParameters parameters = {{"sigma", sigma}};
                const Image wrong =
                    runVariant(gaussian_blur_operation(), "wrong_floor", parameters, image);
                const Image right = runOn(gaussian_blur_operation(), parameters, image);
                const Agreement found = compareImages(
                    right, wrong, gaussian_blur_operation().description().agreementFor(format));
                QCOMPARE(found.verdict, Verdict::Differs);
                QVERIFY(found.maxDifference <= 1);
                QVERIFY(found.differing > found.samples / 4);
                visitSampleType(format, [&]<class T>() {
                    for (int y = 0; y < 41; ++y)
                        for (int i = 0; i < right.view<T>().samplesPerRow(); ++i)
                            QVERIFY(wrong.view<T>().row(y)[i] <= right.view<T>().row(y)[i]);
                });
            }
        }
    }

    void theyDifferForTimings() {
        forWrongFilters(
            [](const Operation& operation, const std::string& variant, PixelFormat format) {
                const Image image = makePhotograph(format, {79, 67});
                const PlanPtr plan = planFor(operation, {}, format, image.size(), variant);
                if (plan->identity) return;
                const Agreement found =
                    compareImages(runOn(operation, {}, image), runPlan(*plan, image),
                                  operation.description().agreementFor(plan->output));
                QVERIFY2(found.verdict == Verdict::Differs, variant.c_str());
                QVERIFY(!found.allowsSpeedup());
            });
        const Image wide = makeConstant(PixelFormat::Gray8, {300, 2}, 9);
        for (const VariantSpec& variant : histogram_operation().description().wrongVariants)
            QVERIFY(!compareHistograms(wronglyCounted("automatic", wide),
                                       wronglyCounted(variant.id, wide))
                         .allowsSpeedup());
    }

    // What lies between the rows is not theirs, neither to read nor to write.
    void theyStayInTheirImages() {
        forWrongFilters([](const Operation& operation, const std::string& variant,
                           PixelFormat format) {
            for (const Size size : awkwardSizes()) {
                const Image image = makeNoise(format, size, 11);
                const PlanPtr plan = planFor(operation, {}, format, size, variant);
                if (plan->identity) continue;
                const Image plain = runPlan(*plan, image);
                compareSamples(plain, runPlan(*plan, misaligned(image)), variant);
                compareSamples(plain, runPlan(*plan, image, Threading::AllCores), variant);
                auto out = MutableImage::create(plan->output, size);
                const auto row = std::size_t(size.width) * std::size_t(bytesPerPixel(plan->output));
                for (int y = 0; y < size.height; ++y)
                    std::memset(out->rowBytes(y), 0xA5, std::size_t(out->pitch()));
                QVERIFY(operation.runCpu(*plan, image, *out, {}));
                for (int y = 0; y < size.height; ++y)
                    for (auto i = row; i < std::size_t(out->pitch()); ++i)
                        QCOMPARE(int(out->rowBytes(y)[i]), 0xA5);
            }
        });
    }

    void floatIsRefused() {
        for (const Operation* operation : allOperations())
            for (const VariantSpec& variant : operation->description().wrongVariants) {
                const auto plan = operation->plan(
                    requestFor(*operation, {}, PixelFormat::RgbaF32, {8, 8}, variant.id));
                QVERIFY(!plan && plan.error().code == ErrorCode::Unsupported);
            }
    }
};

WARPSCOPE_TEST(WrongOnPurposeTest)
#include "wrong_on_purpose_test.moc"
