// What launches of kernels cost by the model of launch_model.h. Of kernels that are cut by blocks,
// too, the costs are the functions that they use themselves; of the others they are computed here
// as the files named do: a row of the widest image, or the rows that blocks need, fits a launch.
#pragma once

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "cuda_kernels/edges/convolve_cost.h"
#include "cuda_kernels/geometry/resize_cost.h"
#include "cuda_kernels/morphology/window_costs.h"
#include "cuda_kernels/runtime/tile_rows.h"
#include "cuda_kernels/smoothing/bilateral_tables.h"
#include "cuda_kernels/smoothing/gaussian_blur_choice.h"
#include "cuda_kernels/smoothing/gaussian_blur_costs.h"
#include "cuda_kernels/smoothing/window_costs.h"

namespace warpscope::test {

using namespace warpscope::cuda;

inline constexpr std::int64_t kModelHeight = 4096;

struct ModelImage {
    std::int64_t width;
    int channels;
    int sampleBytes;

    std::int64_t samples() const { return width * channels; }
    std::int64_t rowBytes() const { return samples() * sampleBytes; }
    int colours() const { return channels == 4 ? 3 : 1; }
};

struct ModelLaunch {
    std::string name;
    double ms = 0;
};

// Of one image: launches, by name.
class LaunchModel {
  public:
    explicit LaunchModel(const ModelImage& image) : m_image(image), m_row(image.rowBytes()) {}

    const std::vector<ModelLaunch>& launches() const { return m_launches; }

    void everything() {
        for (const int radius : {1, 50, 500}) gaussians(radius);
        gaussiansOfWarps();
        medians();
        bilaterals();
        guidedFilters(100);
        sums();
        edges();
        morphology();
        components();
        resizing();
        places();
        tones();
        counts();
        integrals();
        nlMeans();
    }

  private:
    bool is(int sampleBytes) const { return m_image.sampleBytes == sampleBytes; }
    static LaunchLimits limits(const ModelDevice& device = kSlowestDevice) {
        return LaunchLimits::of(device);
    }

    // Cut as the kernel cuts it, `rows` at most.
    void add(const char* name, const RowsCost& cost, std::int64_t rows = kModelHeight,
             const ModelDevice& device = kSlowestDevice) {
        const double ms = launchMs(device, cost, cutRows(limits(device), cost), rows);
        m_launches.push_back({name, ms});
    }
    // Cut by whole groups of rows alone.
    void whole(const char* name, std::int64_t bytes, std::int64_t work, int group = 1,
               const ModelDevice& device = kSlowestDevice) {
        const LaunchLimits most = limits(device);
        const std::int64_t rows =
            std::max<std::int64_t>(
                rowsWithin(most.bytes, most.multiplications, bytes, work) / group, 1) *
            group;
        const double taken = double(std::min(rows, std::max<std::int64_t>(kModelHeight, group)));
        m_launches.push_back({name, launchMs(device, taken * double(bytes), taken * double(work))});
    }
    // Strips as low as those of small images, and as high as they get.
    void strips(const char* name, const StripsCost& cost, int least, int most,
                std::int64_t across) {
        for (const int wanted : {least, most}) {
            const int rows = std::min(wanted, cost.mostRows(limits()));
            add(name, cost.ofStrips(rows, across));
        }
    }
    // Tiles that a block goes down, whose first one begins with a window's rows at a third.
    void tiles(const char* name, std::int64_t work, std::int64_t across, int before, int tileRows,
               int mostRows = 96) {
        const std::int64_t bytes = 5 * m_row;
        const int most = rowsWithin(limits().bytes, limits().multiplications, bytes, work);
        for (const int height : {16, 64, 256, 1024, int(kModelHeight)}) {
            const int wanted = tileRowsFor(tileRows, before, int(across), height,
                                           kSlowestDevice.multiprocessors, mostRows);
            const int rows = std::max(tileRows, std::min(wanted, most / tileRows * tileRows));
            const double taken = std::min(height, std::max(rows, most / rows * rows));
            const double ms = launchMs(kSlowestDevice, taken * double(bytes),
                                       taken * double(work) * (1 + before / (3.0 * rows)));
            m_launches.push_back({name, ms});
        }
    }

