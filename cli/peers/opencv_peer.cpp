// OpenCV behind the seam of engine/measure/peer_module.h.
#include <cmath>
#include <cstring>
#include <exception>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#ifdef WARPSCOPE_PEER_PHOTO
#include <opencv2/photo.hpp>
#endif
#include <string>
#include <string_view>

#include "engine/measure/peer_module.h"

namespace {

const WarpscopePeerParameter* parameter(const WarpscopePeerTask& task, std::string_view id) {
    for (int i = 0; i < task.parameter_count; ++i)
        if (task.parameters[i].id == id) return &task.parameters[i];
    return nullptr;
}

double number(const WarpscopePeerTask& task, std::string_view id) {
    const auto* found = parameter(task, id);
    return found ? found->number : 0;
}

bool isChoice(const WarpscopePeerTask& task, std::string_view id, std::string_view value) {
    const auto* found = parameter(task, id);
    return found && found->text && found->text == value;
}

// A function of OpenCV that does what the operation does: to the bit, nearly, or (non-local means)
// with weights of its own.
struct Function {
    std::string_view operation;
    bool (*can)(const WarpscopePeerTask& task);
    void (*run)(const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out);
};

bool grayEightBit(const WarpscopePeerTask& task) {
    return task.input.channels == 1 && task.input.sample_bytes == 1;
}

const Function kFunctions[] = {
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
#ifdef WARPSCOPE_PEER_PHOTO
    {"nl_means", grayEightBit,
     [](const WarpscopePeerTask& task, const cv::Mat& in, cv::Mat& out) {
         cv::fastNlMeansDenoising(in, out, float(number(task, "h")),
                                  2 * int(number(task, "patch_radius")) + 1,
                                  2 * int(number(task, "search_radius")) + 1);
     }},
#endif
    {"histogram", [](const WarpscopePeerTask& task) { return grayEightBit(task); },
     [](const WarpscopePeerTask&, const cv::Mat& in, cv::Mat& out) {
         const int channel = 0;
         const int bins = 256;
         const float range[] = {0, 256};
         const float* ranges = range;
         cv::calcHist(&in, 1, &channel, cv::noArray(), out, 1, &bins, &ranges);
     }},
};

const Function* functionFor(const WarpscopePeerTask& task) {
    for (const Function& one : kFunctions)
        if (one.operation == task.operation) return one.can(task) ? &one : nullptr;
    return nullptr;
}

// The last result. Kept between runs, so that OpenCV need not allocate: it gets every advantage.
cv::Mat& kept() {
    static cv::Mat mat;
    return mat;
}

template <class Work>
int guarded(Work&& work) noexcept {
    try {
        return work();
    } catch (const std::exception&) {
        return 1;
    }
}

int supports(const WarpscopePeerTask* task) {
    return functionFor(*task) != nullptr;
}

int run(const WarpscopePeerTask* task, int threads) {
    return guarded([&] {
        const Function* function = functionFor(*task);
        if (!function || !task->input.data) return 1;
        // Negative: as many as the machine has.
        cv::setNumThreads(threads > 0 ? threads : -1);
        const int depth = task->input.sample_bytes == 1 ? CV_8U : CV_16U;
        const cv::Mat in(task->input.height, task->input.width,
                         CV_MAKETYPE(depth, task->input.channels), task->input.data,
                         std::size_t(task->input.pitch));
        function->run(*task, in, kept());
        return 0;
    });
}

int fetch(const WarpscopePeerImage* output) {
    return guarded([&] {
        const cv::Mat& mat = kept();
        // An integral image of OpenCV has a row and a column of zeros before ours.
        const int lead = mat.rows == output->height + 1 && mat.cols == output->width + 1 ? 1 : 0;
        const bool fits = mat.rows == output->height + lead && mat.cols == output->width + lead &&
                          mat.channels() == output->channels &&
                          int(mat.elemSize1()) == output->sample_bytes;
        if (!fits) return 1;
        const std::size_t bytes = std::size_t(output->width) * mat.elemSize();
        for (int y = 0; y < output->height; ++y)
            std::memcpy(static_cast<char*>(output->data) + y * output->pitch,
                        mat.ptr(y + lead) + std::size_t(lead) * mat.elemSize(), bytes);
        return 0;
    });
}

int fetchCounts(unsigned long long* bins) {
    return guarded([&] {
        const cv::Mat& mat = kept();
        if (mat.total() != 256 || mat.type() != CV_32F) return 1;
        for (int i = 0; i < 256; ++i) bins[i] = (unsigned long long)(mat.at<float>(i));
        return 0;
    });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const WarpscopePeer* warpscope_peer() {
    static const std::string label = "OpenCV " + cv::getVersionString();
    static const WarpscopePeer peer{
        WARPSCOPE_PEER_VERSION, "opencv", label.c_str(), supports, run, fetch, fetchCounts};
    return &peer;
}
