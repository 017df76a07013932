// Operations with several kernels for the same work: whichever is chosen gives the bits of the CPU,
// whatever the format, the size, the parameters and the device.
#include <algorithm>

#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

class Chance {
  public:
    explicit Chance(std::uint32_t seed) : m_random(seed) {}

    // Both ends included.
    int between(int low, int high) {
        return low + int(m_random() % (unsigned(high) - unsigned(low) + 1));
    }
    bool oneIn(int n) { return between(1, n) == 1; }
    std::string textBetween(int low, int high) { return std::to_string(between(low, high)); }
    std::string oneOf(std::initializer_list<const char*> texts) {
        return *(texts.begin() + between(0, int(texts.size()) - 1));
    }
    std::uint32_t seed() { return std::uint32_t(m_random()); }

  private:
    std::mt19937 m_random;
};

TextParameters resizeParameters(Chance& chance, Size size) {
    TextParameters made = {
        {"method", chance.oneOf({"bicubic", "nearest", "bilinear", "area", "lanczos3"})}};
    switch (chance.between(0, 3)) {
        case 0:
            made.emplace_back("percent", chance.oneOf({"50", "30", "200", "25", "33.3", "12.5",
                                                       "150", "75", "1", "1000"}));
            break;
        case 1:
            made.emplace_back("width", chance.textBetween(1, 400));
            made.emplace_back("height", chance.textBetween(1, 400));
            break;
        case 2:  // one side stays
            made.emplace_back("width", std::to_string(size.width));
            made.emplace_back("height", chance.textBetween(1, 400));
            break;
        default:
            made.emplace_back("percent", chance.textBetween(5, 300));
    }
    return made;
}

TextParameters rotateParameters(Chance& chance, Size) {
    return {{"angle", chance.oneIn(2) ? chance.oneOf({"45", "-45", "90", "180", "0.01", "10"})
                                      : chance.textBetween(-180, 180)},
            {"method", chance.oneOf({"bilinear", "bilinear", "nearest"})},
            {"canvas", chance.oneOf({"keep", "expand"})},
            {"outside", chance.oneOf({"edge", "black", "transparent"})}};
}

TextParameters convolveParameters(Chance& chance, Size) {
    const int columns = 1 + 2 * chance.between(0, chance.oneIn(2) ? 7 : 3);
    const int rows = chance.oneIn(2) ? columns : 1 + 2 * chance.between(0, 3);
    const int most = std::stoi(chance.oneOf({"1", "5", "127", "128", "1000", "32767"}));
    std::string kernel;
    for (int i = 0; i < rows * columns; ++i) {
        if (i) kernel += i % columns ? " " : ";";
        kernel += chance.oneIn(4) ? "0" : chance.textBetween(-most, most);
    }
    return {{"kernel", kernel},
            {"divisor", chance.oneOf({"0", "0", "1", "2", "9", "-3", "1000", "7000000"})},
            {"offset", chance.oneIn(3) ? chance.textBetween(-255, 255) : "0"}};
}

TextParameters laplacianParameters(Chance& chance, Size) {
    return {{"neighbours", chance.oneOf({"4", "8"})},
            {"output", chance.oneOf({"absolute", "signed"})}};
}

TextParameters gradientParameters(Chance& chance, Size) {
    return {{"kernel", chance.oneOf({"sobel", "scharr", "prewitt"})},
            {"output", chance.oneOf({"magnitude", "horizontal", "vertical"})}};
}

TextParameters bilateralParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(1, chance.oneIn(2) ? 15 : 6)},
            {"sigma_space", chance.oneOf({"0.1", "1", "3", "10", "100"})},
            {"sigma_range", chance.oneOf({"0.1", "5", "25", "100", "1000"})}};
}

TextParameters morphologyParameters(Chance& chance, Size) {
    return {{"operation", chance.oneOf({"erode", "dilate", "open", "close", "gradient", "top_hat",
                                        "black_hat"})},
            {"shape", chance.oneOf({"disk", "disk", "square", "cross"})},
            {"radius", chance.textBetween(1, chance.oneIn(3) ? 30 : 6)}};
}

