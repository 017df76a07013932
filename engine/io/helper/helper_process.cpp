#include "engine/io/helper/helper_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>

#include "engine/base/checked.h"
#include "engine/base/system_files.h"
#include "engine/io/decode_support.h"
#include "engine/io/helper/helper_start.h"
#include "engine/io/helper/sandbox.h"

namespace warpscope::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Between two looks at the stop token.
constexpr int kBeatMs = 20;
// For the decoder to notice a request to stop; after that it is ended.
constexpr milliseconds kStopGrace{400};
constexpr seconds kStartTime{20};
// What a library leaks or leaves behind in the process goes with it.
constexpr std::uint64_t kFilesPerProcess = 500;
// Code and tables of the libraries, and the address space that the allocator reserves.
constexpr std::uint64_t kBesideImages = std::uint64_t(768) << 20;
constexpr std::uint64_t kStackBytes = std::uint64_t(8) << 20;

// Of the whole process so far.
double processorSeconds(pid_t process) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
    return double(used.tv_sec) + double(used.tv_nsec) * 1e-9;
}

std::uint64_t addressSpace(pid_t process) {
    const auto text = systemText(fmt::format("/proc/{}/statm", process));
    const auto pages = text ? words(*text) : std::vector<std::string_view>();
    const auto count = pages.empty() ? std::nullopt : wholeFromText(pages[0]);
    return count ? *count * std::uint64_t(::sysconf(_SC_PAGESIZE)) : 0;
}

// The soft limit: the process may not raise it, its filter sees to that.
void setLimit(pid_t process, __rlimit_resource what, rlim_t most) {
    rlimit limit{};
    if (::prlimit(process, what, nullptr, &limit) != 0) return;
    limit.rlim_cur = std::min(most, limit.rlim_max);
    ::prlimit(process, what, &limit, nullptr);
}

Error named(const HelperRequest& request, ErrorCode code, std::string_view why) {
    return {code, fmt::format("{}: {}", request.name, why)};
}

Error outOfTime(const HelperRequest& request, std::string_view why, const std::string& how) {
    return named(request, ErrorCode::LimitExceeded,
                 fmt::format("{}{}{}", why, how.empty() ? "" : "; ", how));
}

Error senseless(const HelperRequest& request, std::string_view what) {
    return named(
        request, ErrorCode::Damaged,
        fmt::format("the process that decodes it gave an answer that makes no sense ({})", what));
}

Result<MutableImage> receivedImage(const ImageDescription& description, FileHandle file) {
    const std::uint64_t bytes = storageBytes(description.format, description.size).value_or(0);
    if (bytes > kCopiedBytes) {
        const StorageFrom sealed(std::make_shared<SealedBlock>(std::move(file)));
        return MutableImage::create(description.format, description.size);
    }
    auto image = MutableImage::create(description.format, description.size);
    if (image && !readBlock(file.get(), image->bytes(), bytes))
        return fail(ErrorCode::Io, "samples that are not there");
    return image;
}

}  // namespace

struct HelperProcess::Budget {
    std::uint64_t memory = 0;  // ReadLimits::maxDecodedBytes
    std::uint64_t fileBytes = 0;
    int processorSeconds = 0;
    int wallSeconds = 0;
    std::string howToRaise;
};

HelperProcess::HelperProcess(const DecodeHelper& program, FileHandle socket, pid_t process)
    : m_program(program), m_socket(std::move(socket)), m_process(process) {}

HelperProcess::~HelperProcess() {
    end();
}

Result<std::unique_ptr<HelperProcess>> HelperProcess::start(const DecodeHelper& program,
                                                            const std::stop_token& stop) {
    auto started = startHelper(program);
    if (!started) return fail(started.error());
    std::unique_ptr<HelperProcess> helper(
        new HelperProcess(program, std::move(started->socket), started->process));
    Packet packet;
    const Waited waited = helper->waitFor(packet, Clock::now() + kStartTime, stop);
    if (waited == Waited::Stopped) return cancelled();
    const auto ready = waited == Waited::Packet ? readyFrom(packet.bytes) : std::nullopt;
    if (!ready)
        return fail(ErrorCode::Io,
                    program.program.string() + (waited == Waited::Gone ? " ends at once"
                                                : waited == Waited::TooLong
                                                    ? " does not answer"
                                                    : " is no part of this program"));
    helper->m_greeting = *ready;
    helper->m_ownBytes = addressSpace(helper->m_process);
    return helper;
}

