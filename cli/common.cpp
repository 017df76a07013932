#include "cli/common.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "cuda_kernels/runtime/cuda_backend.h"
#include "engine/backend/gpu_choice.h"
#include "engine/io/decode_support.h"
#include "engine/io/file_bytes.h"
#include "engine/io/image_reader.h"
#include "engine/io/isolated_reader.h"
#include "engine/io/text_file.h"
#include "engine/pipeline/executor.h"
#include "engine/pipeline/shipped_presets.h"

namespace warpscope::cli {

namespace {

constexpr std::string_view kPresetPrefix = "preset:";

bool quiet = false;                // constant once the command line is parsed
std::atomic<int> signalHeard = 0;  // the first one

// How much endable work is under way.
std::atomic<int> endableWorks = 0;

[[noreturn]] void endNow() {
    abandonSaves();
    _exit(128 + signalHeard);
}

// The second that a person waits at most, less what it takes to end.
void endInTheMiddle(const sigset_t& signals) {
    using namespace std::chrono_literals;
    const timespec beat{0, 50'000'000};
    for (auto asked = std::chrono::steady_clock::now();;) {
        // A second signal ends the program at once, should the first not be heard.
        if (sigtimedwait(&signals, nullptr, &beat) > 0) endNow();
        // The threads that work say nothing of their own from here on.
        constexpr int kEnded = -1'000'000;
        int works = endableWorks;
        if (std::chrono::steady_clock::now() - asked > 700ms && works > 0 &&
            endableWorks.compare_exchange_strong(works, kEnded)) {
            complain(cancelled().value().message);
            endNow();
        }
    }
}

// Where a text or an image goes onto standard output.
Result<void> writeStandardOutput(std::string_view bytes) {
    errno = 0;
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    if ((written && std::fflush(stdout) == 0) || errno == EPIPE) return {};
    return fail(ErrorCode::Io, "standard output: cannot be written");
}

// The format of standard output that keeps every sample.
std::string streamExtension(const Image& image) {
    const bool alpha = isColor(image.format()) && image.info().hasAlpha;
    if (bytesPerSample(image.format()) <= 2) return alpha ? "pam" : "pnm";
    return isFloat(image.format()) && !alpha ? "pfm" : "npy";
}

}  // namespace

int failWith(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::Cancelled && signalHeard ? 128 + signalHeard : kFailed;
}

std::vector<std::string>& commandLine() {
    static std::vector<std::string> words;
    return words;
}

int usageError(const std::string& message) {
    complain(message);
    return kWrongUsage;
}

void complain(std::string_view message) {
    constexpr std::size_t kLongestLine = 8192;
    // Not fmt::print, which throws where standard error is closed.
    const std::string line =
        fmt::format("warpscope-cli: {}\n", io::cleanText(message, kLongestLine));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void notice(std::string_view message) {
    if (!quiet) complain(message);
}

void addQuietTo(CLI::App& command) {
    command.add_flag("-q,--quiet", quiet, "Nothing on standard error but failures");
}

Result<void> writeOutput(std::string_view text, const std::string& file,
                         const WriteOptions& options) {
    if (file.empty() || file == kStream) return writeStandardOutput(text);
    // Saving replaces files; this one means that nobody wants the text.
    if (file == kNowhere) return {};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    return writeFileAtomically(file, {bytes, text.size()}, options);
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
            signalHeard = received;
            made.request_stop();
            endInTheMiddle(signals);
        }).detach();
        return made;
    }();
    return source.get_token();
}

EndableWork::EndableWork() {
    ++endableWorks;
}

EndableWork::~EndableWork() {
    if (--endableWorks < 0)
        for (;;) pause();  // the program is being ended
}

struct ProgressBar::State {
    std::mutex mutex;
    std::string what;                                // constant
    std::chrono::steady_clock::time_point lastDraw;  // guarded by mutex
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    bool drawn = false;  // guarded by mutex
    bool terminal = !quiet && isatty(STDERR_FILENO) != 0;
    bool lines = false;  // constant
};

ProgressBar::ProgressBar(std::string what, InPipe pipe) : m_state(std::make_shared<State>()) {
    m_state->what = std::move(what);
    m_state->lines = !quiet && !m_state->terminal && pipe == InPipe::Lines;
    m_state->lastDraw = m_state->started;
}

