#include "engine/base/clock.h"

#include <chrono>

namespace warpscope {
namespace {

class SteadyClock final : public Clock {
  public:
    std::int64_t nowNs() const override {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    }
};

}  // namespace

const Clock& steadyClock() {
    static const SteadyClock clock;
    return clock;
}

}  // namespace warpscope
