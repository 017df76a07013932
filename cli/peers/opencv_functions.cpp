// Filters and analyses by OpenCV.
#include "cli/peers/opencv_functions.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#ifdef WARPSCOPE_PEER_PHOTO
#include <opencv2/photo.hpp>
#endif
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace warpscope::peer {
namespace {

// What false_colour's maps are called in OpenCV; -1 for those that it has not, or has in other
// colours.
int colorMapOf(const WarpscopePeerTask& task) {
    const std::pair<const char*, int> maps[] = {
        {"viridis", cv::COLORMAP_VIRIDIS}, {"inferno", cv::COLORMAP_INFERNO},
        {"magma", cv::COLORMAP_MAGMA},     {"plasma", cv::COLORMAP_PLASMA},
        {"cividis", cv::COLORMAP_CIVIDIS}, {"turbo", cv::COLORMAP_TURBO}};
    for (const auto& [id, map] : maps)
        if (isChoice(task, "map", id)) return map;
    return -1;
}

// The table of all channels; alpha stays.
cv::Mat levelsTable(const WarpscopePeerTask& task) {
    const int channels = task.input.channels;
    cv::Mat table(1, 256, CV_MAKETYPE(CV_8U, channels));
    for (int v = 0; v < 256; ++v)
        for (int c = 0; c < channels; ++c)
            table.ptr(0)[v * channels + c] = c == 3 ? uchar(v) : task.levels[v];
    return table;
}

bool mapsLevels(const WarpscopePeerTask& task) {
    return eightBit(task) && task.levels;
}

void mapLevels(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
    cv::LUT(in, levelsTable(task), out);
}

// Of extract_channel: the number of a stored channel, else -1.
int storedChannel(const WarpscopePeerTask& task) {
    const char* const ids[] = {"red", "green", "blue", "alpha"};
    for (int c = 0; c < 4; ++c)
        if (isChoice(task, "channel", ids[c])) return c;
    return -1;
}

void sobelOf(const cv::Mat& in, cv::Mat& out, int depth, int dx, int dy, bool scharr, double scale,
             double delta) {
    if (scharr)
        cv::Scharr(in, out, depth, dx, dy, scale, delta, cv::BORDER_REPLICATE);
    else
        cv::Sobel(in, out, depth, dx, dy, 3, scale, delta, cv::BORDER_REPLICATE);
}

// Both derivatives and their length; what lies between is kept between runs.
void gradientOf(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
    const bool scharr = isChoice(task, "kernel", "scharr");
    if (isChoice(task, "output", "magnitude")) {
        static cv::Mat x, y, length;
        sobelOf(in, x, CV_32F, 1, 0, scharr, 1, 0);
        sobelOf(in, y, CV_32F, 0, 1, scharr, 1, 0);
        cv::magnitude(x, y, length);
        length.convertTo(out, in.depth());
        return;
    }
    // A quarter below middle gray: halves are rounded down, as ours are.
    const bool right = isChoice(task, "output", "horizontal");
    const double gray = in.depth() == CV_8U ? 128 : 32768;
    sobelOf(in, out, in.depth(), right, !right, scharr, 0.5, gray - 0.25);
}

void laplacianOf(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
    static const cv::Mat eight = (cv::Mat_<float>(3, 3) << 1, 1, 1, 1, -8, 1, 1, 1, 1);
    const bool ofEight = isChoice(task, "neighbours", "8");
    const auto laplacian = [&](cv::Mat& made, int depth, double delta) {
        if (ofEight)
            cv::filter2D(in, made, depth, eight, {-1, -1}, delta, cv::BORDER_REPLICATE);
        else
            cv::Laplacian(in, made, depth, 1, 1, delta, cv::BORDER_REPLICATE);
    };
    if (isChoice(task, "output", "signed"))
        return laplacian(out, in.depth(), in.depth() == CV_8U ? 128 : 32768);
    static cv::Mat sums;
    laplacian(sums, CV_16S, 0);
    cv::convertScaleAbs(sums, out);
}

// "1 2 1;2 4 2;1 2 1"
cv::Mat matrixOf(const WarpscopePeerTask& task, std::string_view id) {
    const auto* found = parameter(task, id);
    cv::Mat matrix;
    std::istringstream rows(found && found->text ? found->text : "");
    for (std::string row; std::getline(rows, row, ';');) {
        std::istringstream entries(row);
        std::vector<float> values;
        for (float value = 0; entries >> value;) values.push_back(value);
        matrix.push_back(cv::Mat(values, true).reshape(1, 1));
    }
    return matrix;
}

// OpenCV's ellipse is no disk, but it takes any shape.
cv::Mat shapeOf(const WarpscopePeerTask& task) {
    const int radius = int(number(task, "radius")), side = 2 * radius + 1;
    if (isChoice(task, "shape", "square"))
        return cv::getStructuringElement(cv::MORPH_RECT, {side, side});
    if (isChoice(task, "shape", "cross"))
        return cv::getStructuringElement(cv::MORPH_CROSS, {side, side});
    cv::Mat shape(side, side, CV_8U, cv::Scalar(0));
    for (int y = -radius; y <= radius; ++y)
        for (int x = -radius; x <= radius; ++x)
            shape.at<unsigned char>(y + radius, x + radius) = x * x + y * y <= radius * radius;
    return shape;
}

void countLevels(const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) {
    const int channel = 0;
    const int bins = 256;
    const float range[] = {0, 256};
    const float* ranges = range;
    cv::calcHist(&in, 1, &channel, cv::noArray(), out, 1, &bins, &ranges);
}

const Function kFunctions[] = {
    {"levels", mapsLevels, mapLevels},
    {"curves", mapsLevels, mapLevels},
    {"extract_channel",
     [](const WarpscopePeerTask& task) {
         return task.input.channels == 4 && task.input.sample_bytes <= 2 &&
                (storedChannel(task) >= 0 || isChoice(task, "channel", "luma"));
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         if (storedChannel(task) >= 0)
             cv::extractChannel(in, out, storedChannel(task));
         else
             cv::cvtColor(in, out, cv::COLOR_RGBA2GRAY);
     }},
    // Three channels, blue first: what they are fetched with is not timed.
    {"false_colour",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) && colorMapOf(task) >= 0 && number(task, "low") == 0 &&
                number(task, "high") == 255;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::applyColorMap(in, out, colorMapOf(task));
     }},
    {"grayscale",
     [](const WarpscopePeerTask& task) {
         return task.input.channels == 4 && task.input.sample_bytes <= 2 &&
                isChoice(task, "method", "weighted601");
     },
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) {
         cv::cvtColor(in, out, cv::COLOR_RGBA2GRAY);
     }},
    {"gaussian_blur", [](const WarpscopePeerTask& task) { return task.input.sample_bytes <= 2; },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const double sigma = number(task, "sigma");
         const int given = int(number(task, "size"));
         const int size = given > 0 ? given : 2 * int(std::ceil(3 * sigma)) + 1;
         cv::GaussianBlur(in, out, {size, size}, sigma, sigma, cv::BORDER_REPLICATE);
     }},
    // Always the mapping that we call full; the work is the same.
    {"equalize", grayEightBit,
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) { cv::equalizeHist(in, out); }},
    // The foot of the triangle lies a level lower there, where there are empty levels beyond it.
    {"threshold",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) &&
                (isChoice(task, "method", "fixed") || isChoice(task, "method", "otsu") ||
                 isChoice(task, "method", "triangle"));
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const int how = isChoice(task, "method", "otsu")       ? cv::THRESH_OTSU
                         : isChoice(task, "method", "triangle") ? cv::THRESH_TRIANGLE
                                                                : 0;
         cv::threshold(in, out, number(task, "value"), 255, cv::THRESH_BINARY | how);
     }},
    // Compares with means that are rounded; ours are not.
    {"adaptive_threshold", grayEightBit,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::adaptiveThreshold(in, out, 255, cv::ADAPTIVE_THRESH_MEAN_C, cv::THRESH_BINARY,
                               2 * int(number(task, "radius")) + 1, number(task, "offset"));
     }},
    {"clahe",
     [](const WarpscopePeerTask& task) {
         return task.input.channels == 1 && task.input.sample_bytes <= 2;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::createCLAHE(number(task, "clip"),
                         {int(number(task, "tiles_x")), int(number(task, "tiles_y"))})
             ->apply(in, out);
     }},
    {"integral_image",
     [](const WarpscopePeerTask& task) {
         // Beyond that ours has sums of 64 bits, and OpenCV's would turn round.
         const double largest = 255.0 * task.input.width * task.input.height;
         return grayEightBit(task) && largest < 4294967296.0;
     },
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) {
         cv::integral(in, out, CV_32S);
     }},
    {"box_mean", [](const WarpscopePeerTask& task) { return task.input.sample_bytes <= 2; },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const int side = 2 * int(number(task, "radius")) + 1;
         cv::blur(in, out, {side, side}, {-1, -1}, cv::BORDER_REPLICATE);
     }},
    {"median",
     [](const WarpscopePeerTask& task) {
         // 16 bits: sides 3 and 5 only.
         return task.input.sample_bytes == 1 ||
                (task.input.sample_bytes == 2 && number(task, "radius") <= 2);
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::medianBlur(in, out, 2 * int(number(task, "radius")) + 1);
     }},
    // Alpha goes through it too.
    {"morphology", [](const WarpscopePeerTask& task) { return task.input.sample_bytes <= 2; },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const std::pair<std::string_view, int> operations[] = {
             {"erode", cv::MORPH_ERODE},       {"dilate", cv::MORPH_DILATE},
             {"open", cv::MORPH_OPEN},         {"close", cv::MORPH_CLOSE},
             {"gradient", cv::MORPH_GRADIENT}, {"top_hat", cv::MORPH_TOPHAT},
             {"black_hat", cv::MORPH_BLACKHAT}};
         for (const auto& [id, operation] : operations)
             if (isChoice(task, "operation", id))
                 cv::morphologyEx(in, out, operation, shapeOf(task));
     }},
    {"bilateral", grayEightBit,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::bilateralFilter(in, out, 2 * int(number(task, "radius")) + 1,
                             number(task, "sigma_range"), number(task, "sigma_space"),
                             cv::BORDER_REPLICATE);
     }},
    // Bilinear weights are of 5 bits there.
    {"rotate",
     [](const WarpscopePeerTask& task) {
         return task.input.sample_bytes <= 2 && isChoice(task, "canvas", "keep") &&
                isChoice(task, "outside", "edge");
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const cv::Point2f middle(float(in.cols - 1) / 2, float(in.rows - 1) / 2);
         const cv::Mat turn = cv::getRotationMatrix2D(middle, -number(task, "angle"), 1);
         const int method =
             isChoice(task, "method", "nearest") ? cv::INTER_NEAREST : cv::INTER_LINEAR;
         cv::warpAffine(in, out, turn, in.size(), method, cv::BORDER_REPLICATE);
     }},