    // As forSumTiles() cuts them.
    void sumTiles(std::int64_t work, std::int64_t across, int side) {
        const std::int64_t bytes = 5 * m_row;
        const auto rowsFor = [&](std::int64_t of) {
            return rowsWithin(limits().bytes, limits().multiplications, bytes, of);
        };
        if (rowsWithin(INT64_MAX, limits().multiplications, 1, tileRowWork(work, side, 8)) < 8)
            return;
        for (const int tileRows : {8, 16})
            for (const int height : {8, 16, 64, 256, 1024, int(kModelHeight)}) {
                const int wanted = tileRowsFor(tileRows, side, int(across), height,
                                               kSlowestDevice.multiprocessors);
                const TileBand band = tileBandFor(tileRows, side, wanted, work, rowsFor);
                const double taken = std::min(height, band.bandRows);
                const double strips = std::ceil(taken / band.rows);
                m_launches.push_back(
                    {"sum_tiles.cuh", launchMs(kSlowestDevice, taken * double(bytes),
                                               double(work) * (taken + strips * side / 3.0))});
            }
    }

    void gaussians(int radius) {
        const int channels = m_image.channels;
        if (is(1)) {
            const TwoPassCost cost = gaussianCost(limits(), m_image.samples(), radius);
            add("gaussian_blur.cu: rows", cost.rows, cost.bandRows + 2 * radius);
            add("gaussian_blur.cu: columns", cost.columns, cost.bandRows);
            if (radius <= 100)
                add("gaussian_blur_banded.cu",
                    gaussianBandedCost(m_image.width, m_image.colours(), 2 * m_row, radius),
                    kModelHeight, kSlowestTensorDevice);
            if (radius <= kMostWarpgroupRadius && m_image.width <= kMostWarpgroupWidth)
                add(channels == 1 ? "gaussian_blur_warpgroup.cu"
                                  : "gaussian_blur_colour_warpgroup.cu",
                    gaussianWarpgroupCost(m_image.width, m_image.colours(), 2 * m_row,
                                          kMostWarpgroupRadius),
                    kModelHeight, kSlowestTensorDevice);
        } else if (is(2)) {
            gaussian16(radius);
        } else {
            for (const bool published : {false, true}) {
                const TwoPassCost cost =
                    gaussianFloatCost(limits(), m_image.samples(), radius, published);
                add("gaussian_blur_float.cu: rows", cost.rows, cost.bandRows + 2 * radius);
                add("gaussian_blur_float.cu: columns", cost.columns, cost.bandRows);
            }
            add("gaussian_blur_float.cu: direct",
                gaussianFloatDirectCost(m_image.samples(), 2 * m_row, 15));
            return;
        }
        add("gaussian_blur_published.cu: separable",
            gaussianSeparableCost(m_image.width, channels, m_image.sampleBytes, 2 * m_row, radius));
        add("gaussian_blur_published.cu: direct",
            gaussianDirectCost(m_image.width, channels, 2 * m_row, 15));
    }
    // Strips of columns: of 256 at least.
    void gaussian16(int radius) {
        const std::int64_t colours = m_image.colours(), kUnit = 256, kEach = 8;
        const std::int64_t work = colours * (2 * wholeUnits(radius, kEach) * kEach + 1) * 2;
        const std::int64_t columns =
            std::max(kUnit, limits().multiplications / (work * kEach) / kUnit * kUnit);
        whole("gaussian_blur_16.cu", columns * (8 + 4 * colours), columns * work, int(kEach));
    }
    void gaussiansOfWarps() {
        if (!is(1)) return;
        const std::int64_t colours = m_image.colours(), width = m_image.width;
        whole("gaussian_blur_warp.cu", 2 * m_row, wholeUnits(width, 16) * 16 * colours * 2 * 24, 16,
              kSlowestTensorDevice);
        whole("gaussian_blur_sparse.cu", 2 * m_row, wholeUnits(width, 16) * 16 * colours * 2 * 36,
              16, kSlowestTensorDevice);
        if (colours == 1)
            whole("gaussian_blur_pairs.cu", 2 * m_row, wholeUnits(width, 32) * 32 * 24, 16,
                  kSlowestTensorDevice);
        // Strips of up to 18 rows, which begin with 6.
        whole("gaussian_blur_small.cu", 3 * m_row, m_image.samples() * (4 * 3 + 4) * 2, 18);
        if (colours == 1)
            whole("gaussian_blur_five.cu", 3 * m_row, m_image.samples() * (4 * 2 + 4) * 2, 8);
    }

