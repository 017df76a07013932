// The CPU operations beside OpenCV: same data, same run, one thread and all cores. Not a test; run
// it on a quiet machine, built with the release preset:
//   warpscope_cpu_benchmark [WIDTH HEIGHT]
// Threads are pinned one to a core: virtual machines leave unpinned ones on one core for a while.
#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "engine/backend/cpu_backend.h"
#include "engine/base/clock.h"
#include "engine/image/synthetic.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "support/operation_run.h"

#if WARPSCOPE_HAVE_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#if WARPSCOPE_HAVE_OPENCV_PHOTO
#include <opencv2/photo.hpp>
#endif
#endif

using namespace warpscope;

namespace {

// Also for the threads that are started later: they inherit it and are then moved one by one.
void pinTo(pthread_t thread, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(std::size_t(core), &set);
    pthread_setaffinity_np(thread, sizeof set, &set);
}

// Occupies every thread of the pool at once and pins each to its own core.
void pinPool(int threads) {
    std::atomic<int> next{0};
    std::atomic<int> arrived{0};
    const auto body = [&](int, int) {
        pinTo(pthread_self(), next++);
        ++arrived;
        const Stopwatch watch;
        while (arrived < threads && watch.elapsedMs() < 500) std::this_thread::yield();
    };
    CpuContext context;
    static_cast<void>(forEachRowBand(context, threads, 1, body));
}

// Of nine passes, each the mean of as many calls as last about 30 ms, the third fastest: other
// programs only ever add time.
double measureMs(const std::function<void()>& work) {
    work();
    Stopwatch first;
    work();
    const int calls = std::clamp(int(30.0 / std::max(first.elapsedMs(), 1e-4)), 1, 20000);
    std::vector<double> passes;
    for (int pass = 0; pass < 9; ++pass) {
        const Stopwatch watch;
        for (int i = 0; i < calls; ++i) work();
        passes.push_back(watch.elapsedMs() / calls);
    }
    std::nth_element(passes.begin(), passes.begin() + 2, passes.end());
    return passes[2];
}

struct Row {
    std::string name;
    std::function<void(Threading)> ours;
    std::function<void()> theirs;  // may be empty
};

std::function<void(Threading)> filter(const char* id, test::TextParameters parameters,
                                      const Image& image) {
    const Operation& operation = *findOperation(id);
    const PlanPtr plan = test::planFor(operation, parameters, image.format(), image.size());
    // One output for all calls: page faults of fresh memory are no part of the operation.
    auto out =
        std::make_shared<MutableImage>(*MutableImage::create(plan->output, plan->outputSize));
    return [plan, out, image](Threading threading) {
        const auto done = plan->operation->runCpu(*plan, image, *out, {threading, {}, {}});
        if (!done) std::abort();
    };
}

std::function<void(Threading)> counting(ChannelSet channels, const Image& image) {
    const PlanPtr plan = *planHistogram(channels, image.format(), image.size());
    return [plan, image](Threading threading) {
        const auto counts =
            countCpu(static_cast<const HistogramPlan&>(*plan), image, {threading, {}, {}});
        if (!counts) std::abort();
    };
}

#if WARPSCOPE_HAVE_OPENCV
cv::Mat matOf(const Image& image) {
    return {image.height(), image.width(), isColor(image.format()) ? CV_8UC4 : CV_8UC1,
            const_cast<std::byte*>(image.bytes()), std::size_t(image.pitch())};
}

std::function<void()> cvGray(const Image& image) {
    return [in = matOf(image), out = cv::Mat()]() mutable {
        cv::cvtColor(in, out, cv::COLOR_RGBA2GRAY);
    };
}

std::function<void()> cvGaussian(const Image& image, int size, double sigma) {
    return [=, in = matOf(image), out = cv::Mat()]() mutable {
        cv::GaussianBlur(in, out, {size, size}, sigma, sigma, cv::BORDER_REPLICATE);
    };
}

std::function<void()> cvHistogram(const Image& image, bool luma) {
    return [=, in = matOf(image), gray = cv::Mat(), out = cv::Mat()]() mutable {
        if (luma) cv::cvtColor(in, gray, cv::COLOR_RGBA2GRAY);
        const int channel = 0, bins = 256;
        const float range[] = {0, 256};
        const float* ranges[] = {range};
        cv::calcHist(luma ? &gray : &in, 1, &channel, cv::Mat(), out, 1, &bins, ranges);
    };
}

std::function<void()> cvEqualize(const Image& image) {
    return [in = matOf(image), out = cv::Mat()]() mutable { cv::equalizeHist(in, out); };
}
#else
std::function<void()> cvGray(const Image&) {
    return {};
}
std::function<void()> cvGaussian(const Image&, int, double) {
    return {};
}
std::function<void()> cvHistogram(const Image&, bool) {
    return {};
}
std::function<void()> cvEqualize(const Image&) {
    return {};
}
#endif

#if WARPSCOPE_HAVE_OPENCV_PHOTO
std::function<void()> cvNlMeans(const Image& image, float h, int patch, int search) {
    return [=, in = matOf(image), out = cv::Mat()]() mutable {
        cv::fastNlMeansDenoising(in, out, h, patch, search);
    };
}
#else
std::function<void()> cvNlMeans(const Image&, float, int, int) {
    return {};
}
#endif

void setTheirThreads(int threads) {
#if WARPSCOPE_HAVE_OPENCV
    cv::setNumThreads(threads);
#else
    static_cast<void>(threads);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    const Size size{argc > 2 ? std::atoi(argv[1]) : 3840, argc > 2 ? std::atoi(argv[2]) : 2160};
    const CpuContext context;
    const auto scene = makeScene(size, true, 1, context);
    if (!scene) {
        fmt::print(stderr, "{}\n", scene.error().message);
        return 1;
    }
    const Image color = *scene;
    const Image gray = test::runOn(*findOperation("grayscale"), {}, color);

    // Slow: always at one size.
    const auto denoised = makeScene({1024, 1024}, true, 1, context);
    if (!denoised) {
        fmt::print(stderr, "{}\n", denoised.error().message);
        return 1;
    }
    const Image smallColor = *denoised;
    const Image smallGray = test::runOn(*findOperation("grayscale"), {}, smallColor);

    const std::vector<Row> rows = {
        {"gray of RGBA", filter("grayscale", {}, color), cvGray(color)},
        {"gray histogram", counting({}, gray), cvHistogram(gray, false)},
        {"luma histogram of RGBA", counting({}, color), cvHistogram(color, true)},
        {"luma, R, G, B histograms", counting(ChannelSet::all(), color), {}},
        {"equalize gray", filter("equalize", {}, gray), cvEqualize(gray)},
        {"equalize luma of RGBA", filter("equalize", {}, color), {}},
        {"equalize each of RGBA", filter("equalize", {{"channels", "each"}}, color), {}},
        {"Gaussian 5x5 gray", filter("gaussian_blur", {{"size", "5"}}, gray),
         cvGaussian(gray, 5, 1)},
        {"Gaussian 5x5 RGBA", filter("gaussian_blur", {{"size", "5"}}, color),
         cvGaussian(color, 5, 1)},
        {"Gaussian sigma 2 gray", filter("gaussian_blur", {{"sigma", "2"}}, gray),
         cvGaussian(gray, 13, 2)},
        {"Gaussian sigma 5 gray", filter("gaussian_blur", {{"sigma", "5"}}, gray),
         cvGaussian(gray, 31, 5)},
        {"Gaussian sigma 20 gray", filter("gaussian_blur", {{"sigma", "20"}}, gray),
         cvGaussian(gray, 121, 20)},
        {"Gaussian sigma 5 RGBA", filter("gaussian_blur", {{"sigma", "5"}}, color),
         cvGaussian(color, 31, 5)},
        {"NL-means 1024 gray", filter("nl_means", {}, smallGray), cvNlMeans(smallGray, 10, 7, 21)},
        {"NL-means 1024 RGBA", filter("nl_means", {}, smallColor), {}},
    };

    const int threads = context.threadCount();
    fmt::print("{} x {}, {}, {}; milliseconds\n", size.width, size.height, cpuModelName(),
               cpuInstructionSet());
    fmt::print("{:<26}{:>10}{:>10}{:>12}{:>12}\n", "", "1 thread",
               fmt::format("{} threads", threads), "OpenCV 1", fmt::format("OpenCV {}", threads));
    pinTo(pthread_self(), 0);
    for (const Row& row : rows) {
        pinPool(1);
        pinTo(pthread_self(), 0);
        const double one = measureMs([&] { row.ours(Threading::Single); });
        pinPool(threads);
        const double all = measureMs([&] { row.ours(Threading::AllCores); });
        fmt::print("{:<26}{:>10.4f}{:>10.4f}", row.name, one, all);
        if (row.theirs) {
            setTheirThreads(1);
            const double theirOne = measureMs(row.theirs);
            setTheirThreads(threads);
            pinPool(threads);  // OpenCV runs on the same pool
            const double theirAll = measureMs(row.theirs);
            fmt::print("{:>12.4f}{:>12.4f}", theirOne, theirAll);
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
}
