#include "cuda_kernels/runtime/overlapped_parts.h"

#include <algorithm>

#include "cuda_kernels/runtime/queue_rows.h"

namespace warpscope::cuda {
namespace {

void wait(cudaStream_t stream, const Event& event) {
    WARPSCOPE_CUDA(cudaStreamWaitEvent(stream, event.get(), 0));
}

}  // namespace

OverlappedParts::OverlappedParts(DeviceContext& device)
    : m_device(device),
      m_up(Stream::create()),
      m_down(Stream::create()),
      m_begin(Event::create(Event::Timing::Off)),
      m_end(Event::create(Event::Timing::Off)) {}

OverlappedParts::Marks& OverlappedParts::marksOf(std::size_t part) {
    while (m_marks.size() <= part) {
        Marks made{Event::create(Event::Timing::Off), Event::create(Event::Timing::Off)};
        m_marks.push_back(std::move(made));
    }
    return m_marks[part];
}

void OverlappedParts::run(const std::vector<PartRun>& parts, const Image& from,
                          const MutableImage& to, const RunContext& context, SpanRecorder& spans,
                          const Launch& launch) {
    try {
        queue(parts, from, to, context, spans, launch);
        m_end.record(m_down.get());
        m_end.wait();
    } catch (...) {
        // Or copies would meet the memory's next user.
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_up.get()));
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_device.stream()));
        WARPSCOPE_CUDA_QUIET(cudaStreamSynchronize(m_down.get()));
        m_memory.clear();
        throw;
    }
    m_memory.clear();
}

// All at once: while one goes, the host queues what is done with those before.
void OverlappedParts::queueUploads(const std::vector<PartRun>& parts, const Image& from,
                                   const DeviceImage& input, SpanRecorder& spans) {
    int sent = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int needed = parts[i].firstIn + parts[i].plan->size.height;
        if (const int rows = needed - sent; rows > 0) {
            SpanRecorder::Scope span(spans, m_up.get(), SpanKind::Upload, "upload",
                                     std::uint64_t(input.rowBytes()) * unsigned(rows));
            queueRows(input.data + sent * input.pitch, input.pitch, from.rowBytes(sent),
                      from.pitch(), input.rowBytes(), rows, cudaMemcpyHostToDevice, m_up.get());
            span.end();
            sent = needed;
        }
        marksOf(i).sent.record(m_up.get());
    }
}

void OverlappedParts::queue(const std::vector<PartRun>& parts, const Image& from,
                            const MutableImage& to, const RunContext& context, SpanRecorder& spans,
                            const Launch& launch) {
    const cudaStream_t stream = m_device.stream();
    const std::int64_t pitch = devicePitch(from.format(), from.size());
    m_memory.emplace_back(m_device.pool(), std::size_t(pitch) * unsigned(from.height()));
    const DeviceImage input{m_memory.back().as(), pitch, from.size(), from.format()};
    // Memory is handed out in the order of that stream.
    m_begin.record(stream);
    wait(m_up.get(), m_begin);
    queueUploads(parts, from, input, spans);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (context.stop.stop_requested()) throw Stopped{};
        const PartRun& part = parts[i];
        const Plan& plan = *part.plan;
        const DeviceImage in{input.data + part.firstIn * pitch, pitch, plan.size, plan.input};
        const std::int64_t outPitch = devicePitch(plan.output, plan.outputSize);
        m_memory.emplace_back(m_device.pool(),
                              std::size_t(outPitch) * unsigned(plan.outputSize.height));
        const DeviceImage out{m_memory.back().as(), outPitch, plan.outputSize, plan.output};
        wait(stream, m_marks[i].sent);
        launch(plan, in, out);
        m_marks[i].made.record(stream);
        wait(m_down.get(), m_marks[i].made);
        SpanRecorder::Scope span(spans, m_down.get(), SpanKind::Download, "download",
                                 std::uint64_t(out.rowBytes()) * unsigned(part.rows));
        queueRows(to.rowBytes(part.firstOut), to.pitch(), out.data + part.firstMade * outPitch,
                  outPitch, out.rowBytes(), part.rows, cudaMemcpyDeviceToHost, m_down.get());
        span.end();
        if (context.progress) context.progress(double(i + 1) / double(parts.size()));
    }
}

}  // namespace warpscope::cuda