    void medians() {
        const std::int64_t samples = m_image.samples();
        const int radius = 7;
        const std::int64_t pitches = 4 * m_row, colours = m_image.colours();
        if (is(1)) {
            whole("median_planes.cu", pitches,
                  wholeUnits(m_image.width, 256) * 8 * colours * 8 * 11 * 11 * 3, 8);
            for (const int rows : {1, int(kModelHeight)})
                medianOfColumns({int(m_image.width), rows}, radius, pitches);
        }
        if (!is(4))
            add("median_tiles.cuh",
                medianTilesCost(m_image.width, int(colours), 3 * m_row, radius));
        if (is(4)) {
            add("median_float.cu", medianFloatCost(samples, 2 * m_row, radius));
            add("median_float.cu", medianFloatCost(samples, 2 * m_row, 2));
        }
        whole("median_networks.cu", 2 * m_row, samples * 90, 4);
    }

    // Strips as high as an image of that size has on devices of some and of many multiprocessors.
    void medianOfColumns(Size size, int radius, std::int64_t pitches) {
        for (const int multiprocessors : {kSlowestDevice.multiprocessors, 132})
            for (const std::size_t sharedKiB : {48, 64, 227}) {
                const MedianColumns shape = medianColumns(size, m_image.colours(), radius,
                                                          multiprocessors, sharedKiB << 10);
                const StripsCost cost =
                    medianColumnsCost(shape, m_image.colours(), pitches, radius);
                const int rows = std::min(shape.rows, cost.mostRows(limits()));
                add("median_columns.cu",
                    cost.ofStrips(rows, std::int64_t(shape.across) * m_image.colours()));
            }
    }

    void bilaterals() {
        const bool colour = m_image.channels == 4;
        for (const int radius : {1, 15}) {
            add("bilateral.cu", bilateralCost(m_image.width, m_image.channels, m_image.sampleBytes,
                                              2 * m_row, radius));
            if (is(1))
                add("bilateral_tables.cu",
                    bilateralTablesCost(m_image.width, colour, 4 * m_row, radius));
        }
    }

    void guidedFilters(int radius) {
        const std::int64_t width = m_image.width;
        if (!is(1)) {
            const std::int64_t pitches = width * 16 + 2 * m_row;
            add("guided_filter.cu: rows", guidedRowsCost(width, pitches, radius));
            add("guided_filter.cu: columns", guidedColumnsCost(width, pitches, radius));
            return;
        }
        for (const auto& [members, of] : {std::pair{32, 12}, std::pair{128, radius}}) {
            const std::int64_t lineBytes = wholeUnits(width, 16) * 16 * m_image.colours() * 8;
            const GuidedBytesCost cost =
                guidedBytesCost(width, m_image.colours(), of, members, lineBytes, m_row, m_row);
            const std::int64_t across = stripsAcross(width, of, members, kStripPixels);
            const int most = std::max(128, 2 * of);
            strips("guided_filter_bytes.cu: lines", cost.lines, 8, most, across);
            strips("guided_filter_bytes.cu: means", cost.means, 8, most, across);
            add("guided_filter_bytes.cu: ties", {0, guidedTieWork(of)},
                guidedTiesOfLaunch(limits(), of));
        }
    }

    // Of box_mean and adaptive_threshold.
    void sums() {
        const std::int64_t width = m_image.width, colours = m_image.colours();
        if (is(4)) {
            const std::int64_t side = 1001, rowBytes = 2 * width * colours * 8;
            whole("box_mean_float.cu", 3 * rowBytes + 2 * m_row,
                  2 * wholeUnits(width, side) * side * colours * 32);
            return;
        }
        whole("box_sums.cuh", 2 * wholeUnits(width, 64) * 64 * colours * 8 + 2 * m_row,
              width * colours * 24);
        if (!is(1)) return;
        const bool gray = colours == 1;
        const int pixels = gray ? 8 : 4;
        for (const auto& [members, radius] : {std::pair{32, gray ? 32 : 16}, std::pair{128, 128}}) {
            const std::int64_t across = stripsAcross(width, radius, members, pixels);
            strips("sliding_sums.cuh",
                   slidingCost(across * members * pixels, m_image.channels, 5 * m_row, radius), 2,
                   std::max(32, radius), across);
        }
        // The largest that has tiles, and the largest of the widest images.
        for (const int radius : {gray ? 63 : 50, 20}) {
            const int side = 2 * radius + 1;
            const std::int64_t across =
                gray ? wholeUnits(wholeUnits(width, 4), (126 - side / 4) & ~1)
                     : wholeUnits(width, 256 - 2 * radius);
            sumTiles(across * (gray ? 128 : 256) * 64, across, side);
        }
    }

