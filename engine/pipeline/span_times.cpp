#include "engine/pipeline/span_times.h"

#include <algorithm>

namespace warpscope {

std::vector<int> recordsOfSpans(const std::vector<Span>& spans,
                                const std::vector<RunRecord>& runs) {
    const auto isKernel = [](const Span& span) { return span.kind == SpanKind::Kernel; };
    const bool oneEach =
        std::size_t(std::count_if(spans.begin(), spans.end(), isKernel)) == runs.size();
    std::vector<int> records(spans.size(), -1);
    std::size_t next = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (!isKernel(spans[i])) continue;
        if (oneEach) {
            records[i] = int(next++);
            continue;
        }
        std::size_t at = next;
        while (at < runs.size() && runs[at].operation != spans[i].label) ++at;
        if (at == runs.size()) continue;
        records[i] = int(at);
        next = at;
    }
    return records;
}

std::vector<double> kernelMsOfRuns(const std::vector<Span>& spans,
                                   const std::vector<RunRecord>& runs) {
    std::vector<const Span*> kernels;
    for (const Span& span : spans)
        if (span.kind == SpanKind::Kernel) kernels.push_back(&span);

    std::vector<double> ms(runs.size(), 0.0);
    if (kernels.size() == runs.size()) {
        for (std::size_t i = 0; i < runs.size(); ++i) ms[i] = kernels[i]->ms;
        return ms;
    }
    std::size_t next = 0;
    for (std::size_t first = 0; first < runs.size();) {
        std::size_t last = first;
        while (last < runs.size() && runs[last].operation == runs[first].operation) ++last;
        double sum = 0;
        while (next < kernels.size() && kernels[next]->label == runs[first].operation)
            sum += kernels[next++]->ms;
        std::fill(ms.begin() + std::ptrdiff_t(first), ms.begin() + std::ptrdiff_t(last),
                  sum / double(last - first));
        first = last;
    }
    return ms;
}

}  // namespace warpscope
