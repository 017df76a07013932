#include "cuda_kernels/span_recorder.h"

#include <utility>

namespace warpscope::cuda {

void SpanRecorder::setOn(bool on) {
    m_on = on;
    if (on) return;
    for (Recorded& recorded : m_recorded) {
        recycle(std::move(recorded.start));
        recycle(std::move(recorded.end));
    }
    m_recorded.clear();
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

SpanRecorder::Scope::Scope(SpanRecorder& recorder, cudaStream_t stream, SpanKind kind,
                           std::string label, std::uint64_t bytes)
    : m_recorder(recorder), m_stream(stream), m_span{kind, std::move(label), 0, 0, bytes} {
    if (!m_recorder.on()) return;
    m_start = m_recorder.event();
    m_end = m_recorder.event();
    m_start.record(m_stream);
}

SpanRecorder::Scope::~Scope() {
    try {
        m_recorder.recycle(std::move(m_start));
        m_recorder.recycle(std::move(m_end));
    } catch (...) {
        // No memory to keep the events for reuse: they are destroyed with this object.
    }
}

void SpanRecorder::Scope::end() {
    if (!m_start) return;
    m_end.record(m_stream);
    m_recorder.m_recorded.push_back({std::move(m_span), std::move(m_start), std::move(m_end)});
}

std::vector<Span> SpanRecorder::take() {
    std::vector<Recorded> recorded = std::exchange(m_recorded, {});
    std::vector<Span> spans;
    for (Recorded& one : recorded) {
        float startMs = 0;
        float ms = 0;
        WARPSCOPE_CUDA(
            cudaEventElapsedTime(&startMs, recorded.front().start.get(), one.start.get()));
        WARPSCOPE_CUDA(cudaEventElapsedTime(&ms, one.start.get(), one.end.get()));
        one.span.startMs = double(startMs);
        one.span.ms = double(ms);
        spans.push_back(std::move(one.span));
    }
    for (Recorded& one : recorded) {
        recycle(std::move(one.start));
        recycle(std::move(one.end));
    }
    return spans;
}

}  // namespace warpscope::cuda