TextParameters statisticsParameters(Chance& chance, Size) {
    return {{"what", chance.oneOf({"standard_deviation", "variance", "range"})},
            {"radius", chance.textBetween(1, chance.oneIn(3) ? 30 : 5)}};
}

TextParameters boxParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(0, chance.oneIn(3) ? 200 : chance.oneIn(2) ? 40 : 3)}};
}

TextParameters adaptiveParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(1, chance.oneIn(3) ? 200 : 40)},
            {"offset", chance.textBetween(-20, 20)}};
}

TextParameters noParameters(Chance&, Size) {
    return {};
}

TextParameters medianParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(1, chance.oneIn(3) ? 7 : 2)}};
}

// A wide bell cut short has weights that are almost alike.
TextParameters gaussianParameters(Chance& chance, Size) {
    TextParameters made = {{"sigma", chance.oneOf({"0.3", "0.6", "0.8", "1", "1", "1.6", "2.3",
                                                   "2.6", "2.7", "5", "20", "100"})}};
    if (chance.oneIn(3))
        made.emplace_back("size", chance.oneOf({"3", "5", "7", "9", "15", "17", "19", "31"}));
    return made;
}

TextParameters thresholdParameters(Chance& chance, Size) {
    return {
        {"method", chance.oneOf({"fixed", "fixed", "mean", "otsu", "triangle", "li", "isodata"})},
        {"value", chance.oneOf({"0", "1", "0.5", "127.5", "254", "255"})}};
}

TextParameters channelParameters(Chance& chance, Size) {
    return {{"channel", chance.oneOf({"luma", "red", "green", "blue", "alpha", "hue", "saturation",
                                      "value", "lightness"})}};
}

TextParameters blendParameters(Chance& chance, Size) {
    return {{"mode", chance.oneOf({"difference", "add", "multiply", "screen", "average"})},
            {"opacity", chance.oneOf({"100", "30"})}};
}

TextParameters guidedParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(1, chance.oneIn(3) ? 100 : 15)},
            {"epsilon", chance.oneOf({"0.1", "10", "100", "10000"})}};
}

TextParameters despeckleParameters(Chance& chance, Size) {
    return {{"radius", chance.textBetween(1, 3)},
            {"threshold", chance.textBetween(0, chance.oneIn(2) ? 255 : 20)},
            {"which", chance.oneOf({"both", "bright", "dark"})}};
}

// Most of them small: both blurs at once.
TextParameters differenceParameters(Chance& chance, Size) {
    return {{"sigma_small", chance.oneOf({"0.3", "0.6", "1", "1", "1.6", "2.6", "5"})},
            {"sigma_large",
             chance.oneOf({"0.6", "1.6", "1.6", "2.3", "2.5", "2.6", "2.7", "4", "5", "20"})},
            {"gain", chance.oneOf({"1", "1", "3", "16"})}};
}

TextParameters unsharpParameters(Chance& chance, Size) {
    return {{"sigma", chance.oneOf({"0.3", "0.6", "1", "1.6", "2", "2", "2.6", "2.7", "5", "20"})},
            {"amount", chance.oneOf({"0", "1", "1", "0.3", "5"})},
            {"threshold", chance.oneOf({"0", "0", "3", "255"})}};
}

TextParameters noiseParameters(Chance& chance, Size) {
    return {{"kind", chance.oneOf({"salt_pepper", "gaussian"})},
            {"amount", chance.oneOf({"0.05", "0.5", "1"})},
            {"sigma", chance.oneOf({"1", "20", "128"})},
            {"seed", std::to_string(chance.seed())}};
}

struct Choice {
    const char* operation;
    TextParameters (*parameters)(Chance&, Size);
};

constexpr Choice kChoices[] = {{"resize", resizeParameters},
                               {"rotate", rotateParameters},
                               {"convolve", convolveParameters},
                               {"laplacian", laplacianParameters},
                               {"gradient", gradientParameters},
                               {"bilateral", bilateralParameters},
                               {"morphology", morphologyParameters},
                               {"local_statistics", statisticsParameters},
                               {"box_mean", boxParameters},
                               {"adaptive_threshold", adaptiveParameters},
                               {"median", medianParameters},
                               {"gaussian_blur", gaussianParameters},
                               {"integral_image", noParameters},
                               {"invert", noParameters},
                               {"threshold", thresholdParameters},
                               {"extract_channel", channelParameters},
                               {"blend", blendParameters},
                               {"guided_filter", guidedParameters},
                               {"despeckle", despeckleParameters},
                               {"add_noise", noiseParameters},
                               {"difference_of_gaussians", differenceParameters},
                               {"unsharp_mask", unsharpParameters}};

