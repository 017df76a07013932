// How long the launches of kernels last on the slowest device by the model of launch_model.h, for
// the widest images and the largest windows. Without a GPU: the sizes of bands and what a row costs
// are computed as the files named below do, with the same constants.
#include "cuda_kernels/runtime/launch_model.h"

#include <bit>
#include <map>
#include <set>

#include "engine/image/pixel_format.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::cuda;

namespace {

constexpr std::int64_t kModelHeight = 4096;

struct ModelImage {
    std::int64_t width;
    int channels;
    int sampleBytes;

    std::int64_t samples() const { return width * channels; }
    std::int64_t rowBytes() const { return samples() * sampleBytes; }
};

struct ModelLaunch {
    std::string name;
    double ms = 0;
};

// Of one image: launches, by name.
class LaunchModel {
  public:
    explicit LaunchModel(const ModelImage& image) : m_image(image) {}

    const std::vector<ModelLaunch>& launches() const { return m_launches; }

    int rowsPerLaunch(std::int64_t bytes, std::int64_t multiplications,
                      const ModelDevice& device = kSlowestDevice) const {
        return rowsWithin(kBytesPerLaunch, multiplicationsForLaunch(device.multiprocessors), bytes,
                          multiplications);
    }
    void add(const char* name, std::int64_t rows, std::int64_t bytes, std::int64_t multiplications,
             const ModelDevice& device = kSlowestDevice) {
        rows = std::min(rows, kModelHeight);
        m_launches.push_back({name, launchMs(device, double(rows) * double(bytes),
                                             double(rows) * double(multiplications))});
    }

    // smoothing/gaussian_blur.cu, runDirect.
    void gaussianBytes(int radius) {
        constexpr int kRowsEach = 8, kTile = 1024;
        const std::int64_t pitch = up(m_image.samples(), 64);
        const std::int64_t work = up(m_image.samples(), kTile) * (2 * radius + 1) * 2;
        const std::int64_t byMemory =
            std::clamp<std::int64_t>((256 << 20) / (2 * pitch) - 2 * radius, kRowsEach, kMaxSide);
        const std::int64_t rows = std::max<std::int64_t>(
            kRowsEach, std::min<std::int64_t>(byMemory, rowsPerLaunch(6 * pitch, work)));
        add("gaussian_blur.cu: rows", rows + 2 * radius, 3 * pitch, work / 2);
        add("gaussian_blur.cu: columns", rows, 3 * pitch, work / 2);
    }

    // smoothing/gaussian_blur_banded.cu, where the weights fit the shared memory.
    void gaussianBanded(int radius) {
        constexpr int kStrip = 32, kRound = 4 * 32;
        const std::int64_t blocks = 1 + (radius + 15) / 16;
        const std::int64_t work = up(m_image.width, kStrip) * m_image.channels * blocks * 24;
        const int rows =
            std::max(kRound, rowsPerLaunch(2 * m_image.rowBytes(), work, kSlowestTensorDevice) /
                                 kRound * kRound);
        add("gaussian_blur_banded.cu", rows, 2 * m_image.rowBytes(), work, kSlowestTensorDevice);
    }

    // smoothing/gaussian_blur_warp.cu, two blurs.
    void gaussianWarp() {
        constexpr int kSide = 16;
        const std::int64_t work = up(m_image.width, kSide) * m_image.channels * 2 * 24;
        const int rows =
            std::max(kSide, rowsPerLaunch(2 * m_image.rowBytes(), work, kSlowestTensorDevice) /
                                kSide * kSide);
        add("gaussian_blur_warp.cu", rows, 2 * m_image.rowBytes(), work, kSlowestTensorDevice);
    }

