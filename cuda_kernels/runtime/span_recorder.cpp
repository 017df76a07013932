#include "cuda_kernels/runtime/span_recorder.h"

#include <cstring>
#include <utility>

namespace warpscope::cuda {
namespace {

double msBetween(const Event& start, const Event& end) {
    float ms = 0;
    WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, start.get(), end.get()));
    return double(ms);
}

}  // namespace

void SpanRecorder::set(Recording recording) {
    m_recording = recording;
    if (recording == Recording::Off) recycle(m_recorded);
}

Event SpanRecorder::event() {
    if (m_free.empty()) return Event::create(Event::Timing::On);
    Event event = std::move(m_free.back());
    m_free.pop_back();
    return event;
}

void SpanRecorder::recycle(Event event) {
    if (event) m_free.push_back(std::move(event));
}

void SpanRecorder::recycle(std::vector<Launches>& launches) {
    for (Launches& one : launches) {
        recycle(std::move(one.start));
        recycle(std::move(one.end));
    }
    launches.clear();
}

void SpanRecorder::recycle(std::vector<Recorded>& recorded) {
    for (Recorded& one : recorded) {
        recycle(std::move(one.start));
        recycle(std::move(one.end));
        recycle(one.launches);
    }
    recorded.clear();
}

SpanRecorder::Scope::Scope(SpanRecorder& recorder, cudaStream_t stream, SpanKind kind,
                           std::string label, std::uint64_t bytes)
    : m_recorder(recorder), m_stream(stream) {
    m_span.kind = kind;
    m_span.label = std::move(label);
    m_span.bytes = bytes;
    if (m_recorder.m_recording == Recording::Off) return;
    m_start = m_recorder.event();
    m_end = m_recorder.event();
    m_start.record(m_stream);
}

SpanRecorder::Scope::~Scope() {
    try {
        m_recorder.recycle(std::move(m_start));
        m_recorder.recycle(std::move(m_end));
        m_recorder.recycle(m_launches);
    } catch (...) {
        // No memory to keep the events for reuse: they are destroyed with this object.
    }
}

void SpanRecorder::Scope::beginLaunch(const char* name) {
    if (!m_start || m_recorder.m_recording != Recording::Kernels) return;
    if (takesRest() || (!m_launches.empty() && !std::strcmp(m_launches.back().name, name))) {
        ++m_launches.back().count;
        return;
    }
    const bool rest = m_launches.size() == kMostKernels;
    Launches next{rest ? "" : name, 1, m_recorder.event(), m_recorder.event()};
    next.start.record(m_stream);
    m_launches.push_back(std::move(next));
}

// Recorded anew after each launch of the same name: waiting for another name would count what the
// host does in between.
void SpanRecorder::Scope::endLaunch() {
    if (!m_launches.empty() && !takesRest()) m_launches.back().end.record(m_stream);
}

void SpanRecorder::Scope::end() {
    if (!m_start) return;
    if (takesRest()) m_launches.back().end.record(m_stream);
    m_end.record(m_stream);
    m_recorder.m_recorded.push_back(
        {std::move(m_span), std::move(m_start), std::move(m_end), std::move(m_launches)});
}

std::vector<Span> SpanRecorder::take() {
    std::vector<Recorded> recorded = std::exchange(m_recorded, {});
    std::vector<Span> spans;
    for (Recorded& one : recorded) {
        const Event& zero = recorded.front().start;
        one.span.startMs = msBetween(zero, one.start);
        one.span.ms = msBetween(one.start, one.end);
        for (const Launches& launches : one.launches)
            one.span.kernels.push_back({launches.name, msBetween(zero, launches.start),
                                        msBetween(launches.start, launches.end), launches.count});
        spans.push_back(std::move(one.span));
    }
    recycle(recorded);
    return spans;
}

}  // namespace warpscope::cuda
