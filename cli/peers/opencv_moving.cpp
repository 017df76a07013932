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

bool enlarges(const WarpscopePeerTask& task) {
    return task.output.width >= task.input.width && task.output.height >= task.input.height;
}
bool shrinks(const WarpscopePeerTask& task) {
    return task.output.width <= task.input.width && task.output.height <= task.input.height;
}

// Its bilinear and bicubic have as many taps however much they shrink, which is another job; its
// cubic is a steeper one, its area counts parts of pixels.
int resizeMethod(const WarpscopePeerTask& task) {
    if (isChoice(task, "method", "bilinear") && enlarges(task)) return cv::INTER_LINEAR;
    if (isChoice(task, "method", "bicubic") && enlarges(task)) return cv::INTER_CUBIC;
    if (isChoice(task, "method", "area") && shrinks(task)) return cv::INTER_AREA;
    if (isChoice(task, "method", "nearest")) return cv::INTER_NEAREST;
    return -1;
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