    void edges() {
        const std::int64_t width = m_image.width, filled = wholeUnits(width, 32) * 32;
        add("convolve.cu",
            convolveCost(m_image.samples(), 2 * m_row, 7, 7, m_image.sampleBytes > 1));
        whole("luma_tile.cuh", 2 * m_row, wholeUnits(width, 128) * 128 * 32, 16);
        if (is(4)) return;
        whole("canny.cu: candidates", m_row + width * 3, filled * 128, 32);
        whole("canny.cu: keeps", m_row + filled, filled * 64, 32);
        whole("canny.cu: joins", filled * 32, filled * 512);
        if (!is(1)) return;
        whole("small_gradient.cu", 3 * m_row, width * 16, 8);
        whole("small_kernel.cu", 3 * m_row, m_image.samples() * (7 * 2 * 2 + 8), 4);
    }

    void morphology() {
        const std::int64_t width = m_image.width, samples = m_image.samples();
        const int channels = m_image.channels, radius = 100;
        add("morphology.cu: rows", morphologyRowsCost(samples, channels, 3 * m_row, radius));
        add("morphology.cu: columns",
            morphologyColumnsCost(wholeUnits(m_row, 4), 6 * m_row, radius));
        add("morphology.cu: disk", diskCost(samples, channels, 3 * m_row, radius));
        if (is(4)) {
            add("local_statistics.cu: floats",
                floatStatisticsCost(samples, 4 * samples * 8 + 2 * m_row, radius));
            return;
        }
        const std::int64_t sumBytes = samples * (is(1) ? 8 : 12);
        add("local_statistics.cu: columns", columnSumsCost(samples, m_row, sumBytes, radius));
        whole(
            "local_statistics.cu: rows", 2 * sumBytes + 4 * m_row,
            wholeUnits(samples, 512) * (512 + 2 * radius * channels) * 2 * (7 + 2) + samples * 64);
        if (!is(1)) return;
        whole("small_disk.cu", 3 * m_row, samples * (4 * 4 + 4), 8);
        whole("small_statistics.cu", 4 * m_row, wholeUnits(samples * 32, 28) * 24, 16);
        const int pixels = channels == 1 ? 8 : 4;
        for (const int of : {1, 6 * pixels})
            for (const bool both : {false, true}) {
                const std::int64_t across = squareStripsAcross(width, of, pixels);
                strips("square.cu",
                       squareStripsCost(across * 32 * pixels, channels, 5 * m_row, of, both), 4,
                       std::max(16, 2 * of + 1), across);
            }
        const std::int64_t words = channels == 1 ? wholeUnits(width, 4) : width;
        const int threads = channels == 1 ? 128 : 256;
        std::int64_t across = wholeUnits(words, channels == 1 ? 123 : 246);
        for (const int rows : {8, 16})
            tiles("square_tiles.cu", across * threads * 64, across, 10, rows);
        across = wholeUnits(words, channels == 1 ? 120 : 228);
        tiles("square_groups.cu", across * threads * 64, across, 26, 12, channels == 1 ? 24 : 72);
    }

    void components() {
        const std::int64_t width = m_image.width, kRows = 32;
        whole("connected_components.cu: tiles", m_row + width * 4, width * 32, int(kRows));
        whole("connected_components.cu: labels", width * 12, width * 16);
        constexpr int kPieceRows = 64;
        whole("distance_transform.cu: columns", m_row + width * 8, width * 8, kPieceRows);
        if (width <= 16384)
            whole("distance_transform.cu: rows", width * 6, (width + 1024) * 160);
        else
            add("distance_transform.cu: nearest", nearestColumnsCost(width, width * 12, 8));
    }

    void resizing() {
        const std::int64_t width = m_image.width, samples = m_image.samples();
        const std::int64_t middle = samples * (is(1) ? 2 : is(2) ? 4 : 8);
        // Enlarged, and as few rows as one of a hundred by six taps.
        for (const std::int64_t taps : {6, 600}) {
            add("resize.cu: rows",
                resizePassCost(width / taps * 6, m_image.channels, m_row + middle, taps));
            add("resize.cu: columns",
                resizePassCost(width, m_image.channels, m_row + middle * taps, taps));
        }
        whole("resize_nearest.cu", 2 * m_row, width * 8, 4);
        if (!is(1)) return;
        whole("resize_half.cu", 3 * m_row, width * 8);
        const int most =
            rowsWithin(limits().bytes, limits().multiplications, 2 * m_row, samples * 2 * 6);
        whole("resize_enlarged.cu", 2 * m_row, samples * 2 * 6, std::clamp(most / 8 * 8, 8, 64));
        whole("resize_doubled.cu", 5 * m_row / 2, samples * 4 * 6);
        // Six taps in words of two, rows as one of two: 14 middle rows of pairs for eight.
        whole("resize_tiles.cu", 5 * m_row, samples * (14 * 2 * 8 / 8 + 4 * 8), 8);
    }

