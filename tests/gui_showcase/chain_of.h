// Chains for tests, as the command line writes their steps, dark images, and how long to wait.
#pragma once

#include <QTest>
#include <initializer_list>

#include "engine/image/image.h"
#include "engine/pipeline/pipeline.h"
#include "support/test_case.h"

namespace warpscope::test {

// For a condition, where other suites have the cores: never how long something should take.
inline constexpr int kPatienceMs = 120'000;

// Until nothing is counted any more for a while.
template <class Count>
bool comesToRest(const Count& count) {
    return waitedFor(
        [&] {
            const auto before = count();
            QTest::qWait(100);
            return count() == before;
        },
        kPatienceMs);
}

inline Pipeline chainOf(std::initializer_list<const char*> steps) {
    Pipeline pipeline;
    for (const char* step : steps) pipeline.steps.push_back(parseStep(step).value());
    return pipeline;
}

// 16 bits of which the brightest is one part in 64.
inline Image darkened(const Image& bright) {
    const bool color = isColor(bright.format());
    auto out =
        MutableImage::create(color ? PixelFormat::Rgba16 : PixelFormat::Gray16, bright.size());
    for (int y = 0; y < bright.height(); ++y) {
        const auto from = bright.view<std::uint8_t>();
        for (int i = 0; i < from.samplesPerRow(); ++i)
            out->view<std::uint16_t>().row(y)[i] =
                color && i % 4 == 3 ? 65'535 : std::uint16_t(4 * from.row(y)[i]);
    }
    ImageInfo info;
    info.whiteLevel = 65'535;
    return std::move(*out).freeze(std::move(info));
}

}  // namespace warpscope::test