constexpr int kPlansEach = 60;

}  // namespace

class KernelChoiceTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;

  private slots:
    void initTestCase() { REQUIRE_DEVICE(m_traits); }

    // Half of an even size has a kernel of its own.
    void halves() {
        KernelRun device(m_traits);
        Chance chance(freshSeed());
        for (const PixelFormat format : kFilterFormats)
            for (int i = 0; i < 10; ++i) {
                const Size size{2 * chance.between(1, 200), 2 * chance.between(1, 150)};
                const Image image = makeNoise(format, size, chance.seed());
                const PlanPtr plan =
                    planFor(*findOperation("resize"), {{"method", "area"}}, format, size);
                REQUIRE_SAME(
                    test::firstDifference(runPlan(*plan, image), device.run(*plan, image)));
            }
    }

    // Single pixels of all samples, and enlarging, whose first and last rows have weights of their
    // own.
    void nearestAndEnlarged_data() { addDeviceRows(); }
    void nearestAndEnlarged() {
        KernelRun device(deviceOfRow(m_traits));
        Chance chance(freshSeed());
        for (const char* method : {"nearest", "area", "bilinear", "bicubic", "lanczos3"})
            for (const char* percent : {"50", "101", "150", "200", "300", "400"})
                for (const PixelFormat format : kFilterFormats) {
                    const Size size{chance.between(4, 400), chance.between(4, 300)};
                    const Image image = makeNoise(format, size, chance.seed());
                    const PlanPtr plan =
                        planFor(*findOperation("resize"),
                                {{"method", method}, {"percent", percent}}, format, size);
                    if (plan->identity) continue;
                    const std::string difference =
                        resultDifference(*plan, runPlan(*plan, image), device.run(*plan, image));
                    QVERIFY2(difference.empty(),
                             (std::string(method) + " " + percent + ": " + difference).c_str());
                }
    }

    // Squares and small Gaussians of 8-bit samples, statistics of small windows and rotations on
    // images of several tiles beside and below each other, of which one multiprocessor takes high
    // ones from 64 rows on and four take low ones of an image that is one tile wide: at the ends of
    // the radii that tiles have.
    void tiles_data() {
        QTest::addColumn<int>("multiprocessors");
        QTest::addColumn<int>("bytesPerLaunch");
        QTest::newRow("one launch") << 1 << 0;
        QTest::newRow("many launches") << 1 << 400'000;
        QTest::newRow("low tiles") << 4 << 0;
        QTest::newRow("low tiles, many launches") << 4 << 60'000;
    }
    void tiles() {
        QFETCH(int, multiprocessors);
        QFETCH(int, bytesPerLaunch);
        DeviceTraits traits = m_traits;
        traits.multiprocessors = multiprocessors;
        if (bytesPerLaunch) traits.bytesPerLaunch = bytesPerLaunch;
        KernelRun device(traits);
        Chance chance(freshSeed());
        std::vector<std::pair<const char*, TextParameters>> runs;
        for (const char* radius : {"1", "2", "4", "5", "19", "20", "21", "39", "40", "41"})
            runs.push_back({"box_mean", {{"radius", radius}}});
        for (const char* radius : {"1", "2", "39", "40", "41"})
            for (const char* offset : {"-255", "-1", "255"})
                runs.push_back({"adaptive_threshold", {{"radius", radius}, {"offset", offset}}});
        // From radius 6 on each third radius is made up in the same way, from 12 on of more pieces.
        for (const char* radius :
             {"1", "2", "3", "4", "5", "6", "7", "8", "10", "11", "12", "13", "14"})
            for (const char* operation : {"erode", "dilate", "gradient", "top_hat"})
                runs.push_back(
                    {"morphology",
                     {{"operation", operation}, {"shape", "square"}, {"radius", radius}}});
        for (const char* radius : {"1", "3", "4", "7", "8"})
            for (const char* what : {"standard_deviation", "variance"})
                runs.push_back({"local_statistics", {{"radius", radius}, {"what", what}}});
        // Tiles of all sizes, inside the image and beyond it.
        for (const char* angle : {"0.01", "10", "45", "90"})
            for (const char* method : {"bilinear", "nearest"})
                for (const char* outside : {"edge", "black"})
                    runs.push_back(
                        {"rotate", {{"angle", angle}, {"method", method}, {"outside", outside}}});
        // Radius 1, 2, 3, 5, 6, 7, 8, 9 and 15.
        for (const char* sigma : {"0.3", "0.6", "1", "1.6", "2", "2.3", "2.6", "2.7", "5"}) {
            runs.push_back({"gaussian_blur", {{"sigma", sigma}}});
            for (const char* threshold : {"0", "9"})
                runs.push_back({"unsharp_mask", {{"sigma", sigma}, {"threshold", threshold}}});
        }
        // Large images have other kernels from radius 2 to 5.
        for (const char* radius : {"2", "3", "4", "5", "6", "7"})
            runs.push_back({"median", {{"radius", radius}}});
        // Both at once, small ones and larger ones, and one after the other.
        for (const auto& [small, large] :
             {std::pair{"0.3", "0.6"}, {"1", "1.6"}, {"1.6", "2.6"}, {"2", "4"}, {"2", "8"}})
            runs.push_back(
                {"difference_of_gaussians", {{"sigma_small", small}, {"sigma_large", large}}});
        for (const auto& [id, parameters] : runs)
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
                const Operation& operation = *findOperation(id);
                if (!isAskedFor(operation.description())) continue;
                const Size size =
                    multiprocessors == 1 ? Size{chance.between(430, 1400), chance.between(64, 150)}
                    : isColor(format)    ? Size{chance.between(100, 210), chance.between(64, 112)}
                                         : Size{chance.between(300, 460), chance.between(64, 112)};
                const PlanPtr plan = planFor(operation, parameters, format, size);
                for (const Image& image : {makeNoise(format, size, chance.seed()),
                                           makeConstant(format, size, fullScale(format))}) {
                    const std::string difference =
                        resultDifference(*plan, runPlan(*plan, image, Threading::AllCores),
                                         device.run(*plan, image));
                    QVERIFY2(difference.empty(),
                             (std::string(id) + " " + parameters[0].second + " " +
                              parameters.back().second + ", " + std::to_string(size.width) + " x " +
                              std::to_string(size.height) + ": " + difference)
                                 .c_str());
                }
            }
    }

    void randomPlans_data() { addDeviceRows(); }
    void randomPlans() {
        KernelRun device(deviceOfRow(m_traits));
        Chance chance(freshSeed());
        for (const Choice& choice : kChoices) {
            const Operation& operation = *findOperation(choice.operation);
            if (!isAskedFor(operation.description())) continue;
            int compared = 0;
            for (int i = 0; i < kPlansEach; ++i) {
                // Most of the kernels to choose from are for 8 bits.
                const PixelFormat format =
                    chance.oneIn(3)
                        ? kFilterFormats[chance.between(0, int(std::size(kFilterFormats)) - 1)]
                        : (chance.oneIn(2) ? PixelFormat::Gray8 : PixelFormat::Rgba8);
                const Size size{chance.between(1, 300), chance.between(1, 300)};
                const Case one(operation, choice.parameters(chance, size));
                const auto planned =
                    operation.plan(requestFor(operation, one.parameters, format, size));
                if (!planned || (*planned)->identity) continue;
                const Image image = chance.oneIn(3) ? makePhotograph(format, size)
                                                    : makeNoise(format, size, chance.seed());
                const std::string difference =
                    resultDifference(**planned, runPlan(**planned, image, Threading::AllCores),
                                     device.run(**planned, image));
                const std::string where = one.name + ", " + std::string(formatName(format)) + " " +
                                          std::to_string(size.width) + " x " +
                                          std::to_string(size.height) + ": ";
                QVERIFY2(difference.empty(), (where + difference).c_str());
                ++compared;
            }
            QVERIFY2(compared > kPlansEach / 2, choice.operation);
        }
    }
};

WARPSCOPE_TEST(KernelChoiceTest)
#include "kernel_choice_test.moc"
