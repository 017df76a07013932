#include "engine/measure/build_info.h"

#include "commit.h"

namespace warpscope {

std::string buildCommit() {
    return WARPSCOPE_COMMIT;
}

std::string buildOptions() {
    return WARPSCOPE_BUILD;
}

}  // namespace warpscope
