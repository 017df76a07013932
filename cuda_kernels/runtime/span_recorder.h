// Spans between device events, read when somebody asks for them.
#pragma once

#include <string>
#include <vector>

#include "cuda_kernels/runtime/resources.h"
#include "engine/backend/backend.h"

namespace warpscope::cuda {

class SpanRecorder {
  private:
    struct Launches {
        const char* name;  // empty: the rest
        int count;
        Event start;
        Event end;
    };

  public:
    // Kernels of one operation that are told apart; what is launched after them is one piece. An
    // operation may have thousands of launches, and each piece costs two events.
    static constexpr std::size_t kMostKernels = 256;

    void set(Recording recording);

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

        // Around each launch of a kernel; nothing happens unless kernels are recorded. The name
        // must live as long as the program. Throws CudaFailure.
        void beginLaunch(const char* name);
        void endLaunch();

      private:
        bool takesRest() const { return m_launches.size() > kMostKernels; }

        SpanRecorder& m_recorder;
        cudaStream_t m_stream;
        Span m_span;
        Event m_start;
        Event m_end;
        std::vector<Launches> m_launches;  // those of one name that follow each other are one
    };

    // All work of the spans must be done. Throws CudaFailure.
    std::vector<Span> take();

  private:
    struct Recorded {
        Span span;
        Event start;
        Event end;
        std::vector<Launches> launches;
    };
    Event event();
    void recycle(Event event);
    void recycle(std::vector<Launches>& launches);
    void recycle(std::vector<Recorded>& recorded);

    Recording m_recording = Recording::Off;
    std::vector<Recorded> m_recorded;
    std::vector<Event> m_free;
};

}  // namespace warpscope::cuda
