// The second input of a step: where it comes from, and how it is made to fit.
#include <fmt/format.h>

#include "engine/image/convert.h"
#include "engine/image/format_words.h"
#include "engine/pipeline/chain_run.h"

namespace warpscope {

void ChainRun::keepNamed(std::size_t depth) {
    std::erase_if(m_kept, [&](const auto& kept) { return m_lastUse[kept.first] < depth; });
    if (m_lastUse.contains(depth)) m_kept[depth] = m_value;
}

// Made on the way, or once more where the walk resumed behind it.
Result<ChainValue> ChainRun::valueAt(std::size_t depth) {
    if (const auto kept = m_kept.find(depth); kept != m_kept.end()) return kept->second;
    const RunContext quiet{m_context.stop, {}};
    ChainRun helper(m_backend, m_cpu, m_cache, m_frozen, m_request, quiet, Recording::Off);
    helper.m_savesMemory = m_savesMemory;
    const auto walked = helper.walk(depth);
    takeRunsOf(helper);
    if (!walked) return fail(walked.error());
    return std::move(helper.m_value);
}

Result<ChainValue> ChainRun::secondValue(std::size_t position) {
    const auto& from = m_steps[position].second;
    if (!from) return fail(from.error());
    ChainValue second;
    if ((*from)->from == SecondInput::From::SecondImage) {
        if (m_request.second.isNull())
            return fail(ErrorCode::NotFound,
                        "its second input is the second image, but there is none");
        second.host = m_request.second;
        second.place = m_request.secondPlace.value_or(Placement::all(second.host.size()));
    } else {
        auto value = valueAt((*from)->depth);
        if (!value) return value;
        second = std::move(*value);
    }
    const Size own = m_value.place.whole;
    const Size other = second.place.whole;
    if (own != other)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("its input is {} x {}, its second input {} x {}; both must be of "
                                "one size",
                                own.width, own.height, other.width, other.height));
    // Drafts: what both have.
    const Rect common = intersect(m_value.place.part, second.place.part);
    if (common.empty())
        return fail(ErrorCode::Internal, "a draft of two parts that have nothing in common");
    auto cut = cutTo(m_value, common);
    if (cut) cut = cutTo(second, common);
    // What the second one brings may lie above the white level of the first.
    const double white = second.info().whiteLevel;
    if (cut && white > m_value.info().whiteLevel && !m_value.info().hasAlpha &&
        bytesPerSample(second.format()) == bytesPerSample(m_value.format()) &&
        !isFloat(m_value.format())) {
        cut = bringToHost(m_value);
        if (!cut) return fail(cut.error());
        ImageInfo info = m_value.host.info();
        info.whiteLevel = white;
        m_value.setHost(m_value.host.withInfo(std::move(info)));
    }
    if (!cut) return fail(cut.error());
    return second;
}

Result<void> ChainRun::cutTo(ChainValue& value, const Rect& part) {
    const Rect own = value.place.part;
    if (own == part) return {};
    if (const auto there = bringToHost(value); !there) return there;
    value.setHost(value.host.crop({part.x - own.x, part.y - own.y, part.width, part.height}));
    value.place.part = part;
    return {};
}

Result<void> ChainRun::convertSecond(ChainValue& second, PixelFormat format, StepReport& report) {
    if (second.format() == format) return {};
    const bool depthChanges = bytesPerSample(second.format()) != bytesPerSample(format);
    report.notices.push_back(fmt::format("the second input was converted from {} to {}{}",
                                         formatWords(second.format()), formatWords(format),
                                         depthChanges ? ", full white to full white" : ""));
    if (const auto there = bringToHost(second); !there) return there;
    const CpuContext threads = cpuContext();
    const double start = m_watch.elapsedMs();
    auto converted = toFormat(second.host, format, threads);
    if (!converted) return fail(converted.error());
    const bool single = threads.threading == Threading::Single;
    m_events.push_back({RunEvent::Kind::Convert,
                        {},
                        {},
                        single ? BackendKind::CpuSingle : BackendKind::Cpu,
                        start,
                        m_watch.elapsedMs() - start});
    second.setHost(std::move(*converted));
    return {};
}

}  // namespace warpscope
