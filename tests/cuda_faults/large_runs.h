// Runs whose images are large enough for every way of copying them to the device and back.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "cuda_faults/faulty_life.h"
#include "engine/image/storage_pool.h"

namespace warpscope::test {

// Two, which take turns. `inPlace`: their memory is the pool's, and page-locked once it has been
// copied from or to a few times; else it is no memory that ever is.
class LargeRuns {
  public:
    explicit LargeRuns(bool inPlace) : m_inPlace(inPlace) {
        // Rows of the device and of the host begin at other multiples.
        const Size size{4100, inPlace ? 300 : 2100};  // in pieces: three
        Executor cpu(BackendSet::cpuOnly("none"), kFaultsBudget);
        for (const int i : {0, 1}) {
            std::optional<StorageFrom> elsewhere;
            if (!inPlace) elsewhere.emplace(std::make_shared<Plain>());
            m_requests[i].source = makeNoise(PixelFormat::Gray8, size, unsigned(i));
            elsewhere.reset();
            m_requests[i].pipeline = chain({"invert"});
            m_requests[i].backend = BackendChoice::Cuda;
            // Reading spans would wait for what a failed transfer left in the stream.
            m_requests[i].recording = Recording::Off;
            m_expected[i] = cpu.run(m_requests[i], {}).value().image;
        }
    }

    // What is wrong with run `i`; `where` it must be, unless that is left open.
    std::string check(Executor& executor, int i, std::optional<BackendKind> where) const {
        executor.clearCache();
        // Memory of results that was never copied to.
        if (!m_inPlace) trimStorage();
        const auto done = executor.run(m_requests[i], {});
        if (!done) return done.error().message;
        if (where && done->steps[0].backend != where) return done->steps[0].fallbackReason;
        return firstDifference(m_expected[i], done->image);
    }

  private:
    class Plain final : public StorageOrigin {
      public:
        std::byte* take(std::uint64_t bytes) override {
            return static_cast<std::byte*>(std::aligned_alloc(64, bytes));
        }
        void give(std::byte* block, std::uint64_t) noexcept override { std::free(block); }
    };

    bool m_inPlace;
    ExecuteRequest m_requests[2];
    Image m_expected[2];
};

}  // namespace warpscope::test
