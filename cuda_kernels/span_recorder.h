// Spans between device events, read when somebody asks for them.
#pragma once

#include <string>
#include <vector>

#include "cuda_kernels/resources.h"
#include "engine/backend/backend.h"

namespace warpscope::cuda {

class SpanRecorder {
  public:
    bool on() const { return m_on; }
    void setOn(bool on);

    // One span. Begun by the constructor; ends where end() is called, dropped if it never is
    // (because something failed or was stopped). Does nothing while recording is off.
    class Scope {
      public:
        Scope(SpanRecorder& recorder, cudaStream_t stream, SpanKind kind, std::string label,
              std::uint64_t bytes);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        void end();

      private:
        SpanRecorder& m_recorder;
        cudaStream_t m_stream;
        Span m_span;
        Event m_start;
        Event m_end;
    };

    // All work of the spans must be done. Throws CudaFailure.
    std::vector<Span> take();

  private:
    struct Recorded {
        Span span;
        Event start;
        Event end;
    };
    Event event();
    void recycle(Event event);

    bool m_on = false;
    std::vector<Recorded> m_recorded;
    std::vector<Event> m_free;
};

}  // namespace warpscope::cuda
