// OpenCV behind the seam of engine/measure/peer_module.h.
#include <cstring>
#include <exception>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "cli/peers/opencv_functions.h"

namespace {

using namespace warpscope::peer;

const Function* functionFor(const WarpscopePeerTask& task) {
    for (const std::span<const Function> functions : {filterFunctions(), movingFunctions()})
        for (const Function& one : functions)
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
        cv::Mat mat = kept();
        if (mat.type() == CV_8UC3 && output->channels == 4)
            cv::cvtColor(mat, mat, cv::COLOR_BGR2RGBA);
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
    static const WarpscopePeer peer{WARPSCOPE_PEER_VERSION,
                                    "opencv",
                                    label.c_str(),
                                    supports,
                                    run,
                                    fetch,
                                    fetchCounts,
                                    nullptr};
    return &peer;
}