    // smoothing/gaussian_blur_float.cu, runSeparable.
    void gaussianFloats(int radius) {
        constexpr int kRowsEach = 8, kTile = 1024;
        const std::int64_t bytes = up(m_image.samples(), 64) * 4;
        const std::int64_t work = up(m_image.samples(), kTile) * (2 * radius + 1) * 4;
        const int most = rowsPerLaunch(3 * bytes, work);
        add("gaussian_blur_float.cu: rows", most, 2 * bytes, work / 2);
        const std::int64_t byMemory =
            std::clamp<std::int64_t>((256 << 20) / bytes - 2 * radius, kRowsEach, kMaxSide);
        add("gaussian_blur_float.cu: columns",
            std::max<std::int64_t>(kRowsEach, std::min<std::int64_t>(byMemory, most)), 2 * bytes,
            work / 2);
    }

    // smoothing/gaussian_blur_published.cu.
    void gaussianPublished(int radius) {
        const std::int64_t samples = up(m_image.width, 32) * m_image.channels;
        const std::int64_t separable = samples * (2 * radius + 1) * 2 * m_image.sampleBytes;
        const std::int64_t bytes = m_image.rowBytes() * 4;
        add("gaussian_blur_published.cu: separable", rowsPerLaunch(bytes, separable), bytes,
            separable / 2);
        constexpr int kDirectSize = 31;
        const std::int64_t direct = samples * kDirectSize * kDirectSize * 2;
        add("gaussian_blur_published.cu: direct", rowsPerLaunch(2 * m_image.rowBytes(), direct),
            2 * m_image.rowBytes(), direct);
    }

    // smoothing/median*.cu
    void median(int radius) {
        const std::int64_t side = 2 * radius + 1, samples = m_image.samples();
        const std::int64_t bytes = 2 * m_image.rowBytes();
        if (m_image.sampleBytes == 1) {
            constexpr int kRowsEach = 64;
            const std::int64_t work = samples * side * 64;
            add("median.cu: histogram",
                std::max(kRowsEach,
                         rowsPerLaunch(9 * m_image.rowBytes(), work) / kRowsEach * kRowsEach),
                9 * m_image.rowBytes(), work);
        } else {
            const bool reals = m_image.sampleBytes == 4;
            const std::int64_t work = samples * side * side * (reals ? 128 : 32);
            add(reals ? "median_float.cu" : "median.cu: bits", rowsPerLaunch(bytes, work), bytes,
                work);
        }
        add("median_networks.cu", rowsPerLaunch(bytes, samples * 90), bytes, samples * 90);
    }

    // smoothing/bilateral.cu
    void bilateral(int radius) {
        constexpr int kTileHeight = 8;
        const std::int64_t side = 2 * radius + 1;
        const std::int64_t work = m_image.width * side * side *
                                  (m_image.sampleBytes == 4 ? 40 : 4 + 4 * m_image.channels);
        const int most = rowsPerLaunch(2 * m_image.rowBytes(), work);
        add("bilateral.cu", most < kTileHeight ? kTileHeight : most / kTileHeight * kTileHeight,
            2 * m_image.rowBytes(), work);
    }

    // edges/convolve.cu, sums of 64 bits.
    void convolve(int side) {
        constexpr int kColumns = 128, kRows = 16;
        const std::int64_t work = up(m_image.samples(), kColumns) * side * side * 8;
        add("convolve.cu",
            std::max(kRows, rowsPerLaunch(2 * m_image.rowBytes(), work + 32) / kRows * kRows),
            2 * m_image.rowBytes(), work);
    }

    // morphology/local_statistics.cu, of floats.
    void localStatistics(int radius) {
        if (m_image.sampleBytes != 4) return;
        constexpr int kWorkOfDouble = 32;
        const std::int64_t work = m_image.samples() * (2 * radius + 1) * 5 * kWorkOfDouble;
        const std::int64_t bytes = 4 * m_image.samples() * 8 + 2 * m_image.rowBytes();
        add("local_statistics.cu: floats", rowsPerLaunch(bytes, work), bytes, work);
    }

