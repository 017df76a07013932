#include "engine/operations/equalize_cpu.h"

#include <algorithm>

#include "engine/operations/grayscale.h"
#include "engine/operations/histogram.h"

namespace warpscope {
namespace {

void lumaRow(const std::vector<std::uint8_t>& table, const std::uint8_t* in, std::uint8_t* out,
             int width) {
    for (int x = 0; x < width; ++x, in += 4, out += 4) {
        const std::uint32_t luma = (kWeights601.red * in[0] + kWeights601.green * in[1] +
                                    kWeights601.blue * in[2] + 32768u) >>
                                   16;
        const std::uint32_t t = table[luma];
        for (int c = 0; c < 3; ++c)
            out[c] = luma == 0 ? in[c]
                               : std::uint8_t(std::min(255u, (2 * in[c] * t + luma) / (2 * luma)));
        out[3] = in[3];
    }
}

}  // namespace

Result<EqualizeTables> equalizeTablesCpu(const EqualizePlan& plan, const Image& image,
                                         const CpuContext& context) {
    const bool each = plan.channels == EqualizeChannels::Each && isColor(image.format());
    const ChannelSet wanted = each ? ChannelSet{false, true, true, true} : ChannelSet{};
    auto counting = planHistogram(wanted, image.format(), image.size());
    if (!counting) return fail(counting.error());
    CpuContext quiet = context;
    quiet.progress = nullptr;  // the pass over the pixels reports
    auto counts = countCpu(static_cast<const HistogramPlan&>(**counting), image, quiet);
    if (!counts) return fail(counts.error());
    const auto table = [&](HistogramChannel channel) {
        return equalizeTable(counts->find(channel)->bins, plan.mapping);
    };
    if (!each) return EqualizeTables{table(HistogramChannel::Luma), {}, {}};
    return EqualizeTables{table(HistogramChannel::Red), table(HistogramChannel::Green),
                          table(HistogramChannel::Blue)};
}

Result<void> runEqualizeCpu(const EqualizePlan& plan, const Image& in, const MutableImage& out,
                            const CpuContext& context) {
    EqualizeTables own;
    if (!plan.frozen) {
        auto made = equalizeTablesCpu(plan, in, context);
        if (!made) return fail(made.error());
        own = std::move(*made);
    }
    const EqualizeTables& tables = plan.frozen ? *plan.frozen : own;
    const auto source = in.view<std::uint8_t>();
    const auto target = out.view<std::uint8_t>();
    const int samples = source.samplesPerRow();
    const int band = rowsPerBand(context, source.height, std::uint64_t(samples) * 2);
    return forEachRowBand(context, source.height, band, [&](int first, int last) {
        for (int y = first; y < last; ++y) {
            const std::uint8_t* from = source.row(y);
            std::uint8_t* to = target.row(y);
            if (source.channels == 1) {
                for (int x = 0; x < samples; ++x) to[x] = tables.red[from[x]];
            } else if (plan.channels == EqualizeChannels::Luma) {
                lumaRow(tables.red, from, to, source.width);
            } else {
                for (int s = 0; s < samples; s += 4) {
                    to[s] = tables.red[from[s]];
                    to[s + 1] = tables.green[from[s + 1]];
                    to[s + 2] = tables.blue[from[s + 2]];
                    to[s + 3] = from[s + 3];
                }
            }
        }
    });
}

}  // namespace warpscope
