// Pipelines for tests, written as on the command line, and what of their results is made of parts.
#pragma once

#include <initializer_list>
#include <random>
#include <stdexcept>
#include <string_view>

#include "engine/pipeline/chain_shape.h"
#include "engine/pipeline/executor.h"
#include "engine/pipeline/pipeline.h"
#include "support/images.h"
#include "support/test_case.h"

namespace warpscope::test {

inline Pipeline chain(std::initializer_list<std::string_view> steps) {
    Pipeline pipeline;
    for (const std::string_view text : steps) {
        auto step = parseStep(text);
        if (!step) throw std::runtime_error(step.error().message);
        pipeline.steps.push_back(std::move(*step));
    }
    return pipeline;
}

// Pixels beyond an output pixel that the chain reads of an image reduced by `scale`.
inline int haloOf(const Pipeline& pipeline, double scale) {
    constexpr Size kLarge{65536, 65536};
    return totalHalo(
        shapeOf(pipeline, PixelFormat::Rgba8, Placement::reducedCopy(kLarge, kLarge, scale)));
}

// A rectangle in an image of that size; every one can come.
inline Rect anyRect(std::mt19937& random, Size size) {
    const auto upTo = [&](int most) { return int(random() % unsigned(most + 1)); };
    Rect rect{upTo(size.width - 1), upTo(size.height - 1), 0, 0};
    rect.width = 1 + upTo(size.width - rect.x - 1);
    rect.height = 1 + upTo(size.height - rect.y - 1);
    return rect;
}

// Fails the test that runs unless `count` rectangles of the chain's result are the same when they
// are computed from no more of the source than neededFor() says.
inline void compareParts(const Pipeline& pipeline, const Image& image, std::mt19937& random,
                         int count = 12) {
    Executor executor(BackendSet::cpuOnly("none"), 1 << 28);
    ExecuteRequest request;
    request.source = image;
    request.pipeline = pipeline;
    const auto whole = executor.run(request, {});
    REQUIRE_OK(whole);
    const ChainShape shape = shapeOf(pipeline, image.format(), Placement::all(image.size()));
    QCOMPARE(whole->image.size(), shape.place.whole);
    for (int i = 0; i < count; ++i) {
        const Rect wanted = anyRect(random, whole->image.size());
        const Rect needed = neededFor(shape, wanted).source;
        ExecuteRequest part = request;
        part.source = image.crop(needed);
        part.place = Placement::partOf(image.size(), needed);
        const auto made = executor.run(part, {});
        REQUIRE_OK(made);
        const Rect got = made->place.part;
        QVERIFY(contains(got, wanted));
        compareSamples(
            whole->image.crop(wanted),
            made->image.crop({wanted.x - got.x, wanted.y - got.y, wanted.width, wanted.height}),
            "part");
    }
}

}  // namespace warpscope::test