#ifdef WARPSCOPE_PEER_PHOTO
    {"nl_means", grayEightBit,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::fastNlMeansDenoising(in, out, float(number(task, "h")),
                                  2 * int(number(task, "patch_radius")) + 1,
                                  2 * int(number(task, "search_radius")) + 1);
     }},
#endif
    {"gradient",
     [](const WarpscopePeerTask& task) {
         return graySamples(task) && !isChoice(task, "kernel", "prewitt");
     },
     gradientOf},
    {"laplacian",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) || (graySamples(task) && isChoice(task, "output", "signed"));
     },
     laplacianOf},
    {"canny", grayEightBit,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::Canny(in, out, number(task, "low"), number(task, "high"));
     }},
    // The way of its algorithms that numbers components in the order of their first pixels.
    {"connected_components",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) && number(task, "min_area") == 1;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::connectedComponents(in, out, isChoice(task, "connectivity", "4") ? 4 : 8, CV_32S,
                                 cv::CCL_WU);
     }},
    // Exact too, but for rounding: it works in float from squares below 2^24 on. Has no squares to
    // give.
    {"distance_transform",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) && isChoice(task, "output", "distance");
     },
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) {
         cv::distanceTransform(in, out, cv::DIST_L2, cv::DIST_MASK_PRECISE, CV_32F);
     }},
    // Halves are rounded to even.
    {"convolve", [](const WarpscopePeerTask& task) { return task.input.sample_bytes <= 2; },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const cv::Mat kernel = matrixOf(task, "kernel");
         double divisor = number(task, "divisor");
         if (divisor == 0) divisor = cv::sum(kernel)[0];
         if (divisor == 0) divisor = 1;
         const double offset = number(task, "offset") * (in.depth() == CV_8U ? 1 : 257);
         cv::filter2D(in, out, in.depth(), kernel / divisor, {-1, -1}, offset,
                      cv::BORDER_REPLICATE);
     }},
    {"histogram", grayEightBit, countLevels},
    // All its figures follow from the counts, as ours do.
    {"statistics", grayEightBit, countLevels},
};

}  // namespace

std::span<const Function> filterFunctions() {
    return kFunctions;
}

}  // namespace warpscope::peer