bool HelperProcess::ready() const {
    pollfd state{m_socket.get(), POLLIN, 0};
    // Whatever it says unasked, it is not to be trusted with more.
    return !m_worn && !m_status && ::poll(&state, 1, 0) == 0;
}

HelperProcess::Waited HelperProcess::waitFor(Packet& packet, Clock::time_point until,
                                             const std::stop_token& stop) {
    while (true) {
        if (stop.stop_requested()) return Waited::Stopped;
        const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now()).count();
        if (left <= 0) return Waited::TooLong;
        pollfd state{m_socket.get(), POLLIN, 0};
        if (::poll(&state, 1, int(std::min<long long>(kBeatMs, left))) <= 0) continue;
        bool gone = false;
        auto received = receivePacket(m_socket.get(), gone);
        if (!received) return gone ? Waited::Gone : Waited::Garbage;
        packet = std::move(*received);
        return Waited::Packet;
    }
}

void HelperProcess::limitTo(const Budget& budget) {
    const std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
    // Estimates of what a decoder needs are estimates: a quarter more is no reason to refuse.
    const std::uint64_t beside =
        m_ownBytes + kBesideImages + threads * kStackBytes + budget.memory / 4;
    const rlim_t most = checkedAdd(budget.memory, beside).value_or(RLIM_INFINITY);
    if (limitsAddressSpace()) setLimit(m_process, RLIMIT_AS, most);
    setLimit(m_process, RLIMIT_FSIZE, most);
    setLimit(m_process, RLIMIT_CPU,
             rlim_t(processorSeconds(m_process)) + rlim_t(budget.processorSeconds) + 1);
}

