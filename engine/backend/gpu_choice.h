// The GPU that a person chose, by name: how names are written, and where the choice is kept.
//
// A name is a UUID, or the beginning of one. Numbers of devices are none: driver and runtime count
// in orders that differ, and change.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace warpscope {

// "GPU-" and one to 32 hexadecimal digits with the hyphens of a UUID; digits in lower case. Errors:
// InvalidArgument.
Result<std::string> gpuNameFrom(std::string_view text);

// Said by one thread, read by all that make backends.
class GpuChoice {
  public:
    explicit GpuChoice(std::string name = {}) : m_name(std::move(name)) {}

    // As gpuNameFrom() gives it; empty: none in particular.
    std::string name() const {
        const std::lock_guard lock(m_mutex);
        return m_name;
    }
    void choose(std::string name) {
        const std::lock_guard lock(m_mutex);
        m_name = std::move(name);
    }

  private:
    mutable std::mutex m_mutex;
    std::string m_name;  // guarded by m_mutex
};

}  // namespace warpscope