    // Pixels elsewhere, or in another order.
    void places() {
        const std::int64_t width = m_image.width;
        whole("crop.cu", 2 * m_row, width);
        whole("flip_rotate.cu: rows", 2 * m_row, width);
        // Of columns as high as the image: that many rows of one as wide.
        whole("flip_rotate.cu: turned", 2 * m_row, m_image.samples(), 32);
        const int tile = is(1) && m_image.channels == 1 ? 64 : 32;
        whole("rotate.cu", 5 * m_row, width * (32 + 8 * m_image.channels), tile);
    }

    void tones() {
        const std::int64_t width = m_image.width;
        // The most that a body says of itself: lightness of floats, and of others.
        whole("pointwise.cuh", 3 * m_row, width * (is(4) ? 1024 : 384));
        whole("grayscale_wrong.cu", 2 * m_row, width * 8);
        if (is(4)) return;
        whole("clahe.cu", 3 * m_row, width * 48);
        if (is(1)) whole("clahe_bytes.cu", 2 * m_row, width * 32, 32);
    }

    void counts() {
        const std::int64_t width = m_image.width;
        if (is(4)) {
            whole("threshold.cu: mean of floats", 4 * m_row, width * 256);
            whole("equalize_float.cu", 4 * m_row, width * 256);
            return;
        }
        whole("histogram.cu", m_row, width);
        if (is(1)) whole("equalize_gray.cu", 2 * m_row, width * 8);
        // Whole images, no larger than a launch may be.
        if (is(1)) whole("equalize_resident.cu", 2 * m_row, width * 8, 1, kSlowestTensorDevice);
        whole("histogram_published.cu", m_row, width * 256);
        whole("histogram_16.cu", 8 * m_row, width * 4 * 64);
    }

    void integrals() {
        if (is(4)) return;
        const std::int64_t width = m_image.width;
        whole("integral_image_tiles.cu", 2 * m_row + width * 8, width * 4);
        whole("integral_image_published.cu: blocks", m_row + 3 * width * 8, width * 4, 4);
        // 256 lines at least, of up to 8,192 elements that meet nobody in a cache line.
        const std::int64_t segment = std::min<std::int64_t>(width, 8192);
        whole("integral_image_published.cu: lines", segment * 128, 1, 256);
    }

    // In tiles, however wide the image is.
    void nlMeans() {
        const std::int64_t offsets = 41 * 41, colours = m_image.colours(), side = 15;
        const auto tile = [&](const char* name, std::int64_t work) { whole(name, 0, work); };
        if (is(4)) {
            tile("nl_means_float.cu: direct", offsets * (side * side * colours * 4 + 80) * 256);
            tile("nl_means_float.cu", offsets * (4 * side + 12 * colours + 40) * 32 * 16);
            return;
        }
        tile("nl_means_published.cu: direct", offsets * (side * side * 20 + 10) * 256);
        // A band of at least a row and its halo, in three launches of which each is a third.
        const std::int64_t lineBytes = m_image.width * 4 * (is(2) ? 2 : 1), halo = side + 1;
        const std::int64_t rows =
            rowsWithin(INT64_MAX, limits().multiplications, 0, lineBytes * 64);
        const double work = double(std::min(rows, kModelHeight) + halo) * double(lineBytes) * 64;
        m_launches.push_back(
            {"nl_means_published.cu: planes", launchMs(kSlowestDevice, 0, work / 3)});
        // Of one offset and pixel; offsets of a row in threes.
        const std::int64_t perOffset =
            is(1) ? 8 + 4 * side * (16 + side) / 8 : 12 + 4 * colours * side * (16 + side) / 8;
        tile("nl_means_sliding.cu", 41 * 43 * perOffset * (is(1) ? 128 : 64) * 32);
        if (!is(1)) return;
        tile("nl_means_fused.cu", 128 * 32 * 42 * 42 * 8);
        if (colours == 1) tile("nl_means_pairs.cu", 50 * 128 * 32 * 7 * 12);
        if (colours == 3) tile("nl_means_products.cu", 64 * 32 * 44 * 48 * 16);
        tile("nl_means_small.cu", 128 * 24 * 3 * 12 * 20);
    }

    ModelImage m_image;
    std::int64_t m_row;  // bytes
    std::vector<ModelLaunch> m_launches;
};

}  // namespace warpscope::test