ProgressBar::~ProgressBar() {
    clear();
    m_state->terminal = false;
}

void ProgressBar::clear() {
    const std::lock_guard lock(m_state->mutex);
    if (std::exchange(m_state->drawn, false)) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::update(double fraction, std::string_view detail) {
    using namespace std::chrono_literals;
    const std::lock_guard lock(m_state->mutex);
    const auto now = std::chrono::steady_clock::now();
    if (m_state->lines && now - m_state->lastDraw >= 10s) {
        m_state->lastDraw = now;
        fmt::print(stderr, "{} {:.0f}%  {}\n", m_state->what, fraction * 100, detail);
    }
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

void addGpuTo(CLI::App& command, std::string& gpu) {
    const CLI::Validator name(
        [](std::string& text) {
            auto made = gpuNameFrom(text);
            if (!made) return made.error().message;
            text = std::move(*made);
            return std::string();
        },
        "");
    command
        .add_option("--gpu", gpu,
                    "Which GPU of several, by its UUID or the beginning of it (see devices); "
                    "otherwise the first that can be used")
        ->type_name("UUID")
        ->transform(name);
}

CudaOptions cudaOptions(const std::string& gpu) {
    const char* warmUp = std::getenv("WARPSCOPE_WARM_UP");
    return {gpu, !(warmUp && std::string_view(warmUp) == "off")};
}

void BackendOption::addTo(CLI::App& command) {
    command.add_option("--backend", id, "Where to compute; auto takes the GPU if there is one")
        ->check(CLI::IsMember({"auto", "cpu", "cpu-single", "cuda"}))
        ->capture_default_str();
    addGpuTo(command, gpu);
    command.add_flag("--require-backend", required,
                     "Fail where something would run elsewhere, instead of falling back");
}

Result<BackendSet> BackendOption::makeBackends() const {
    // Looking for a GPU costs time that a CPU run need not spend.
    if (choice() == BackendChoice::Cpu || choice() == BackendChoice::CpuSingle) {
        if (!gpu.empty()) notice("--gpu changes nothing: all is computed on the CPU");
        return BackendSet::cpuOnly("not asked for");
    }
    BackendSet backends = warpscope::makeBackends(cudaOptions(gpu));
    if (!backends.gpuNotice.empty()) {
        if (required)
            return fail(ErrorCode::Unsupported, "--require-backend: " + backends.gpuNotice);
        notice("--gpu: " + backends.gpuNotice);
    }
    // Whoever names a GPU wants one.
    const auto pick = backends.pick(gpu.empty() ? choice() : BackendChoice::Cuda);
    if (pick.fallbackReason.empty()) return backends;
    if (required)
        return fail(ErrorCode::Unsupported,
                    fmt::format("--require-backend: no {}: {}", gpu.empty() ? id : gpu,
                                pick.fallbackReason));
    notice(fmt::format("running on {}: {}", pick.backend->info().label, pick.fallbackReason));
    return backends;
}

Result<void> BackendOption::judge(const std::string& what, BackendKind ranOn,
                                  const std::string& reason, bool gpuThere) const {
    if (reason.empty()) return {};
    if (required)
        return fail(ErrorCode::Unsupported, fmt::format("--require-backend: {}ran on {}: {}", what,
                                                        backendId(ranOn), reason));
    if (gpuThere) notice(fmt::format("{}ran on {}: {}", what, backendId(ranOn), reason));
    return {};
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
    command
        .add_option_function<int>(
            "--decode-seconds",
            [](int seconds) { setDecodeSeconds(seconds, kHowToRaiseDecodeTime); },
            "Seconds of processor time that decoding one file may take, and twice as many of "
            "time, beside 4 for each MiB of the file; otherwise 60")
        ->type_name("N")
        ->check(CLI::Range(1, kMostDecodeSeconds));
}

void PageOption::addTo(CLI::App& command) {
    command
        .add_option("--page", number,
                    "Which page, frame or part of a file that holds several; info lists them")
        ->type_name("N")
        ->check(CLI::Range(1, 65535))
        ->capture_default_str();
}

Error withOverwriteOption(Error error) {
    if (error.code == ErrorCode::InvalidArgument)
        error.message += "; --overwrite-input allows replacing it";
    return error;
}

Result<Image> readInput(const std::string& file, const MemoryOption& memory,
                        const PageOption& page) {
    ReadOptions options;
    options.page = page.number - 1;
    options.limits.maxDecodedBytes = memory.bytes();
    options.limits.howToRaise = "--memory MIB sets another";
    options.stop = interruptToken();
    const auto image = [&] {
        const EndableWork work;
        return file == kStream ? readImageIsolatedFrom(STDIN_FILENO, "standard input", options)
                               : readImageIsolated(file, options);
    }();
    if (image)
        for (const std::string& text : image->info().notices)
            notice(fmt::format("{}: {}", file == kStream ? "standard input" : file, text));
    return image;
}

Result<std::string> readTextInput(const std::string& file, std::uint64_t most) {
    if (file != kStream) return readTextFile(file, most);
    auto bytes = io::readDescriptorBytes(STDIN_FILENO, "standard input", most, interruptToken());
    if (!bytes) return fail(bytes.error());
    return std::string(reinterpret_cast<const char*>(bytes->data.get()), bytes->size);
}

bool isPreset(const std::string& file) {
    return file.starts_with(kPresetPrefix);
}

Result<Pipeline> readPipeline(const std::string& file) {
    if (isPreset(file)) return shippedPreset(std::string_view(file).substr(kPresetPrefix.size()));
    auto text = readTextInput(file, kMaxPipelineBytes);
    if (!text) return fail(text.error());
    auto read = pipelineFromJson(*text);
    if (!read) return fail(read.error().code, file + ": " + read.error().message);
    return read;
}

Result<void> checkSecond(const Pipeline& pipeline, const std::string& file) {
    const auto takesSecond = [](const Step& step) {
        const auto reference = secondInputOf(step);
        return step.enabled && reference && reference->kind == ImageReference::Kind::Second;
    };
    const auto& steps = pipeline.steps;
    const auto first = std::ranges::find_if(steps, takesSecond);
    if (first == steps.end()) {
        if (!file.empty()) notice(fmt::format("--second {}: no step takes it", file));
        return {};
    }
    if (!file.empty()) return {};
    return fail(ErrorCode::InvalidArgument,
                fmt::format("step {}, {}: takes a second image; --second FILE names it",
                            first - steps.begin() + 1, first->operation));
}

void addFormatTo(CLI::App& command, std::string& extension) {
    std::vector<std::string> known;
    for (const FormatInfo& format : imageFormats())
        if (format.writes)
            known.insert(known.end(), format.extensions.begin(), format.extensions.end());
    command.add_option("--to", extension, "Format where no name of a file chooses it")
        ->type_name("FORMAT")
        ->check(CLI::IsMember(known));
}

Result<void> checkOutput(const std::string& output) {
    if (output == kStream) {
        if (isatty(STDOUT_FILENO))
            return fail(ErrorCode::Io,
                        "standard output is a terminal: send the image to a file or a program");
        return {};
    }
    if (auto known = formatForSaving(output); !known) return fail(known.error());
    return {};
}

Result<void> saveOutput(const Image& image, const std::string& output, const std::string& to,
                        const WriteOptions& options) {
    const bool stream = output == kStream;
    const std::string name =
        !stream ? output : "standard output." + (to.empty() ? streamExtension(image) : to);
    Result<EncodedImage> encoded = EncodedImage();
    {
        const EndableWork work;
        encoded = encodeImage(image, name, interruptToken());
        if (encoded && stream) {
            const auto* bytes = reinterpret_cast<const char*>(encoded->bytes.data());
            if (auto ok = writeStandardOutput({bytes, encoded->bytes.size()}); !ok) return ok;
        }
    }
    if (!encoded) return fail(encoded.error());
    if (interruptToken().stop_requested()) return cancelled();
    if (!stream) {
        WriteOptions stoppable = options;
        stoppable.stop = interruptToken();
        auto written = replaceFile(output, encoded->bytes, stoppable);
        if (!written) return fail(written.error());
        std::ranges::move(*written, std::back_inserter(encoded->notices));
    }
    for (const std::string& text : encoded->notices)
        notice(fmt::format("{}: {}", stream ? "standard output" : output, text));
    return {};
}

}  // namespace warpscope::cli
