#include "cuda_kernels/runtime/backend_count.h"

#include <map>
#include <mutex>

namespace warpscope::cuda {
namespace {

std::mutex mutex;
std::map<int, int> counts;

}  // namespace

int backendsOn(int device) {
    const std::lock_guard lock(mutex);
    const auto found = counts.find(device);
    return found == counts.end() ? 0 : found->second;
}

CountedBackend::CountedBackend(int device) : m_device(device) {
    const std::lock_guard lock(mutex);
    ++counts[device];
}

CountedBackend::~CountedBackend() {
    const std::lock_guard lock(mutex);
    --counts[m_device];
}

}  // namespace warpscope::cuda
