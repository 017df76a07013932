// How long the launches of kernels last on the slowest device by the model of launch_model.h, for
// the widest images and the largest windows. Without a GPU.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "launch_rows.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::cuda;
using test::LaunchModel;
using test::ModelImage;

namespace {

// The longest of each launch over all kinds of samples and the largest windows.
std::map<std::string, double> longest(std::int64_t width) {
    std::map<std::string, double> ms;
    for (const int channels : {1, 4})
        for (const int bytes : {1, 2, 4}) {
            LaunchModel model(ModelImage{width, channels, bytes});
            model.everything();
            for (const test::ModelLaunch& launch : model.launches())
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

// Files whose launches are those of others, with names of the model's launches, or of which no
// image makes a launch long. Others have a launch that is called as they are.
struct OtherFile {
    const char* file;
    std::vector<const char*> launches;
    const char* why = "";
};
const OtherFile kOtherFiles[] = {
    {"adaptive_threshold", {"sum_tiles.cuh", "sliding_sums.cuh", "box_sums.cuh", "box_mean_float"}},
    {"add_noise", {"pointwise.cuh"}},
    {"arithmetic_peak", {}, "as many multiplications a multiprocessor on each device: 134 million"},
    {"blend", {"pointwise.cuh"}},
    {"box_mean", {"sum_tiles.cuh", "sliding_sums.cuh", "box_sums.cuh"}},
    {"code_version", {}, "a kernel that is looked at and never launched"},
    {"curves", {"pointwise.cuh"}},
    {"despeckle", {"median_networks"}},
    {"difference_of_gaussians", {"gaussian_blur_warp", "gaussian_blur_banded", "pointwise.cuh"}},
    {"equalize", {"histogram", "pointwise.cuh"}},
    {"extract_channel", {"pointwise.cuh"}},
    {"false_colour", {"pointwise.cuh"}},
    {"gradient", {"luma_tile.cuh"}},
    {"grayscale", {"pointwise.cuh"}},
    {"histogram_wrong", {"histogram_published"}},
    {"integral_image", {"integral_image_tiles"}},
    {"invert", {"pointwise.cuh"}},
    {"laplacian", {"luma_tile.cuh", "small_kernel"}},
    {"levels", {"pointwise.cuh"}},
    {"median", {"median_networks", "median_tiles.cuh", "median_planes", "median_columns"}},
    {"median_tiles_16", {"median_tiles.cuh"}},
    {"median_tiles_16_large", {"median_tiles.cuh"}},
    {"median_tiles_8", {"median_tiles.cuh"}},
    {"nl_means",
     {"nl_means_small", "nl_means_products", "nl_means_pairs", "nl_means_fused", "nl_means_sliding",
      "nl_means_float", "nl_means_published"}},
    {"saturation", {"pointwise.cuh"}},
    {"statistics", {"histogram", "histogram_16"}},
    {"unsharp_mask", {"gaussian_blur_warp", "gaussian_blur_banded", "pointwise.cuh"}},
};

bool hasLaunch(const std::map<std::string, double>& launches, const std::string& file) {
    const std::string name = file.ends_with(".cuh") ? file : file + ".cu";
    return std::any_of(launches.begin(), launches.end(), [&](const auto& launch) {
        return launch.first == name || launch.first.starts_with(name + ":");
    });
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

    void rowsAreCutInGroups() {
        const RowsCost cost{10, 100, 8, 50};
        const LaunchCut whole = cutRows({1'000'000, 2'500}, cost);
        QCOMPARE(whole.rows, 24);
        QCOMPARE(whole.blocks, 150);
        QCOMPARE(whole.pieces(150), 1);
        // An eighth and a fifth of what a group costs.
        QCOMPARE(cutRows({10, INT64_MAX}, cost).blocks, 6);
        const LaunchCut part = cutRows({INT64_MAX, 160}, cost);
        QCOMPARE(part.rows, 8);
        QCOMPARE(part.blocks, 10);
        QCOMPARE(part.pieces(50), 5);
        QCOMPARE(part.pieces(0), 1);
        // A block is the least.
        QCOMPARE(cutRows({1, 1}, cost).blocks, 1);
        QCOMPARE(cutRows({INT64_MAX, INT64_MAX}, cost).rows, kMaxSide / 8 * 8);
    }

    // Every block is in one piece.
    void piecesCoverAllBlocks() {
        for (const std::int64_t most : {1, 7, 49, 50, 51})
            for (const unsigned blocks : {1u, 6u, 7u, 8u, 50u}) {
                const LaunchCut cut{1, most};
                unsigned next = 0;
                for (int piece = 0; piece < cut.pieces(blocks); ++piece) {
                    const BlockRange range(cut, piece, blocks);
                    QCOMPARE(range.first, next);
                    QVERIFY(range.count > 0 && range.count <= most);
                    next += range.count;
                }
                QCOMPARE(next, blocks);
                // Where a pass has fewer blocks than its first one.
                QCOMPARE(BlockRange(cut, 1 + cut.pieces(blocks), blocks).count, 0u);
            }
    }

    // A launch that is longer is to be cut, not listed.
    void noLaunchIsTooLong_data() {
        QTest::addColumn<int>("width");
        for (const int width : {1, 640, 1920, 3840, 7680, 16384, 16385, 65'536, kMaxSide})
            QTest::addRow("%d", width) << width;
    }
    void noLaunchIsTooLong() {
        QFETCH(int, width);
        QCOMPARE(tooLong(width), std::set<std::string>());
    }

    // Each file of kernels has a launch in the model, or those of others, or says why not.
    void everyFileOfKernelsIsKnown() {
        const std::map<std::string, double> launches = longest(1920);
        std::set<std::string> others;
        for (const OtherFile& other : kOtherFiles) {
            others.insert(other.file);
            QVERIFY2(!other.launches.empty() || *other.why, other.file);
            for (const char* launch : other.launches) QVERIFY2(hasLaunch(launches, launch), launch);
        }
        int files = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(WARPSCOPE_KERNELS)) {
            if (entry.path().extension() != ".cu") continue;
            const std::string file = entry.path().stem().string();
            QVERIFY2(hasLaunch(launches, file) != (others.erase(file) > 0), file.c_str());
            ++files;
        }
        QVERIFY(files > 50);
        QCOMPARE(others, std::set<std::string>());
    }
};

WARPSCOPE_TEST(LaunchModelTest)
#include "launch_model_test.moc"
