// What the GPU tests share.
#pragma once

#include <QtTest>

#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "cuda_kernels/runtime/device_fault.h"
#include "engine/backend/cpu_backend.h"
#include "engine/measure/agreement.h"
#include "engine/operations/analysis/histogram.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/random_seed.h"

// First thing in initTestCase: without a GPU the whole executable is skipped, with the reason.
#define REQUIRE_GPU()                                                                \
    do {                                                                             \
        if (const auto report = warpscope::queryCuda(); !report.unavailable.empty()) \
            QSKIP(("no usable GPU: " + report.unavailable).c_str());                 \
    } while (false)

namespace warpscope::test {

// Whatever faults were pretended before. WARPSCOPE_WARM_UP=off: without the warm-up, for
// compute-sanitizer.
inline std::unique_ptr<Backend> requireBackend() {
    cuda::forgetDeviceFault();
    CudaOptions options;
    options.warmUp = qgetenv("WARPSCOPE_WARM_UP") != "off";
    auto backend = makeCudaBackend(options);
    if (!backend) throw std::runtime_error(backend.error().message);
    return std::move(*backend);
}

template <class T>
T orThrow(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
}
inline void orThrow(Result<void> result) {
    if (!result) throw std::runtime_error(result.error().message);
}

// With the second image where the plan takes one.
inline StepBuffers uploaded(Backend& backend, const Plan& plan, const Image& image) {
    const StepImages images = imagesFor(plan, image);
    StepBuffers buffers(orThrow(backend.upload(images.first, {})));
    if (!images.second.isNull()) buffers.second = orThrow(backend.upload(images.second, {}));
    return buffers;
}

// Upload, run, download.
inline Image runOn(Backend& backend, const Plan& plan, const Image& image) {
    const BufferPtr out = orThrow(backend.run(plan, uploaded(backend, plan, image), {}));
    return orThrow(backend.download(out, {}));
}

inline HistogramSet countOn(Backend& backend, const Plan& plan, const Image& image) {
    return std::get<HistogramSet>(
        orThrow(backend.analyze(plan, orThrow(backend.upload(image, {})), {})));
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

// 8 and 16 bits. Of float, filters have kernels alone: kFilterFormats.
inline constexpr PixelFormat kGpuFormats[] = {PixelFormat::Gray8, PixelFormat::Rgba8,
                                              PixelFormat::Gray16, PixelFormat::Rgba16};

// A column "format" and a row for each of them.
inline void addFormatRows(std::span<const PixelFormat> formats = kGpuFormats) {
    QTest::addColumn<int>("format");
    for (const PixelFormat format : formats)
        QTest::newRow(std::string(formatName(format)).c_str()) << int(format);
}

// Parameters of an operation.
struct Case {
    std::string name;
    const Operation* operation = nullptr;
    TextParameters parameters;

    Case(const Operation& of, TextParameters given) : operation(&of), parameters(std::move(given)) {
        name = of.description().id;
        for (const auto& [key, value] : parameters) name += " " + key + "=" + value;
    }
};

// The variants of an operation but `automatic`.
inline std::vector<std::string> publishedVariants(const char* operation) {
    std::vector<std::string> ids;
    for (const VariantSpec& variant : findOperation(operation)->description().variants)
        if (variant.id != kAutomaticVariant) ids.push_back(variant.id);
    return ids;
}

// Every combination of an operation's choices.
inline std::vector<TextParameters> choicesOf(const OperationDescription& description) {
    std::vector<TextParameters> sets = {{}};
    for (const ParamSpec& parameter : description.parameters) {
        if (parameter.choices.empty()) continue;
        std::vector<TextParameters> longer;
        for (const TextParameters& set : sets)
            for (const ChoiceSpec& choice : parameter.choices) {
                longer.push_back(set);
                longer.back().emplace_back(parameter.id, choice.id);
            }
        sets = std::move(longer);
    }
    return sets;
}

// The ends of what a number may be and of its slider; all values if they are few.
inline std::vector<std::string> valuesOf(const ParamSpec& parameter) {
    std::vector<double> numbers = {parameter.hardMin, parameter.sliderMin, parameter.sliderMax,
                                   parameter.hardMax};
    if (parameter.kind == ParamKind::Integer && parameter.hardMax - parameter.hardMin < 16)
        for (double value = parameter.hardMin; value <= parameter.hardMax; ++value)
            numbers.push_back(value);
    std::set<std::string> texts;
    for (const double value : numbers) {
        if (parameter.rule && *parameter.rule(value)) continue;
        texts.insert(parameter.kind == ParamKind::Integer ? toText(std::int64_t(value))
                                                          : toText(value));
    }
    return {texts.begin(), texts.end()};
}

// WARPSCOPE_ONLY=median,canny: these operations alone, to look for one that fails among many.
inline bool isAskedFor(const OperationDescription& description) {
    const QString only = qEnvironmentVariable("WARPSCOPE_ONLY");
    return only.isEmpty() ||
           only.split(QLatin1Char(',')).contains(QString::fromStdString(description.id));
}

// Every operation of a kind with all its choices, whatever it is; with them, each number at its
// ends, the others as they are by default.
enum class Numbers { AsTheyAre, AtTheirEnds };
inline std::vector<Case> casesFromTheList(OperationKind kind, Numbers numbers) {
    std::vector<Case> cases;
    for (const Operation* operation : allOperations()) {
        const OperationDescription& description = operation->description();
        if (description.kind != kind || !isAskedFor(description)) continue;
        // Where the defaults change nothing.
        if (!description.example.empty()) {
            TextParameters shown;
            const ParamSet example = description.exampleParameters();
            for (const auto& [id, value] : example.values()) shown.emplace_back(id, toText(value));
            cases.emplace_back(*operation, shown);
        }
        for (const TextParameters& set : choicesOf(description)) {
            cases.emplace_back(*operation, set);
            if (numbers == Numbers::AsTheyAre) continue;
            for (const ParamSpec& parameter : description.parameters) {
                if (parameter.kind != ParamKind::Integer && parameter.kind != ParamKind::Real)
                    continue;
                for (const std::string& value : valuesOf(parameter)) {
                    cases.emplace_back(*operation, set);
                    cases.back().parameters.emplace_back(parameter.id, value);
                    cases.back().name += " " + parameter.id + "=" + value;
                }
            }
        }
    }
    return cases;
}

// "" if two results of a plan agree. Where the rule of the operation leaves room, each may be that
// far from the definition on its own side.
inline std::string resultDifference(const Plan& plan, const Image& expected, const Image& actual) {
    AgreementRule rule = plan.operation->description().agreementFor(plan.output);
    if (rule.maxDifference == 0 && rule.maxUlp == 0) return firstDifference(expected, actual);
    rule.maxDifference *= 2;
    rule.maxUlp *= 2;
    rule.identicalFraction = 1 - 2 * (1 - rule.identicalFraction);
    const Agreement agreement = compareImages(expected, actual, rule);
    return agreement.allowsSpeedup() ? std::string() : describe(agreement);
}

}  // namespace warpscope::test
