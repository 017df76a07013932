#include "engine/operations/noise/add_noise.h"

#include <cmath>

#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"
#include "support/truth.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

struct Case {
    NoiseKind kind;
    double amount, sigma;
    std::uint32_t seed;

    TextParameters parameters() const {
        return {{"kind", kind == NoiseKind::Gaussian ? "gaussian" : "salt_pepper"},
                {"amount", toText(ParamValue(amount))},
                {"sigma", toText(ParamValue(sigma))},
                {"seed", std::to_string(seed)}};
    }
};
const Case kCases[] = {
    {NoiseKind::SaltPepper, 0.05, 0, 1}, {NoiseKind::SaltPepper, 0.5, 0, 4294967295u},
    {NoiseKind::SaltPepper, 1, 0, 0},    {NoiseKind::SaltPepper, 0, 0, 7},
    {NoiseKind::Gaussian, 0, 20, 1},     {NoiseKind::Gaussian, 0, 128, 4294967295u},
    {NoiseKind::Gaussian, 0, 0.3, 99},   {NoiseKind::Gaussian, 0, 0, 5}};

}  // namespace

class AddNoiseTest : public QObject {
    Q_OBJECT

  private slots:
    // The known answers of Random123 for philox4x32 with ten rounds.
    void philoxKnownAnswers() {
        struct Known {
            truth::Philox input;
            std::uint32_t words[4];
        };
        const std::uint32_t ones = 0xFFFFFFFFu;
        const Known known[] = {
            {{{0, 0}, {0, 0, 0, 0}}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
            {{{ones, ones}, {ones, ones, ones, ones}},
             {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
            {{{0xa4093822u, 0x299f31d0u}, {0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
             {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}}};
        for (const Known& k : known) {
            std::uint32_t words[4];
            truth::philox(k.input, words);
            for (int i = 0; i < 4; ++i) QCOMPARE(words[i], k.words[i]);
        }
        const PhiloxWords zero = philox(0, 0);
        for (int i = 0; i < 4; ++i) QCOMPARE(zero.word[i], known[0].words[i]);
    }

    void vectorWordsEqualTruth() {
        for (const std::uint64_t index :
             {std::uint64_t{0}, std::uint64_t{0xFFFFFFF0u}, (std::uint64_t{1} << 40) - 7})
            for (const std::uint32_t seed : {0u, 1u, 0x80000001u, 0xFFFFFFFFu})
                forEachVectorTarget([&](const std::string& target) {
                    constexpr int kCount = 203;
                    std::uint32_t word[3][kCount + 64];
                    philoxWords(index, seed, kCount, word[0], word[1], word[2]);
                    for (int i = 0; i < kCount; ++i) {
                        const std::uint64_t at = index + std::uint64_t(i);
                        std::uint32_t expected[4];
                        truth::philox(
                            {{seed, 0}, {std::uint32_t(at), std::uint32_t(at >> 32), 0, 0}},
                            expected);
                        for (int k = 0; k < 3; ++k)
                            QVERIFY2(word[k][i] == expected[k], target.c_str());
                    }
                });
    }

    void equalsTruthOnEveryTarget() {
        for (const PixelFormat format : kIntegerFormats)
            for (const NamedImage& named : awkwardImages(format))
                for (const Case& c : kCases) {
                    const Size size = named.image.size();
                    const Image truth =
                        truth::addNoise(named.image, c.kind, c.amount, c.sigma, c.seed,
                                        {0, 0, size.width, size.height}, size.width);
                    forEachVectorTarget([&](const std::string& target) {
                        compareSamples(truth,
                                       runOn(add_noise_operation(), c.parameters(), named.image),
                                       target + ", " + named.name);
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void oneThreadAndAllCoresAgree() {
        for (const PixelFormat format : kIntegerFormats)
            for (const Case& c : kCases) {
                const Image image = makePhotograph(format, {1301, 477});
                compareSamples(
                    runOn(add_noise_operation(), c.parameters(), image),
                    runOn(add_noise_operation(), c.parameters(), image, Threading::AllCores),
                    "threads");
            }
    }

    // A pixel's noise depends on its place in the whole image, not on the crop it is computed in.
    void cropsGiveTheNoiseOfTheWhole() {
        for (const PixelFormat format : kIntegerFormats)
            for (const Case& c : kCases) {
                const Image image = makePhotograph(format, {613, 211});
                const Image whole = runOn(add_noise_operation(), c.parameters(), image);
                for (const Rect& part : {Rect{0, 0, 50, 20}, Rect{77, 33, 401, 101},
                                         Rect{612, 210, 1, 1}, Rect{0, 199, 613, 12}}) {
                    const PlanPtr plan = planForPart(add_noise_operation(), c.parameters(), format,
                                                     part, image.size());
                    compareSamples(whole.crop(part), runPlan(*plan, image.crop(part)), "crop");
                }
            }
    }

    // Far into an image of more than 2^32 pixels the counter needs both words.
    void indexBeyond32Bits() {
        const Image image = makePhotograph(PixelFormat::Rgba8, {91, 7});
        const Rect part{1000000, 900000, 91, 7};
        for (const Case& c : kCases) {
            const PlanPtr plan = planForPart(add_noise_operation(), c.parameters(), image.format(),
                                             part, {kMaxSide, kMaxSide});
            compareSamples(
                truth::addNoise(image, c.kind, c.amount, c.sigma, c.seed, part, kMaxSide),
                runPlan(*plan, image), "far away");
        }
    }

    void shareOfHitPixels() {
        const Size size{1000, 1000};
        const Image gray = makeConstant(PixelFormat::Rgba8, size, 100);
        for (const double amount : {0.01, 0.05, 0.3, 1.0}) {
            const Image noisy =
                runOn(add_noise_operation(), {{"amount", toText(ParamValue(amount))}}, gray);
            double salt = 0, pepper = 0;
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x) {
                    const std::uint8_t* p = noisy.view<std::uint8_t>().row(y) + 4 * x;
                    QVERIFY(p[0] == p[1] && p[1] == p[2] && p[3] == 100);
                    salt += p[0] == 255;
                    pepper += p[0] == 0;
                }
            // Five standard deviations of a binomial distribution.
            const double n = 1e6;
            QVERIFY(std::abs((salt + pepper) / n - amount) <=
                    5 * std::sqrt(amount * (1 - amount) / n));
            QVERIFY(std::abs(salt - pepper) <= 5 * std::sqrt(amount * n));
        }
    }

    void meanAndDeviationOfGaussian() {
        const Size size{1000, 700};
        for (const double sigma : {2.0, 10.0, 25.0}) {
            const Image noisy = runOn(add_noise_operation(),
                                      {{"kind", "gaussian"}, {"sigma", toText(ParamValue(sigma))}},
                                      makeConstant(PixelFormat::Rgba8, size, 128));
            for (int c = 0; c < 3; ++c) {
                double sum = 0, squares = 0;
                for (int y = 0; y < size.height; ++y)
                    for (int x = 0; x < size.width; ++x) {
                        const double v = noisy.view<std::uint8_t>().row(y)[4 * x + c] - 128.0;
                        sum += v;
                        squares += v * v;
                    }
                const double n = double(size.pixels());
                const double deviation = std::sqrt(squares / n - sum / n * (sum / n));
                QVERIFY(std::abs(sum / n) < 5 * sigma / std::sqrt(n) + 0.01);
                QVERIFY2(std::abs(deviation - std::sqrt(sigma * sigma + 1.0 / 12)) < 0.01 * sigma,
                         qPrintable(QString::number(deviation)));
            }
        }
    }

    // Clamped, not wrapped.
    void strongNoiseAtTheEnds() {
        for (const double value : {0.0, 255.0}) {
            const Image noisy =
                runOn(add_noise_operation(), {{"kind", "gaussian"}, {"sigma", "128"}},
                      makeConstant(PixelFormat::Gray8, {500, 500}, value));
            int unchanged = 0;
            for (int y = 0; y < 500; ++y)
                for (int x = 0; x < 500; ++x)
                    unchanged += noisy.view<std::uint8_t>().row(y)[x] == std::uint8_t(value);
            QVERIFY(unchanged > 120000 && unchanged < 130000);
        }
    }

    // The committed table against the error function: every entry is the quantile in 1/4096,
    // rounded.
    void tableIsTheInverseOfTheNormalDistribution() {
        const auto below = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
        for (int i = 0; i < 4096; ++i) {
            const double wanted = (i + 0.5) / 4096;
            const double q = kNormalQuantiles[std::size_t(i)];
            QVERIFY(below((q - 0.5) / 4096) <= wanted + 1e-12);
            QVERIFY(below((q + 0.5) / 4096) >= wanted - 1e-12);
            QCOMPARE(int(q), -int(kNormalQuantiles[std::size_t(4095 - i)]));
        }
    }

    void planIsTheDefinition() {
        const auto plan = [](const TextParameters& parameters) {
            return std::static_pointer_cast<const AddNoisePlan>(
                planFor(add_noise_operation(), parameters, PixelFormat::Gray8, {9, 9}));
        };
        QCOMPARE(plan({{"amount", "1"}})->threshold, std::uint64_t{1} << 32);
        QCOMPARE(plan({{"amount", "0.5"}})->threshold, std::uint64_t{1} << 31);
        QVERIFY(plan({{"amount", "0"}})->identity);
        QVERIFY(!plan({{"sigma", "0"}})->identity);
        QVERIFY(plan({{"kind", "gaussian"}, {"sigma", "0"}})->identity);
        QCOMPARE(plan({{"sigma", "128"}})->sigma256, 32768);
        QCOMPARE(plan({{"seed", "4294967295"}})->seed, 4294967295u);
        QCOMPARE(plan({})->wholeWidth, std::int64_t{9});
    }
};

WARPSCOPE_TEST(AddNoiseTest)
#include "add_noise_test.moc"