    // morphology/morphology.cu, the disk.
    void disk(int radius) {
        constexpr int kDiskRows = 8, kDiskTile = 1024;
        const std::int64_t side = 2 * radius + 1, levels = std::bit_width(unsigned(side));
        const std::int64_t tables = (kDiskTile + 2 * radius * m_image.channels) * levels *
                                    (kDiskRows + 2 * radius) / kDiskRows;
        const std::int64_t work =
            up(m_image.samples(), kDiskTile) / kDiskTile * 2 * (kDiskTile * side + tables);
        add("morphology.cu: disk",
            std::max(kDiskRows,
                     rowsPerLaunch(3 * m_image.rowBytes(), work) / kDiskRows * kDiskRows),
            3 * m_image.rowBytes(), work);
    }

    // smoothing/box_sums.cuh
    void boxSums() {
        const std::int64_t planes = m_image.channels == 4 ? 3 : 1;
        const std::int64_t bytes = 2 * up(m_image.width, 64) * planes * 8 + 2 * m_image.rowBytes();
        const std::int64_t work = m_image.width * planes * 24;
        add("box_sums.cuh", rowsPerLaunch(bytes, work), bytes, work);
    }

    // geometry/resize_enlarged.cu
    void resizeEnlarged(int taps) {
        if (m_image.sampleBytes != 1) return;
        const std::int64_t bytes = 2 * m_image.rowBytes(), work = m_image.samples() * 2 * taps;
        const int most = rowsPerLaunch(bytes, work), rows = std::clamp(most / 8 * 8, 8, 64);
        add("resize_enlarged.cu", std::max(1, most / rows) * rows, bytes, work);
    }

    // geometry/resize_doubled.cu, of pairs of rows.
    void resizeDoubled(int taps) {
        if (m_image.sampleBytes != 1) return;
        const std::int64_t bytes = 5 * m_image.rowBytes() / 2, work = m_image.samples() * 4 * taps;
        add("resize_doubled.cu", rowsPerLaunch(bytes, work), bytes, work);
    }

    // smoothing/guided_filter_bytes.cu. A strip begins with its window's rows.
    void guidedBytes(int radius) {
        if (m_image.sampleBytes != 1) return;
        constexpr std::int64_t kMembers = 128, kPixels = 4, kMostRows = 128, kWorkOfDouble = 32;
        const std::int64_t colours = m_image.channels == 4 ? 3 : 1, side = 2 * radius + 1;
        const std::int64_t made =
            (kMembers - (radius + kPixels - 1) / kPixels - radius / kPixels - 1) * kPixels;
        const std::int64_t columns = up(m_image.width, made) / made * kMembers * kPixels;
        const std::int64_t lineBytes = up(m_image.width, 16) * colours * 8;
        const auto addStrips = [&](const char* name, std::int64_t bytes, std::int64_t work,
                                   std::int64_t workOfStart) {
            const std::int64_t most = rowsPerLaunch(bytes, work);
            const std::int64_t rows = std::min<std::int64_t>(most, std::max(kMostRows, side));
            add(name, most, bytes, work + side * workOfStart / rows);
        };
        addStrips("guided_filter_bytes.cu: lines", 2 * m_image.rowBytes() + lineBytes,
                  columns * (colours == 1 ? 16 : 50) * kWorkOfDouble, columns * colours * 13);
        addStrips("guided_filter_bytes.cu: means", 2 * lineBytes + 2 * m_image.rowBytes(),
                  columns * colours * 32 * kWorkOfDouble, columns * colours * 4 * kWorkOfDouble);
    }

    // runtime/pointwise.cuh
    void pointwise() {
        constexpr int kHeavy = 200;
        const std::int64_t bytes = 2 * m_image.rowBytes(), work = m_image.width * kHeavy;
        add("pointwise.cuh", rowsPerLaunch(bytes, work), bytes, work);
    }

  private:
    static std::int64_t up(std::int64_t n, std::int64_t step) {
        return (n + step - 1) / step * step;
    }

