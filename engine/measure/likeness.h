// How like two images are: errors, PSNR and SSIM, a row a channel.
#pragma once

#include <string>
#include <vector>

#include "engine/base/row_bands.h"
#include "engine/image/image.h"
#include "engine/image/region_shape.h"
#include "engine/operations/analysis_table.h"

namespace warpscope {

// The side of SSIM's window, pixels.
inline constexpr int kSsimWindow = 11;

// What has NaN or an infinity in either image counts in `notFinite` and in nothing else.
struct ChannelLikeness {
    // "gray"; or "red", "green", "blue", where not every pixel of both is opaque "alpha", "luma"
    // (0.299, 0.587, 0.114, not rounded), and "all": red, green and blue together.
    std::string channel;
    std::uint64_t samples = 0;
    std::uint64_t notFinite = 0;
    // In sample values (squared: of them); NaN where no sample is finite.
    double meanSquared = 0;
    double rootMeanSquared = 0;
    double meanAbsolute = 0;
    double largest = 0;
    // dB of the full scale of the format (255, 65,535, float 1), whatever white level a file names;
    // infinite where nothing differs.
    double psnr = 0;
    // Wang and others 2004: Gaussian window of 11 x 11, sigma 1.5, K1 0.01, K2 0.03 of full scale,
    // population moments, the mean over all places where the window lies inside the image; in
    // double. "all" has the mean of its three. Windows over what is not finite are left out; NaN
    // where there is no window, as in images smaller than it.
    double ssim = 0;
};

// The same figures for any number of threads. With `rows`, which are as high as the images, of
// their pixels only: SSIM then is the mean over the windows whose middle is one of them. Errors:
// InvalidArgument for two sizes or formats, Cancelled, OutOfMemory.
Result<std::vector<ChannelLikeness>> likenessOf(const Image& a, const Image& b,
                                                const CpuContext& context,
                                                const RegionRows* rows = nullptr);

// Columns channel, samples, not_finite, mse, rmse, mae, maximum, psnr, ssim.
AnalysisTable likenessTable(const std::vector<ChannelLikeness>& rows);

}  // namespace warpscope
