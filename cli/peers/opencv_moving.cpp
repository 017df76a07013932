// Pixels that move, and filters that OpenCV has no function of its own for: what its users write
// instead, in as few passes as it allows.
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <utility>

#include "cli/peers/opencv_functions.h"

namespace warpscope::peer {
namespace {

void flipRotate(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
    const std::pair<std::string_view, int> turns[] = {
        {"rotate_90", cv::ROTATE_90_CLOCKWISE},
        {"rotate_180", cv::ROTATE_180},
        {"rotate_270", cv::ROTATE_90_COUNTERCLOCKWISE}};
    for (const auto& [id, turn] : turns)
        if (isChoice(task, "operation", id)) return cv::rotate(in, out, turn);
    if (isChoice(task, "operation", "flip_horizontal")) return cv::flip(in, out, 1);
    if (isChoice(task, "operation", "flip_vertical")) return cv::flip(in, out, 0);
    static cv::Mat turned;
    if (isChoice(task, "operation", "transpose")) return cv::transpose(in, out);
    cv::rotate(in, turned, cv::ROTATE_180);
    cv::transpose(turned, out);
}

bool shrinks(const WarpscopePeerTask& task) {
    return task.output.width <= task.input.width && task.output.height <= task.input.height;
}

// Its bilinear and bicubic have as many taps however much they shrink, which is less work and
// flickers; its cubic is a steeper one, its Lanczos has 8 taps for our 6, its area counts parts of
// pixels.
int resizeMethod(const WarpscopePeerTask& task) {
    if (isChoice(task, "method", "bilinear")) return cv::INTER_LINEAR;
    if (isChoice(task, "method", "bicubic")) return cv::INTER_CUBIC;
    if (isChoice(task, "method", "lanczos3")) return cv::INTER_LANCZOS4;
    if (isChoice(task, "method", "area") && shrinks(task)) return cv::INTER_AREA;
    if (isChoice(task, "method", "nearest")) return cv::INTER_NEAREST;
    return -1;
}

using Mix = void (*)(const cv::Mat& a, const cv::Mat& b, cv::Mat& out);

Mix mixOf(const WarpscopePeerTask& task) {
    const std::pair<std::string_view, Mix> modes[] = {
        {"difference", [](auto& a, auto& b, auto& out) { cv::absdiff(a, b, out); }},
        {"add", [](auto& a, auto& b, auto& out) { cv::add(a, b, out); }},
        {"subtract", [](auto& a, auto& b, auto& out) { cv::subtract(a, b, out); }},
        {"minimum", [](auto& a, auto& b, auto& out) { cv::min(a, b, out); }},
        {"maximum", [](auto& a, auto& b, auto& out) { cv::max(a, b, out); }},
        {"average", [](auto& a, auto& b, auto& out) { cv::addWeighted(a, 0.5, b, 0.5, 0, out); }},
        {"multiply", [](auto& a, auto& b, auto& out) { cv::multiply(a, b, out, 1 / 255.0); }}};
    for (const auto& [id, mix] : modes)
        if (isChoice(task, "mode", id) &&
            (task.input.sample_bytes == 1 || (task.input.sample_bytes == 2 && id != "multiply")))
            return mix;
    return nullptr;
}

// Means of samples and of squares in float; or the highest and the lowest level around.
void localStatistics(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
    const int side = 2 * int(number(task, "radius")) + 1;
    if (isChoice(task, "what", "range")) {
        static cv::Mat highest, lowest;
        const cv::Mat square = cv::getStructuringElement(cv::MORPH_RECT, {side, side});
        cv::dilate(in, highest, square);
        cv::erode(in, lowest, square);
        return cv::subtract(highest, lowest, out);
    }
    static cv::Mat mean, square, variance;
    cv::boxFilter(in, mean, CV_32F, {side, side}, {-1, -1}, true, cv::BORDER_REPLICATE);
    cv::sqrBoxFilter(in, square, CV_32F, {side, side}, {-1, -1}, true, cv::BORDER_REPLICATE);
    cv::multiply(mean, mean, mean);
    cv::subtract(square, mean, variance);
    if (isChoice(task, "what", "standard_deviation")) {
        cv::max(variance, 0, variance);
        cv::sqrt(variance, variance);
    }
    variance.convertTo(out, in.depth());
}

void blur(const cv::Mat& in, cv::Mat& out, double sigma) {
    const int side = 2 * int(std::ceil(3 * sigma)) + 1;
    cv::GaussianBlur(in, out, {side, side}, sigma, sigma, cv::BORDER_REPLICATE);
}

bool integers(const WarpscopePeerTask& task) {
    return task.input.sample_bytes <= 2;
}

const Function kFunctions[] = {
    // Alpha turns over too.
    {"invert", integers,
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) { cv::bitwise_not(in, out); }},
    {"flip_rotate", integers, flipRotate},
    {"crop",
     [](const WarpscopePeerTask& task) {
         return integers(task) && task.output.width > 0 && task.output.height > 0;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         in(cv::Rect(int(number(task, "x")), int(number(task, "y")), task.output.width,
                     task.output.height))
             .copyTo(out);
     }},
    {"resize",
     [](const WarpscopePeerTask& task) {
         return integers(task) && task.output.width > 0 && resizeMethod(task) >= 0;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::resize(in, out, {task.output.width, task.output.height}, 0, 0, resizeMethod(task));
     }},
    // Alpha is mixed too.
    {"blend",
     [](const WarpscopePeerTask& task) {
         return task.second.width > 0 && number(task, "opacity") == 100 && mixOf(task);
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         const cv::Mat second(in.rows, in.cols, in.type(), task.second.data,
                              std::size_t(task.second.pitch));
         mixOf(task)(in, second, out);
     }},
    {"local_statistics", graySamples, localStatistics},
    {"unsharp_mask",
     [](const WarpscopePeerTask& task) {
         return graySamples(task) && number(task, "threshold") == 0;
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         static cv::Mat blurred;
         const double amount = number(task, "amount");
         blur(in, blurred, number(task, "sigma"));
         cv::addWeighted(in, 1 + amount, blurred, -amount, 0, out);
     }},
    {"difference_of_gaussians", graySamples,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         static cv::Mat fine, coarse;
         const double gain = number(task, "gain");
         blur(in, fine, number(task, "sigma_small"));
         blur(in, coarse, number(task, "sigma_large"));
         cv::addWeighted(fine, gain, coarse, -gain, in.depth() == CV_8U ? 128 : 32768, out);
     }},
    {"despeckle",
     [](const WarpscopePeerTask& task) {
         return grayEightBit(task) && isChoice(task, "which", "both");
     },
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         static cv::Mat middle, apart, far;
         cv::medianBlur(in, middle, 2 * int(number(task, "radius")) + 1);
         cv::absdiff(in, middle, apart);
         cv::compare(apart, number(task, "threshold"), far, cv::CMP_GT);
         in.copyTo(out);
         middle.copyTo(out, far);
     }},
};

}  // namespace

std::span<const Function> movingFunctions() {
    return kFunctions;
}

}  // namespace warpscope::peer