    ModelImage m_image;
    std::vector<ModelLaunch> m_launches;
};

// The longest of each launch over all kinds of samples and the largest windows.
std::map<std::string, double> longest(std::int64_t width) {
    std::map<std::string, double> ms;
    for (const int channels : {1, 4})
        for (const int bytes : {1, 2, 4}) {
            LaunchModel model(ModelImage{width, channels, bytes});
            for (const int radius : {1, 50, 500}) {
                if (bytes == 1) model.gaussianBytes(radius);
                if (bytes == 4) model.gaussianFloats(radius);
                if (bytes < 4) model.gaussianPublished(radius);
            }
            if (bytes == 1) model.gaussianBanded(100);
            if (bytes == 1) model.gaussianWarp();
            model.median(7);
            model.bilateral(15);
            model.convolve(15);
            model.localStatistics(100);
            model.disk(100);
            model.boxSums();
            model.resizeEnlarged(6);
            model.resizeDoubled(6);
            model.guidedBytes(100);
            model.pointwise();
            for (const ModelLaunch& launch : model.launches())
                ms[launch.name] = std::max(ms[launch.name], launch.ms);
        }
    return ms;
}

std::set<std::string> tooLong(std::int64_t width) {
    std::set<std::string> names;
    for (const auto& [name, ms] : longest(width)) {
        qInfo("%8lld wide, %-40s %9.1f ms", static_cast<long long>(width), name.c_str(), ms);
        if (ms > kMostLaunchMs) names.insert(name);
    }
    return names;
}

}  // namespace

class LaunchModelTest : public QObject {
    Q_OBJECT

  private slots:
    void rowsKeepToBothLimits() {
        QCOMPARE(rowsWithin(1000, 1000, 10, 1), 100);
        QCOMPARE(rowsWithin(1000, 1000, 1, 10), 100);
        QCOMPARE(rowsWithin(1000, 1000, 5000, 1), 1);
        QCOMPARE(rowsWithin(1000, 1000, 0, 0), 1000);
        QCOMPARE(rowsWithin(INT64_MAX, INT64_MAX, 0, 0), kMaxSide);
    }

    // What the limits allow leaves half of the time and more to what the model has wrong.
    void limitsLeaveRoom() {
        for (const ModelDevice& device : {kSlowestDevice, kSlowestTensorDevice}) {
            QVERIFY(launchMs(device, double(kBytesPerLaunch), 0) <= kMostLaunchMs / 2);
            QVERIFY(launchMs(device, 0, double(multiplicationsForLaunch(device.multiprocessors))) <=
                    kMostLaunchMs / 2);
        }
    }

    // The lists hold what is known to be longer, and nothing else: a launch that is cut leaves
    // them.
    void launchesOfUsualImages() {
        // Of radii beyond what the tensor kernel takes, and on devices that have none.
        const std::set<std::string> known{"gaussian_blur.cu: rows"};
        for (const int width : {1920, 3840, 7680}) QCOMPARE(tooLong(width), known);
    }

    // A row is the least that these launch, or some rows.
    void launchesOfTheWidestImages() {
        const std::set<std::string> known{"bilateral.cu",
                                          "convolve.cu",
                                          "gaussian_blur.cu: columns",
                                          "gaussian_blur.cu: rows",
                                          "gaussian_blur_banded.cu",
                                          "gaussian_blur_float.cu: columns",
                                          "gaussian_blur_float.cu: rows",
                                          "gaussian_blur_published.cu: direct",
                                          "gaussian_blur_published.cu: separable",
                                          "guided_filter_bytes.cu: lines",
                                          "guided_filter_bytes.cu: means",
                                          "local_statistics.cu: floats",
                                          "median.cu: bits",
                                          "median.cu: histogram",
                                          "median_float.cu",
                                          "morphology.cu: disk"};
        QCOMPARE(tooLong(kMaxSide), known);
    }
};

WARPSCOPE_TEST(LaunchModelTest)
#include "launch_model_test.moc"
