// The published histograms and Gaussians give on the GPU the bits of `automatic` on one CPU thread.
#include "kernel_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using namespace warpscope::cuda;

namespace {

// The published histograms count 8-bit samples, the Gaussians take all of these.
constexpr PixelFormat kFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16,
                                    PixelFormat::Rgba16};

}  // namespace

class VariantsTest : public QObject {
    Q_OBJECT

  private:
    DeviceTraits m_traits;
    int m_compared = 0;

    static std::vector<std::string> published(const char* operation) {
        std::vector<std::string> ids;
        for (const VariantSpec& variant : findOperation(operation)->description().variants)
            if (variant.id != kAutomaticVariant) ids.push_back(variant.id);
        return ids;
    }

    void compareCounts(KernelRun& device, const Image& image, const std::string& name) {
        if (bytesPerSample(image.format()) > 1) return;
        const Operation& operation = *findOperation("histogram");
        for (const char* channel : {"luma", "red", "all"}) {
            const PlanPtr automatic =
                planFor(operation, {{"channel", channel}}, image.format(), image.size());
            const HistogramSet expected =
                orThrow(countCpu(static_cast<const HistogramPlan&>(*automatic), image,
                                 CpuContext{Threading::Single, {}, {}}));
            for (const std::string& variant : published("histogram")) {
                const PlanPtr plan = planFor(operation, {{"channel", channel}}, image.format(),
                                             image.size(), variant);
                const auto bins = device.count(static_cast<const HistogramPlan&>(*plan), image,
                                               int(expected.channels.size()));
                auto at = bins.begin();
                for (const Histogram& histogram : expected.channels) {
                    const bool same = std::equal(histogram.bins.begin(), histogram.bins.end(), at);
                    QVERIFY2(same, (variant + ", " + channel + ", " + name).c_str());
                    at += 256;
                }
                ++m_compared;
            }
        }
    }

    void compareBlurs(KernelRun& device, const Image& image, const std::string& name) {
        const Operation& operation = *findOperation("gaussian_blur");
        for (const char* size : {"3", "9", "31", "0"}) {
            const TextParameters parameters = {{"sigma", size[0] == '0' ? "30" : "2"},
                                               {"size", size}};
            const PlanPtr automatic = planFor(operation, parameters, image.format(), image.size());
            const Image expected = runPlan(*automatic, image);
            for (const std::string& variant : published("gaussian_blur")) {
                if (variant == "direct_2d" && size[0] == '0') continue;
                const PlanPtr plan =
                    planFor(operation, parameters, image.format(), image.size(), variant);
                const std::string difference = test::firstDifference(
                    expected, device.run(*findRunner("gaussian_blur"), *plan, image));
                QVERIFY2(difference.empty(),
                         (variant + ", size " + size + ", " + name + ": " + difference).c_str());
                ++m_compared;
            }
        }
    }

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        WARPSCOPE_CUDA(cudaSetDevice(0));
        m_traits = DeviceTraits::query(0);
    }
    void cleanup() {
        if (m_compared) qInfo("%d comparisons", m_compared);
        m_compared = 0;
    }

    void awkwardImages() {
        KernelRun device(m_traits);
        for (const PixelFormat format : kFormats)
            for (const NamedImage& named : warpscope::test::awkwardImages(format)) {
                compareCounts(device, named.image, named.name);
                compareBlurs(device, named.image, named.name);
                if (QTest::currentTestFailed()) return;
            }
    }

    // The texts merge the counts of blocks while other blocks still count, and read what another
    // block has not written yet; launches that follow each other must leave nothing out either.
    void trapBlocksThatRace() {
        DeviceTraits traits = m_traits;
        traits.bytesPerLaunch = 50'000;
        KernelRun device(traits);
        for (const PixelFormat format : kFormats) {
            const Image image = makeNoise(format, {333, 217}, 3);
            compareCounts(device, image, "many launches");
            compareBlurs(device, image, "many launches");
        }
    }

    // A thread of the OpenCL text's kernel has 8-bit counters: 256 equal pixels overflow them.
    void trap256EqualPixels() {
        KernelRun device(m_traits);
        for (const int width : {254, 255, 256, 257, 32639, 32640, 32641, 65280, 70000})
            compareCounts(device, makeConstant(PixelFormat::Gray8, {width, 3}, 93),
                          "constant, width " + std::to_string(width));
    }

    // The CUDA text counts whole blocks of 8,192 pixels.
    void trapSizesThatAreNotMultiplesOf8192() {
        KernelRun device(m_traits);
        for (const int width : {1, 63, 64, 8191, 8192, 8193, 16385})
            compareCounts(device, makeNoise(PixelFormat::Gray8, {width, 1}, 5),
                          "noise, width " + std::to_string(width));
    }

    void wholeImages() {
        KernelRun device(m_traits);
        for (const PixelFormat format : kFormats) {
            const Image image = makePhotograph(format, {1280, 1024});
            compareCounts(device, image, "1280 x 1024");
            compareBlurs(device, image, "1280 x 1024");
        }
    }
};

WARPSCOPE_TEST(VariantsTest)
#include "variants_test.moc"