HelperResult HelperProcess::ask(HelperRequest request, int file, const std::stop_token& stop) {
    request.id = ++m_asked;
    m_worn = true;  // until it has answered
    Budget budget;
    budget.memory = request.options.limits.maxDecodedBytes;
    budget.howToRaise = request.options.limits.howToRaise;
    const off_t size = ::lseek(file, 0, SEEK_END);
    const int mebibytes = int(std::clamp<off_t>(size >> 20, 0, 100'000));
    budget.processorSeconds = m_program.processorSeconds + mebibytes * m_program.secondsPerMebibyte;
    budget.wallSeconds = m_program.wallSeconds + mebibytes * m_program.secondsPerMebibyte;
    limitTo(budget);
    if (!sendPacket(m_socket.get(), toBytes(request), std::span(&file, 1)))
        return endedBecause(request, budget);

    Packet packet;
    const auto until = Clock::now() + seconds(budget.wallSeconds);
    switch (waitFor(packet, until, stop)) {
        case Waited::Packet:
            return read(request, budget, std::move(packet));
        case Waited::Gone:
            return endedBecause(request, budget);
        case Waited::Garbage:
            end();
            return senseless(request, "a message that is too long");
        case Waited::TooLong:
            end();
            return outOfTime(request,
                             fmt::format("decoding it takes longer than the limit of {} seconds",
                                         budget.wallSeconds),
                             m_program.howToRaiseTime);
        case Waited::Stopped:
            break;
    }
    HelperRequest cancel = request;
    cancel.kind = HelperRequest::Kind::Cancel;
    // What answers in time can be asked again.
    if (sendPacket(m_socket.get(), toBytes(cancel)) &&
        waitFor(packet, Clock::now() + kStopGrace, {}) == Waited::Packet)
        (void)read(request, budget, std::move(packet));
    if (m_worn) end();
    return cancelled().value();
}

HelperResult HelperProcess::read(const HelperRequest& request, const Budget& budget,
                                 Packet packet) {
    const auto lies = [&](std::string_view what) {
        end();
        return senseless(request, what);
    };
    const auto answer = answerFrom(packet.bytes);
    if (!answer || answer->id != request.id) return lies("not a message of this protocol");
    if (packet.files.size() != 1u + answer->images) return lies("its files are not those it names");
    const auto bytes = contentOf(packet.files[0].get(), answer->contentBytes);
    if (!bytes) return lies("content of another size");
    auto content = contentFrom(*bytes);
    if (!content) return lies("its content is out of range");

    if (auto* error = std::get_if<Error>(&*content)) {
        // A name is said once, also if the decoder left it out.
        if (error->code == ErrorCode::Cancelled) {
            m_worn = m_asked >= kFilesPerProcess;
            return *error;
        }
        if (error->code == ErrorCode::OutOfMemory) {
            end();  // it may have lost more than this file
            return named(request, ErrorCode::LimitExceeded,
                         fmt::format("decoding it needs more memory than the limit of {} MiB{}{}",
                                     budget.memory >> 20, budget.howToRaise.empty() ? "" : "; ",
                                     budget.howToRaise));
        }
        if (!error->message.starts_with(request.name))
            *error = named(request, error->code, error->message);
        m_worn = m_asked >= kFilesPerProcess;
        return *error;
    }
    const bool asksPages = request.kind == HelperRequest::Kind::Pages;
    if (auto* pages = std::get_if<std::vector<PageInfo>>(&*content)) {
        if (!asksPages || answer->images != 0) return lies("not what was asked for");
        m_worn = m_asked >= kFilesPerProcess;
        return std::move(*pages);
    }
    auto& images = std::get<ImageDescriptions>(*content);
    if (asksPages || images.size() != answer->images) return lies("not what was asked for");
    std::uint64_t total = 0;
    for (const ImageDescription& one : images)
        total += storageBytes(one.format, one.size).value_or(~std::uint64_t(0) >> 2);
    if (total > budget.memory) return lies("an image beyond the limit on memory");
    std::vector<Image> made;
    for (std::size_t i = 0; i < images.size(); ++i) {
        auto image = receivedImage(images[i], std::move(packet.files[i + 1]));
        if (!image) return lies("samples that are not there, or could still change");
        made.push_back(std::move(*image).freeze(std::move(images[i].info)));
    }
    m_worn = m_asked >= kFilesPerProcess;
    if (made.size() == 1) return made[0];
    ImageInfo info = made[0].info();
    info.raw = std::make_shared<const Image>(made[1]);
    return made[0].withInfo(std::move(info));
}

Error HelperProcess::endedBecause(const HelperRequest& request, const Budget& budget) {
    // Its end of the socket closes a moment before it can be waited for.
    const auto until = Clock::now() + milliseconds(500);
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(m_process, &status, WNOHANG)) == 0 && Clock::now() < until)
        std::this_thread::sleep_for(milliseconds(1));
    if (ended == m_process) m_status = status;
    const bool closedOnly = ended == 0;
    end();
    if (closedOnly || !m_status) return senseless(request, "it closed the connection");
    if (!WIFSIGNALED(*m_status))
        return named(request, ErrorCode::Damaged,
                     fmt::format("the process that decodes it gave up (status {}); the rest of the "
                                 "program is unharmed",
                                 WEXITSTATUS(*m_status)));
    switch (const int signal = WTERMSIG(*m_status)) {
        case SIGXCPU:
            return outOfTime(request,
                             fmt::format("decoding it takes more than the limit of {} seconds of "
                                         "processor time",
                                         budget.processorSeconds),
                             m_program.howToRaiseTime);
        case SIGSYS:
            return named(request, ErrorCode::Damaged,
                         "its decoder asked the system for what no decoder needs, and was ended; "
                         "the file may be made to do harm");
        case SIGKILL:
            return named(request, ErrorCode::OutOfMemory,
                         "the process that decodes it was ended from outside, as systems do that "
                         "run out of memory");
        default: {
            const char* what = ::sigabbrev_np(signal);
            return named(request, ErrorCode::Damaged,
                         fmt::format("its decoder crashed (SIG{}), because the file is damaged or "
                                     "made to do harm; the rest of the program is unharmed",
                                     what ? what : std::to_string(signal)));
        }
    }
}

void HelperProcess::end() {
    m_worn = true;
    m_socket.close();
    if (m_status || m_process <= 0) return;
    ::kill(m_process, SIGKILL);
    int status = 0;
    pid_t ended = -1;
    do ended = ::waitpid(m_process, &status, 0);
    while (ended < 0 && errno == EINTR);
    m_status = ended == m_process ? status : 0;
}

}  // namespace warpscope::io
