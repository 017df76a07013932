// NL-means on the GPU against the double-precision truth, every way of running it.
#include "kernel_run.h"
#include "support/test_case.h"
#include "support/truth.h"
#include "support/truth_float.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

struct Windows {
    double h = 10;
    int patch = 3;
    int search = 10;
};

PlanPtr planOf(const Image& image, const Windows& w, const std::string& variant = "automatic") {
    return planFor(*findOperation("nl_means"),
                   {{"h", std::to_string(w.h)},
                    {"patch_radius", std::to_string(w.patch)},
                    {"search_radius", std::to_string(w.search)}},
                   image.format(), image.size(), variant);
}

std::vector<std::string> variants() {
    std::vector<std::string> ids;
    for (const VariantSpec& v : findOperation("nl_means")->description().variants)
        ids.push_back(v.id);
    return ids;
}

std::string nameOf(const Image& image, const Windows& w, const std::string& variant) {
    return QString("%1, %2 %3x%4, h %5, patch %6, search %7: ")
        .arg(variant.c_str(), std::string(formatName(image.format())).c_str())
        .arg(image.width())
        .arg(image.height())
        .arg(w.h)
        .arg(w.patch)
        .arg(w.search)
        .toStdString();
}

}  // namespace

class NlMeansTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;
    std::unique_ptr<KernelRun> m_device;
    int m_compared = 0;

    // Reports what is wrong and goes on: a run on a lent machine should show everything.
    void compare(KernelRun& device, const Image& image, const Windows& w,
                 const std::vector<std::string>& which = variants()) {
        compareWith(truth::nlMeans(image, w.h, w.patch, w.search), device, image, w, which);
    }
    void compare(const std::vector<std::unique_ptr<KernelRun>>& devices, const Image& image,
                 const Windows& w, const std::vector<std::string>& which) {
        const Image expected = truth::nlMeans(image, w.h, w.patch, w.search);
        for (const auto& device : devices) compareWith(expected, *device, image, w, which);
    }
    void compareWith(const Image& expected, KernelRun& device, const Image& image, const Windows& w,
                     const std::vector<std::string>& which) {
        for (const std::string& variant : which) {
            const PlanPtr plan = planOf(image, w, variant);
            if (plan->identity) continue;
            const std::string wrong =
                truth::nlMeansDisagreement(expected, device.run(*plan, image));
            if (!wrong.empty())
                QTest::qFail((nameOf(image, w, variant) + wrong).c_str(), __FILE__, __LINE__);
            ++m_compared;
        }
    }

  private slots:
    void initTestCase() {
        REQUIRE_DEVICE(m_traits);
        m_device = std::make_unique<KernelRun>(m_traits);
    }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    void awkwardImages() {
        for (const PixelFormat format : kGpuFormats)
            for (const NamedImage& named : warpscope::test::awkwardImages(format))
                compare(*m_device, named.image, {20, 1, 2});
    }

    // Windows as large as the image and much larger, one pixel included.
    void everyPatchAndSearchRadius() {
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makePhotograph(format, {9, 5});
            for (int patch = 0; patch <= 7; ++patch)
                for (const int search : {1, 2, 3, 4, 10, 11, 12, 13, 20})
                    if (patch < 5 || search < 13 || search == 20)
                        compare(*m_device, image, {15, patch, search},
                                patch == 3 ? variants() : std::vector<std::string>{"automatic"});
            for (const Size size : {Size{1, 1}, Size{2, 1}, Size{1, 7}})
                for (const int patch : {0, 1, 2, 3, 7})
                    compare(*m_device, makeNoise(format, size, 4), {50, patch, 10});
        }
    }

    // Images large enough for the rule on identical samples; sizes around the tiles.
    void agreement() {
        for (const PixelFormat format : kGpuFormats)
            for (const double h : {0.1, 1.0, 10.0, 40.0, 200.0})
                compare(*m_device, makePhotograph(format, {129, 33}, 3), {h, 3, 5});
        for (const int patch : {1, 2, 3, 4})
            compare(*m_device, makePhotograph(PixelFormat::Gray8, {127, 65}), {10, patch, 7});
        compare(*m_device, makePhotograph(PixelFormat::Gray8, {130, 35}), {10, 3, 10});
        compare(*m_device, makePhotograph(PixelFormat::Rgba8, {130, 33}), {10, 3, 6});
        compare(*m_device, makePhotograph(PixelFormat::Gray16, {130, 35}), {10, 3, 10});
        compare(*m_device, makePhotograph(PixelFormat::Rgba16, {66, 33}), {10, 3, 6});
    }

    // Colour on both sides of the limits of h between which weights are kept as one half: noise of
    // about h, of which many neighbours count, in images for each width of tiles.
    void roundedWeights() {
        struct Limits {
            int patch, search;
            double low, high;
        };
        for (const Limits& at : {Limits{1, 9, 16.35, 19}, {2, 6, 9.81, 13}, {3, 4, 7.01, 9}})
            for (const Size size : {Size{161, 97}, Size{300, 64}})
                for (const double h :
                     {at.low * 0.98, at.low * 1.02, at.high * 0.98, at.high * 1.02})
                    compare(*m_device, makePhotograph(PixelFormat::Rgba8, size, 3),
                            {h, at.patch, at.search});
    }

    // Gray on both sides of what pairs of pixels are taken for, in images smaller and larger than
    // tiles, which devices of other sizes cut otherwise.
    void pairs() {
        std::vector<std::unique_ptr<KernelRun>> devices;
        for (const int multiprocessors : {m_traits.multiprocessors, 1, 7, 200})
            for (const int sharedKiB : {99, 163, 227}) {
                DeviceTraits traits = m_traits;
                traits.multiprocessors = multiprocessors;
                traits.sharedPerBlock =
                    std::min(traits.sharedPerBlock, std::size_t(sharedKiB) << 10);
                devices.push_back(std::make_unique<KernelRun>(traits));
            }
        // Tiles of 86 columns, and of 118 with 4, 12, 20 and 36 rows.
        for (const Size size : {Size{1, 1}, Size{5, 90}, Size{86, 31}, Size{239, 73}, Size{100, 3},
                                Size{118, 36}, Size{236, 60}})
            for (const Windows& w :
                 {Windows{10, 3, 10}, Windows{9.9, 3, 10}, Windows{14, 2, 10}, Windows{60, 3, 10}})
                for (const Image& image : {makePhotograph(PixelFormat::Gray8, size, 3),
                                           makeNoise(PixelFormat::Gray8, size, 5)})
                    compare(devices, image, w, {"automatic"});
        // All of a kind: black beside white, where sums are largest, and one level.
        std::vector<double> samples;
        for (int i = 0; i < 150 * 70; ++i) samples.push_back((i % 150 + i / 150) % 2 ? 255 : 0);
        compare(*m_device, makeImage(PixelFormat::Gray8, {150, 70}, samples), {200, 3, 10});
        for (const double level : {0.0, 128.0, 255.0})
            compare(*m_device, makeConstant(PixelFormat::Gray8, {150, 70}, level), {10, 3, 10});
    }

    // Sums of samples that only just are finite are not; means are.
    void theLargestFloats() {
        constexpr float kMost = std::numeric_limits<float>::max();
        const float values[] = {kMost, 3e38f, -kMost, 0.25f};
        std::mt19937 random(freshSeed());
        for (const PixelFormat format : {PixelFormat::GrayF32, PixelFormat::RgbaF32}) {
            auto made = *MutableImage::create(format, {37, 23});
            for (int y = 0; y < 23; ++y)
                for (int i = 0; i < made.view<float>().samplesPerRow(); ++i)
                    made.view<float>().row(y)[i] =
                        y < 18 ? values[y / 6] : values[random() % std::size(values)];
            const Image image = std::move(made).freeze({});
            const truth::Reals expected = truth::nlMeansFloat(image, 10, 1, 4);
            for (const char* variant : {"automatic", "direct"}) {
                const Windows w{10, 1, 4};
                const std::string wrong =
                    truth::beyond(expected, m_device->run(*planOf(image, w, variant), image), 838);
                QVERIFY2(wrong.empty(), (nameOf(image, w, variant) + wrong).c_str());
            }
        }
    }

    void freshContents() {
        std::mt19937 random(freshSeed());
        for (int round = 0; round < 12; ++round) {
            const Size size{int(random() % 300 + 1), int(random() % 80 + 1)};
            const Windows w{std::exp(double(random() % 1000) / 1000 * 5), int(random() % 4),
                            int(random() % 5 + 1)};
            compare(*m_device, makeNoise(kGpuFormats[round % 4], size, random()), w);
        }
    }

    // Sums that pass 2^22 and 2^24: black and white pixels side by side, large patches.
    void trapSumsThatAFloatDoesNotHold() {
        std::vector<double> samples;
        for (int i = 0; i < 72 * 60; ++i) samples.push_back((i % 72 + i / 72) % 2 ? 255 : 0);
        const Image board = makeImage(PixelFormat::Gray8, {72, 60}, samples);
        for (const int patch : {3, 4, 7}) compare(*m_device, board, {200, patch, 2});
        std::vector<double> colors;
        for (const double v : samples) colors.insert(colors.end(), {v, v, v, 17});
        const Image colorBoard = makeImage(PixelFormat::Rgba8, {72, 60}, colors);
        for (const int patch : {3, 7}) compare(*m_device, colorBoard, {200, patch, 2});
        // Of 16 bits a single square fills 32 bits.
        for (double& v : samples) v *= 257;
        for (double& v : colors) v *= 257;
        const Image wideBoard = makeImage(PixelFormat::Gray16, {72, 60}, samples);
        const Image wideColors = makeImage(PixelFormat::Rgba16, {72, 60}, colors);
        for (const int patch : {0, 3, 7}) {
            compare(*m_device, wideBoard, {200, patch, 2});
            compare(*m_device, wideColors, {200, patch, 2});
        }
    }

    // The text's integral images overflow unless sums are taken modulo 2^32: 255^2 times 66,052
    // pixels is the first that does not fit.
    void trapIntegralImagesBeyond32Bits() {
        std::vector<double> samples;
        for (int i = 0; i < 400 * 400; ++i) samples.push_back((i % 400) % 2 ? 255 : 0);
        const Image stripes = makeImage(PixelFormat::Gray8, {400, 400}, samples);
        compare(*m_device, stripes, {200, 1, 1});
        for (double& v : samples) v *= 257;
        compare(*m_device, makeImage(PixelFormat::Gray16, {400, 400}, samples), {200, 1, 1});
    }

    void constantsStay() {
        for (const PixelFormat format : kGpuFormats)
            for (const double level : {0.0, 1.0, 254.0, 255.0, 32769.0, 65535.0}) {
                if (level > 255 && bytesPerSample(format) == 1) continue;
                const Image image = makeConstant(format, {150, 40}, level);
                for (const std::string& variant : variants())
                    QCOMPARE(
                        firstDifference(image, m_device->run(*planOf(image, {}, variant), image)),
                        std::string());
            }
    }

    // Older devices and many launches.
    void otherDevices_data() {
        QTest::addColumn<int>("sharedKiB");
        QTest::addColumn<qlonglong>("work");
        QTest::addColumn<int>("bytes");
        QTest::newRow("64 KiB of shared memory") << 64 << 0ll << 0;
        QTest::newRow("99 KiB of shared memory") << 99 << 0ll << 0;
        QTest::newRow("163 KiB of shared memory") << 163 << 0ll << 0;
        QTest::newRow("many launches") << 0 << 1000ll << 0;
        QTest::newRow("little memory for planes") << 0 << 0ll << 60'000;
    }
    void otherDevices() {
        QFETCH(int, sharedKiB);
        QFETCH(qlonglong, work);
        QFETCH(int, bytes);
        DeviceTraits traits = m_traits;
        if (sharedKiB) traits.sharedPerBlock = std::size_t(sharedKiB) << 10;
        if (work) traits.multiplicationsPerLaunch = work;
        if (bytes) traits.bytesPerLaunch = bytes;
        KernelRun device(traits);
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makePhotograph(format, {140, 37});
            for (const Windows& w : {Windows{10, 3, 4}, Windows{10, 1, 2}, Windows{10, 5, 3}})
                compare(device, image, w);
            compare(device, makePhotograph(format, {11, 9}), {20, 7, 20});
            if (format == PixelFormat::Gray8)
                compare(device, makePhotograph(format, {250, 61}), {10, 3, 10}, {"automatic"});
        }
    }

    // Sizes that no double-precision loop does in time: against the CPU.
    void wholeImages() {
        for (const PixelFormat format : kGpuFormats) {
            const Image image = makePhotograph(format, {700, 411});
            for (const int patch : {1, 2, 3}) {
                const PlanPtr plan = planOf(image, {10, patch, 10});
                const Image expected = runPlan(*plan, image, Threading::AllCores);
                QCOMPARE(truth::nlMeansDisagreement(expected, m_device->run(*plan, image)),
                         std::string());
            }
        }
    }

    void stopsBetweenLaunches() {
        KernelRun device(inLaunchesOf(m_traits, 0, 1000));
        const Image image = makeNoise(PixelFormat::Gray8, {300, 200}, 1);
        for (const std::string& variant : variants()) {
            StopAt stop(3);
            QVERIFY_THROWS_EXCEPTION(Stopped,
                                     device.run(*planOf(image, {}, variant), image, stop.context));
            QCOMPARE(stop.launches, 3);
        }
    }
};

WARPSCOPE_TEST(NlMeansTest)
#include "nl_means_test.moc"
