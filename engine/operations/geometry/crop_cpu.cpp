#include <hwy/cache_control.h>

#include <cstring>

#include "engine/operations/cpu_work.h"
#include "engine/operations/flat_rows.h"
#include "engine/operations/geometry/crop.h"

namespace warpscope {

Result<void> runCropCpu(const CropPlan& plan, const Image& in, const MutableImage& out,
                        const CpuContext& context) {
    const Image taken = in.crop(plan.taken);
    const auto rowBytes = std::size_t(taken.width()) * std::size_t(bytesPerPixel(plan.input));
    const bool stream = taken.byteCount() >= kFlatStreamBytes;
    const CpuContext chosen =
        forWork(context, plan.outputSize, 0.025 * double(bytesPerPixel(plan.input)));
    return forEachRowBand(chosen, taken.height(), rowsPerBand(chosen, taken.height(), rowBytes),
                          [&](int first, int last) {
                              for (int y = first; y < last; ++y)
                                  if (stream)
                                      flipRow(taken.rowBytes(y), out.rowBytes(y), rowBytes, 0,
                                              true);
                                  else
                                      std::memcpy(out.rowBytes(y), taken.rowBytes(y), rowBytes);
                              if (stream) hwy::FlushStream();
                          });
}

}  // namespace warpscope
