#include "engine/operations/tone/levels.h"

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

using Real = long double;

struct Chosen {
    double black = 0, white = 255, gamma = 1, outBlack = 0, outWhite = 255;
    std::string channels = "all";

    TextParameters text() const {
        const auto of = [](double v) { return toText(ParamValue(v)); };
        return {{"black", of(black)},        {"white", of(white)},        {"gamma", of(gamma)},
                {"out_black", of(outBlack)}, {"out_white", of(outWhite)}, {"channels", channels}};
    }
    std::string name() const {
        std::string all;
        for (const auto& [id, value] : text()) all += id + "=" + value + " ";
        return all;
    }
    // The definition in long double; `unit` is a level of 8 bits in sample values.
    Real at(Real v, Real unit) const {
        const Real x = std::clamp((v - black * unit) / ((white - black) * unit), Real(0), Real(1));
        return outBlack * unit + (outWhite - outBlack) * unit * std::pow(x, 1 / Real(gamma));
    }
    bool changes(int channel, int ofAll) const {
        return ofAll == 1 || channels == "all" ||
               channels == (channel == 0   ? "red"
                            : channel == 1 ? "green"
                                           : "blue");
    }
};

std::shared_ptr<const LevelsPlan> planOf(const Chosen& chosen, PixelFormat format) {
    return std::dynamic_pointer_cast<const LevelsPlan>(
        planFor(levels_operation(), chosen.text(), format, {8, 8}));
}

}  // namespace

class LevelsTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{warpscope::test::freshSeed()};

    double anyLevel() {
        return m_random() % 2 ? double(m_random() % 256) : double(m_random() % 255'001) / 1000;
    }
    Chosen anyChoice() {
        Chosen made;
        do {
            made.black = anyLevel();
            made.white = anyLevel();
        } while (made.black >= made.white);
        made.gamma = m_random() % 3 ? 0.1 + double(m_random() % 9901) / 1000 : 1;
        made.outBlack = anyLevel();
        made.outWhite = anyLevel();
        const char* const channels[] = {"all", "all", "red", "green", "blue"};
        made.channels = channels[m_random() % 5];
        return made;
    }

  private slots:
    void integersEqualTruth() {
        for (int round = 0; round < 40; ++round) {
            if (leftOut()) continue;
            const Chosen chosen = anyChoice();
            const PixelFormat format = kIntegerFormats[std::size_t(round) % 4];
            const Real unit = fullScale(format) / 255;
            const Size sizes[] = {{1, 1}, {1, 37}, {301, 1}, {73, 19}};
            const Image image = makeNoise(format, sizes[m_random() % 4], m_random());
            forEachVectorTarget([&](const std::string& target) {
                for (const Threading threading : {Threading::Single, Threading::AllCores}) {
                    const Image result = runOn(levels_operation(), chosen.text(), image, threading);
                    visitSampleType(format, [&]<class T>() {
                        const auto in = image.view<T>(), out = result.view<T>();
                        for (int y = 0; y < in.height; ++y)
                            for (int i = 0; i < in.samplesPerRow(); ++i) {
                                const int c = i % in.channels;
                                const Real v = in.row(y)[i], got = out.row(y)[i];
                                if (c == 3 || !chosen.changes(c, in.channels)) {
                                    QCOMPARE(out.row(y)[i], in.row(y)[i]);
                                    continue;
                                }
                                // Half up, but for what double cannot tell from a half.
                                const Real off = got - chosen.at(v, unit);
                                if (std::abs(off) <= 0.5L + 1e-8L) continue;
                                QVERIFY2(false, qPrintable(QString("%1 %2: %3 became %4")
                                                               .arg(target.c_str())
                                                               .arg(chosen.name().c_str())
                                                               .arg(double(v))
                                                               .arg(double(got))));
                            }
                    });
                }
            });
        }
    }

    void floatsEqualTruth() {
        for (int round = 0; round < 60; ++round) {
            const Chosen chosen = anyChoice();
            const PixelFormat format = round % 2 ? PixelFormat::GrayF32 : PixelFormat::RgbaF32;
            const Image image = makeWild(format, {61, 17}, m_random(),
                                         round % 3 ? Wild::AroundWhite : Wild::AllMagnitudes);
            const Image result = runOn(levels_operation(), chosen.text(), image,
                                       round % 5 ? Threading::Single : Threading::AllCores);
            const auto in = image.view<float>(), out = result.view<float>();
            for (int y = 0; y < in.height; ++y)
                for (int i = 0; i < in.samplesPerRow(); ++i) {
                    const int c = i % in.channels;
                    const float v = in.row(y)[i], got = out.row(y)[i];
                    if (std::isnan(v) || c == 3 || !chosen.changes(c, in.channels)) {
                        QVERIFY(got == v || (std::isnan(got) && std::isnan(v)));
                        continue;
                    }
                    const Real exact = chosen.at(v, Real(1) / 255);
                    const auto most = float(std::max(chosen.outBlack, chosen.outWhite) / 255);
                    const Real ulp = std::nextafter(most, 2.0f) - most;
                    if (std::abs(got - exact) <= ulp) continue;
                    QVERIFY2(false, qPrintable(QString("%1: %2 became %3, not %4")
                                                   .arg(chosen.name().c_str())
                                                   .arg(double(v))
                                                   .arg(double(got))
                                                   .arg(double(exact))));
                }
        }
    }

    // On every instruction set, as of one sample at a time: what a GPU computes.
    void floatsHaveTheBitsOfTheirDefinition() {
        for (int round = 0; round < 80; ++round) {
            const Chosen chosen = anyChoice();
            const PixelFormat format = round % 2 ? PixelFormat::GrayF32 : PixelFormat::RgbaF32;
            const Image image = makeWild(format, {1 + round % 37, 11}, m_random(),
                                         round % 3 ? Wild::AroundWhite : Wild::AllMagnitudes);
            const auto plan = planOf(chosen, format);
            forEachVectorTarget([&](const std::string& target) {
                const Image result = runOn(levels_operation(), chosen.text(), image);
                const auto in = image.view<float>(), out = result.view<float>();
                for (int y = 0; y < in.height; ++y)
                    for (int i = 0; i < in.samplesPerRow(); ++i) {
                        const int c = i % in.channels;
                        const float v = in.row(y)[i];
                        const bool stays = c == 3 || !chosen.changes(c, in.channels);
                        const float expected = stays ? v : plan->samples(v);
                        if (std::bit_cast<std::uint32_t>(out.row(y)[i]) ==
                            std::bit_cast<std::uint32_t>(expected))
                            continue;
                        QFAIL(qPrintable(QString("%1 %2: %3 became %4, not %5")
                                             .arg(target.c_str())
                                             .arg(chosen.name().c_str())
                                             .arg(double(v))
                                             .arg(double(out.row(y)[i]))
                                             .arg(double(expected))));
                    }
            });
            if (QTest::currentTestFailed()) return;
        }
    }

    // What chance hardly finds: powers that become 0 or denormal, the ends of the range, and every
    // NaN.
    void floatsAtTheEndsOfTheirRange() {
        using Limits = std::numeric_limits<float>;
        const float ends[] = {0.0f,
                              -0.0f,
                              Limits::denorm_min(),
                              -Limits::denorm_min(),
                              3e-42f,
                              1.1e-38f,
                              Limits::min(),
                              1e-37f,
                              1e-30f,
                              1e-4f,
                              0.5f,
                              std::nextafter(1.0f, 0.0f),
                              1.0f,
                              std::nextafter(1.0f, 2.0f),
                              Limits::max(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              -Limits::quiet_NaN(),
                              std::bit_cast<float>(0x7fc12345u)};
        for (const double gamma : {0.1, 0.45, 1.0, 2.2, 10.0})
            for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32})
                for (int width = 1; width <= 21; ++width) {
                    auto image = *MutableImage::create(format, {width, 1});
                    const auto row = image.view<float>();
                    for (int i = 0; i < row.samplesPerRow(); ++i)
                        row.row(0)[i] = ends[(std::size_t(i) + m_random()) % std::size(ends)];
                    const Image source = std::move(image).freeze({});
                    const Chosen chosen{.black = 0, .white = 255, .gamma = gamma};
                    const auto plan = planOf(chosen, format);
                    forEachVectorTarget([&](const std::string& target) {
                        const Image result = runOn(levels_operation(), chosen.text(), source);
                        const auto in = source.view<float>(), out = result.view<float>();
                        for (int i = 0; i < in.samplesPerRow(); ++i) {
                            const float v = in.row(0)[i];
                            const float expected =
                                in.channels == 4 && i % 4 == 3 ? v : plan->samples(v);
                            QVERIFY2(std::bit_cast<std::uint32_t>(out.row(0)[i]) ==
                                         std::bit_cast<std::uint32_t>(expected),
                                     qPrintable(QString("%1, gamma %2: %3 became %4, not %5")
                                                    .arg(target.c_str())
                                                    .arg(gamma)
                                                    .arg(double(v))
                                                    .arg(double(out.row(0)[i]))
                                                    .arg(double(expected))));
                        }
                    });
                    if (QTest::currentTestFailed()) return;
                }
    }

    void powersEqualTruth() {
        std::uniform_real_distribution<double> exponents(0.1, 10), logarithms(-149, 128);
        for (int round = 0; round < 200'000; ++round) {
            const double x =
                std::exp2(round % 2 ? logarithms(m_random) : logarithms(m_random) / 50);
            const double e = exponents(m_random);
            const Real exact = std::pow(Real(x), Real(e));
            const double got = samePower(x, e);
            const bool near = exact > 1e-290L && exact < 1e290L
                                  ? std::abs(got - exact) <= exact * 1e-12L
                              : exact < 1 ? got < 1e-280
                                          : got > 1e280;
            if (near) continue;
            QVERIFY2(false, qPrintable(QString("%1 ^ %2").arg(x, 0, 'g', 17).arg(e, 0, 'g', 17)));
        }
        QCOMPARE(samePower(1.0, 2.2), 1.0);
        QCOMPARE(samePower(std::numeric_limits<double>::infinity(), 0.5),
                 std::numeric_limits<double>::infinity());
    }

    // By hand.
    void values() {
        const auto table = [](const Chosen& chosen) {
            return planOf(chosen, PixelFormat::Gray8)->table;
        };
        auto made = table({.black = 50, .white = 150});
        QCOMPARE(int(made[50]), 0);
        QCOMPARE(int(made[100]), 128);  // 127.5 half up
        QCOMPARE(int(made[150]), 255);
        QCOMPARE(int(made[200]), 255);
        // 255 sqrt(64 / 255) = 127.75
        made = table({.gamma = 2});
        QCOMPARE(int(made[64]), 128);
        // The negative.
        made = table({.outBlack = 255, .outWhite = 0});
        for (int v = 0; v < 256; ++v) QCOMPARE(int(made[std::size_t(v)]), 255 - v);
        QCOMPARE(int(planOf({.black = 1, .white = 2}, PixelFormat::Gray16)->table16[385]), 32640);
        // Clipped inside the formula, not after it.
        const double inf = std::numeric_limits<double>::infinity();
        const Image image = makeImage(PixelFormat::GrayF32, {4, 1}, {-inf, -0.5, 1.5, inf});
        compareSamples(makeImage(PixelFormat::GrayF32, {4, 1}, {0, 0, 1, 1}),
                       runOn(levels_operation(), {}, image), "clipped");
    }

    void identities() {
        for (const PixelFormat format : kFilterFormats) {
            QCOMPARE(planOf({}, format)->identity, !isFloat(format));
            QVERIFY(!planOf({.black = 1}, format)->identity);
            QVERIFY(!planOf({.gamma = 1.1, .channels = "blue"}, format)->identity);
        }
    }

    void curveOfTheHistogram() {
        for (const PixelFormat format : kFilterFormats) {
            const auto plan = planOf({.gamma = 2, .channels = "green"}, format);
            QVERIFY(plan->fillsRange);
            const auto curves = levels_operation().toneCurves(*plan);
            QCOMPARE(curves.size(), std::size_t(1));
            QCOMPARE(curves[0].channel,
                     isColor(format) ? HistogramChannel::Green : HistogramChannel::Luma);
            QCOMPARE(curves[0].outputs.front(), 0.0);
            QCOMPARE(curves[0].outputs.back(), 1.0);
            QVERIFY(curves[0].outputs[curves[0].outputs.size() / 4] > 0.45);
        }
    }

    void refusesBlackAboveWhite() {
        const auto refused = [](double black, double white) {
            const Chosen chosen{.black = black, .white = white};
            const auto plan = levels_operation().plan(
                requestFor(levels_operation(), chosen.text(), PixelFormat::Gray8, {1, 1}));
            return !plan && plan.error().code == ErrorCode::InvalidArgument;
        };
        QVERIFY(refused(10, 10));
        QVERIFY(refused(11, 10));
        QVERIFY(refused(255, 255));
        QVERIFY(!refused(9, 10));
        // Different, but not as what samples are compared with.
        QVERIFY(refused(0, 1e-322));
        QVERIFY(refused(0.997, std::nextafter(0.997, 1.0)) ==
                !(std::nextafter(0.997, 1.0) / 255 - 0.997 / 255 > 0));
    }
};

WARPSCOPE_TEST(LevelsTest)
#include "levels_test.moc"
