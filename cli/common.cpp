#include "cli/common.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/io/decode_support.h"
#include "engine/io/image_reader.h"
#include "engine/pipeline/executor.h"

namespace warpscope::cli {

int failWith(const Error& error) {
    notice(error.message);
    return kFailed;
}

int usageError(const std::string& message) {
    notice(message);
    return kWrongUsage;
}

void notice(std::string_view message) {
    constexpr std::size_t kLongestLine = 8192;
    // Not fmt::print, which throws where standard error is closed.
    const std::string line =
        fmt::format("warpscope-cli: {}\n", io::cleanText(message, kLongestLine));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

Result<void> writeOutput(std::string_view text, const std::string& file,
                         const WriteOptions& options) {
    if (file.empty() || file == "-") {
        // A reader that went away (head) or a full disk is a failure like any other.
        const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
        if (!written || std::fflush(stdout) != 0)
            return fail(ErrorCode::Io, "standard output: cannot be written");
        return {};
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return writeFileAtomically(file, {bytes, text.size()}, options);
}

// How many reads are under way. While there are any, nothing is written and nothing would be left
// behind: the program can end at any moment.
static std::atomic<int> readsUnderWay = 0;

// What a library does in one piece may not hear the token. The second that a person waits at most,
// less what it takes to end.
static void endWhereReadingGoesOn(const sigset_t& signals) {
    using namespace std::chrono_literals;
    const timespec beat{0, 50'000'000};
    for (auto asked = std::chrono::steady_clock::now();;) {
        // A second signal ends the program at once, should the first not be heard.
        if (sigtimedwait(&signals, nullptr, &beat) > 0) _exit(kFailed);
        // The thread that reads says nothing of its own from here on.
        int reads = 1;
        if (std::chrono::steady_clock::now() - asked > 700ms &&
            readsUnderWay.compare_exchange_strong(reads, -1)) {
            notice(cancelled().value().message);
            _exit(kFailed);
        }
    }
}

std::stop_token interruptToken() {
    // A thread waits for the signals, because a handler may not touch a stop source.
    static std::stop_source source = [] {
        std::stop_source made;
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals, nullptr);
        std::thread([made, signals]() mutable {
            int received = 0;
            sigwait(&signals, &received);
            made.request_stop();
            endWhereReadingGoesOn(signals);
        }).detach();
        return made;
    }();
    return source.get_token();
}

struct ProgressBar::State {
    std::mutex mutex;
    std::string what;                                // constant
    std::chrono::steady_clock::time_point lastDraw;  // guarded by mutex
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    bool drawn = false;  // guarded by mutex
    bool terminal = isatty(STDERR_FILENO) != 0;
};

ProgressBar::ProgressBar(std::string what) : m_state(std::make_shared<State>()) {
    m_state->what = std::move(what);
}

ProgressBar::~ProgressBar() {
    const std::lock_guard lock(m_state->mutex);
    if (m_state->drawn) fmt::print(stderr, "\r\033[K");
    m_state->terminal = false;
}

void ProgressBar::update(double fraction, std::string_view detail) {
    using namespace std::chrono_literals;
    const std::lock_guard lock(m_state->mutex);
    const auto now = std::chrono::steady_clock::now();
    // Short work draws nothing.
    if (!m_state->terminal || now - m_state->started < 300ms || now - m_state->lastDraw < 80ms)
        return;
    m_state->lastDraw = now;
    m_state->drawn = true;
    constexpr int kCells = 30;
    const int full = std::clamp(int(fraction * kCells), 0, kCells);
    fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f}%  {}", m_state->what,
               std::string(std::size_t(full), '='), std::string(std::size_t(kCells - full), ' '),
               fraction * 100, detail);
    std::fflush(stderr);
}

std::function<void(double)> ProgressBar::sink() {
    return [this](double fraction) { update(fraction); };
}

void BackendOption::addTo(CLI::App& command) {
    command.add_option("--backend", id, "Where to compute; auto takes the GPU if there is one")
        ->check(CLI::IsMember({"auto", "cpu", "cpu-single", "cuda"}))
        ->capture_default_str();
}

BackendSet backendsFor(BackendChoice choice) {
    // Looking for a GPU costs time that a CPU run need not spend.
    if (choice == BackendChoice::Cpu || choice == BackendChoice::CpuSingle)
        return BackendSet::cpuOnly("not asked for");
    BackendSet backends = makeBackends();
    const auto pick = backends.pick(choice);
    if (!pick.fallbackReason.empty())
        notice(fmt::format("running on {}: {}", pick.backend->info().label, pick.fallbackReason));
    return backends;
}

MemoryOption::MemoryOption() : mib(defaultMemoryBudget() >> 20) {}

void MemoryOption::addTo(CLI::App& command) {
    // The default is said in words: help and manual are the same on every machine.
    command
        .add_option("--memory", mib,
                    "MiB that an image and its file may take; otherwise a quarter of the machine's "
                    "memory, at most 8192")
        ->type_name("MIB")
        ->check(CLI::Range(std::uint64_t(1), std::uint64_t(1) << 20));
}

Error withOverwriteOption(Error error) {
    if (error.code == ErrorCode::InvalidArgument)
        error.message += "; --overwrite-input allows replacing it";
    return error;
}

Result<Image> readInput(const std::string& file, const MemoryOption& memory) {
    ReadOptions options;
    options.limits.maxDecodedBytes = memory.bytes();
    options.limits.howToRaise = "--memory MIB sets another";
    options.stop = interruptToken();
    ++readsUnderWay;
    auto image = readImage(file, options);
    if (--readsUnderWay < 0)
        for (;;) pause();  // the program is being ended
    if (image)
        for (const std::string& text : image->info().notices)
            notice(fmt::format("{}: {}", file, text));
    return image;
}

}  // namespace warpscope::cli
