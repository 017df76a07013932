// What the GPU tests share.
#pragma once

#include <QtTest>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/cpu_backend.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"

// First thing in initTestCase: without a GPU the whole executable is skipped, with the reason.
#define REQUIRE_GPU()                                                                \
    do {                                                                             \
        if (const auto report = warpscope::queryCuda(); !report.unavailable.empty()) \
            QSKIP(("no usable GPU: " + report.unavailable).c_str());                 \
    } while (false)

namespace warpscope::test {

inline std::unique_ptr<Backend> requireBackend() {
    auto backend = makeCudaBackend();
    if (!backend) throw std::runtime_error(backend.error().message);
    return std::move(*backend);
}

template <class T>
T orThrow(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
}

// Upload, run, download.
inline Image runOn(Backend& backend, const Plan& plan, const Image& image) {
    const BufferPtr in = orThrow(backend.upload(image, {}));
    const BufferPtr out = orThrow(backend.run(plan, in, {}));
    return orThrow(backend.download(out, {}));
}

inline HistogramSet countOn(Backend& backend, const Plan& plan, const Image& image) {
    return orThrow(backend.histogram(plan, orThrow(backend.upload(image, {})), {}));
}

inline std::string firstDifference(const HistogramSet& expected, const HistogramSet& actual) {
    if (expected.size != actual.size || expected.format != actual.format) return "another shape";
    if (expected.low != actual.low || expected.high != actual.high) return "another range";
    if (expected.notFinite != actual.notFinite) return "another number of samples that count not";
    if (expected.channels.size() != actual.channels.size()) return "another number of channels";
    for (std::size_t c = 0; c < expected.channels.size(); ++c) {
        const Histogram& e = expected.channels[c];
        const Histogram& a = actual.channels[c];
        if (e.channel != a.channel || e.bins.size() != a.bins.size()) return "other channels";
        for (std::size_t k = 0; k < e.bins.size(); ++k)
            if (e.bins[k] != a.bins[k])
                return std::string(channelName(e.channel)) + " bin " + std::to_string(k) + ": " +
                       std::to_string(e.bins[k]) + " expected, " + std::to_string(a.bins[k]);
    }
    return {};
}

// Fresh at every run; WARPSCOPE_TEST_SEED repeats one.
inline std::uint32_t freshSeed() {
    const char* given = std::getenv("WARPSCOPE_TEST_SEED");
    const auto seed =
        given ? std::uint32_t(std::strtoul(given, nullptr, 10)) : std::random_device{}();
    qInfo("WARPSCOPE_TEST_SEED=%u", seed);
    return seed;
}

struct Case {
    std::string name;
    const Operation* operation = nullptr;
    TextParameters parameters;
};

// Every filter of the list with the parameters that reach its different kernels; an operation that
// is new here is run with its defaults.
inline std::vector<Case> filterCases() {
    std::vector<Case> cases;
    for (const Operation* operation : allOperations()) {
        const std::string& id = operation->description().id;
        if (operation->description().kind != OperationKind::Filter) continue;
        // Those that may be off by one are compared by their own rule in their own test.
        if (operation->description().agreement.maxDifference > 0) continue;
        std::vector<TextParameters> sets = {{}};
        if (id == "grayscale") {
            sets = {};
            for (const char* method : {"weighted601", "weighted709", "average", "maximum"})
                sets.push_back({{"method", method}});
        } else if (id == "equalize") {
            sets = {};
            for (const char* channels : {"luma", "each"})
                for (const char* mapping : {"classic", "full"})
                    sets.push_back({{"channels", channels}, {"mapping", mapping}});
        } else if (id == "gaussian_blur") {
            sets = {{{"sigma", "20"}, {"size", "3"}}, {{"sigma", "100"}, {"size", "1001"}}};
            for (const char* sigma : {"0.3", "0.8", "1", "2.7", "5", "5.4", "8", "10.5", "10.7",
                                      "15", "20", "33", "50", "100"})
                sets.push_back({{"sigma", sigma}});
        }
        for (TextParameters& set : sets) {
            std::string name = id;
            for (const auto& [key, value] : set) name += " " + key + "=" + value;
            cases.push_back({name, operation, std::move(set)});
        }
    }
    return cases;
}

}  // namespace warpscope::test
