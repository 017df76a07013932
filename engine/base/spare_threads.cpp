#include "engine/base/spare_threads.h"

#include "engine/base/row_bands.h"

#if !WARPSCOPE_ROW_BANDS_STD_THREAD
#include <oneapi/tbb/global_control.h>
#endif

namespace warpscope {

#if WARPSCOPE_ROW_BANDS_STD_THREAD
struct SpareThreads::Limit {};  // every piece of work has threads of its own there
#else
struct SpareThreads::Limit {
    oneapi::tbb::global_control control{oneapi::tbb::global_control::max_allowed_parallelism,
                                        std::size_t(2 * CpuContext{}.threadCount())};
};
#endif

SpareThreads::SpareThreads() : m_limit(std::make_unique<Limit>()) {}
SpareThreads::~SpareThreads() = default;

}  // namespace warpscope
