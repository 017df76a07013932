// One decoding process, seen from the program that started it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "engine/io/helper/channel.h"
#include "engine/io/isolated_reader.h"

namespace warpscope::io {

using HelperResult = std::variant<Error, std::vector<PageInfo>, Image>;

// One thread at a time.
class HelperProcess {
  public:
    // Waits until it is ready, a few milliseconds. Errors: NotFound (no such program), Io (it
    // cannot be started, or says nothing of use), OutOfMemory (just now), Cancelled.
    static Result<std::unique_ptr<HelperProcess>> start(const DecodeHelper& program,
                                                        const std::stop_token& stop);
    ~HelperProcess();  // ends it
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    // `file` is what the request is about. Errors, with the name of the request, of the decoder,
    // and: LimitExceeded (memory, processor time, time), Damaged (the process died, or its answer
    // makes no sense), Cancelled within half a second after a stop.
    HelperResult ask(HelperRequest request, int file, const std::stop_token& stop);

    // It waits for a request and has not died meanwhile.
    bool ready() const;
    const HelperReady& greeting() const { return m_greeting; }

  private:
    struct Budget;
    HelperProcess(const DecodeHelper& program, FileHandle socket, pid_t process);

    enum class Waited { Packet, Gone, Garbage, TooLong, Stopped };
    Waited waitFor(Packet& packet, std::chrono::steady_clock::time_point until,
                   const std::stop_token& stop);
    void limitTo(const Budget& budget);
    // Ends it if it lives, and says what became of it.
    Error endedBecause(const HelperRequest& request, const Budget& budget);
    HelperResult read(const HelperRequest& request, const Budget& budget, Packet packet);
    void end();

    DecodeHelper m_program;
    FileHandle m_socket;
    pid_t m_process = -1;
    std::optional<int> m_status;  // as of waitpid, once it has ended
    HelperReady m_greeting;
    std::uint64_t m_ownBytes = 0;  // address space when it was ready
    std::uint64_t m_asked = 0;
    bool m_worn = false;  // not to be asked again
};

}  // namespace warpscope::io
