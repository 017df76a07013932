#include "engine/io/isolated_reader.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "engine/base/log.h"
#include "engine/base/system_files.h"
#include "engine/io/decode_support.h"
#include "engine/io/helper/helper_process.h"
#include "engine/io/helper/helper_start.h"
#include "engine/io/open_file_reader.h"
#include "engine/io/reduced_reader.h"

namespace warpscope {
namespace {

using io::HelperProcess;
using io::HelperRequest;

constexpr const char* kSecondsVariable = "WARPSCOPE_DECODE_SECONDS";

// A decoder that waits for the processor, on a busy machine, is none that hangs.
void setSeconds(DecodeHelper& helper, int seconds) {
    helper.processorSeconds = seconds;
    helper.wallSeconds = 2 * seconds;
}

// A process, and what it was started with: null where files are decoded in this one.
struct Helper {
    std::unique_ptr<HelperProcess> process;
    std::uint64_t generation = 0;  // of the settings
    int niceness = 0;              // of the thread that started it, which processes inherit
};

int nicenessOfThread() {
    return ::getpriority(PRIO_PROCESS, 0);
}

class Helpers {
  public:
    Helpers() : m_program(standardDecodeHelper()) {
        if (m_program.program.empty()) m_broken = whyNone();
    }

    // A process that is ready, as nice as the calling thread: an image that somebody waits for is
    // not decoded behind all others because a thumbnail was before. None where none can be had,
    // then a warning was logged once. Errors: Cancelled.
    Result<Helper> take(const std::stop_token& stop) {
        const int niceness = nicenessOfThread();
        std::unique_lock lock(m_mutex);
        while (true) {
            if (auto helper = takeWaiting(niceness)) return std::move(*helper);
            if (!m_broken.empty()) {
                warn(fmt::format("images are decoded in this process, without protection: {}",
                                 m_broken));
                return Helper{};
            }
            // One that is being started is there sooner than another one would be.
            if (!m_preparing || m_awaited || niceness != m_preparedNiceness) break;
            m_awaited = true;
            m_prepared.wait(lock, stop, [this] { return !m_preparing; });
            m_awaited = false;
            if (stop.stop_requested()) return cancelled();
        }
        return start(lock, stop);
    }

    // What is of settings that have changed meanwhile ends.
    void give(Helper helper) {
        std::vector<Helper> ended;
        const std::lock_guard lock(m_mutex);
        keep(std::move(helper), ended);
    }

    // Starts one for the next take().
    void prepare() {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_waiting.empty() || !m_broken.empty() || m_preparing) return;
            m_preparing = true;
            m_preparedNiceness = nicenessOfThread();
        }
        std::thread([this] {
            std::vector<Helper> ended;
            std::unique_lock lock(m_mutex);
            auto helper = start(lock, {});
            if (helper && helper->process) keep(std::move(*helper), ended);
            m_preparing = false;
            m_prepared.notify_all();
        }).detach();
    }

    void setTime(std::optional<int> seconds, std::string howToRaise) {
        std::vector<Helper> ended;
        const std::lock_guard lock(m_mutex);
        ended.swap(m_waiting);
        ++m_generation;
        if (seconds) setSeconds(m_program, *seconds);
        m_program.howToRaiseTime = std::move(howToRaise);
    }

    void replace(DecodeHelper program) {
        std::vector<Helper> ended;
        const std::lock_guard lock(m_mutex);
        ended.swap(m_waiting);
        ++m_generation;
        m_program = std::move(program);
        m_broken = m_program.program.empty() ? whyNone() : std::string();
        m_unfiltered.clear();
        m_said.clear();
    }

    std::string protection() {
        const std::lock_guard lock(m_mutex);
        if (!m_broken.empty())
            return fmt::format("in this process, without protection: {}", m_broken);
        if (!m_unfiltered.empty())
            return fmt::format(
                "in a process of its own, with limits on memory and time; without a "
                "filter on system calls: {}",
                m_unfiltered);
        return "in a process of its own, with limits on memory and time and a filter on system "
               "calls";
    }

  private:
    static std::string whyNone() { return "the program warpscope-decode is missing or turned off"; }

    // The functions below are for who holds the mutex.

    std::optional<Helper> takeWaiting(int niceness) {
        for (auto it = m_waiting.end(); it != m_waiting.begin();) {
            --it;
            if (it->niceness != niceness) continue;
            Helper helper = std::move(*it);
            it = m_waiting.erase(it);
            if (helper.process->ready()) return helper;
        }
        return {};
    }

    // Where too many wait, those of people's own images rather than those that can wait themselves.
    void keep(Helper helper, std::vector<Helper>& ended) {
        if (!helper.process->ready() || helper.generation != m_generation)
            return ended.push_back(std::move(helper));
        m_waiting.push_back(std::move(helper));
        if (m_waiting.size() <= kMostWaitingHelpers) return;
        const auto nicest = std::ranges::max_element(m_waiting, {}, &Helper::niceness);
        ended.push_back(std::move(*nicest));
        m_waiting.erase(nicest);
    }

    // Without the lock while it starts.
    Result<Helper> start(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
        const DecodeHelper program = m_program;
        const std::uint64_t generation = m_generation;
        lock.unlock();
        auto process = HelperProcess::start(program, stop);
        lock.lock();
        if (process) {
            if (const auto& greeting = (*process)->greeting(); !greeting.filtered)
                warn(
                    fmt::format("images are decoded with limits on memory and time, but without a "
                                "filter on system calls: {}",
                                m_unfiltered = greeting.whyNot));
            return Helper{std::move(*process), generation, nicenessOfThread()};
        }
        if (process.error().code == ErrorCode::Cancelled) return fail(process.error());
        warn(fmt::format("images are decoded in this process, without protection: {}",
                         process.error().message));
        // A lack of processes or memory passes.
        if (process.error().code != ErrorCode::OutOfMemory && generation == m_generation)
            m_broken = process.error().message;
        return Helper{};
    }

    void warn(std::string text) {
        if (text == m_said) return;
        m_said = std::move(text);
        logMessage(LogLevel::Warning, m_said);
    }

    std::mutex m_mutex;  // guards everything
    std::condition_variable_any m_prepared;
    DecodeHelper m_program;
    std::uint64_t m_generation = 0;  // of m_program
    std::vector<Helper> m_waiting;
    bool m_preparing = false;
    bool m_awaited = false;  // what is being prepared, by somebody
    int m_preparedNiceness = 0;
    std::string m_broken;      // why no process can be started, empty if one can
    std::string m_unfiltered;  // why there is no filter
    std::string m_said;
};

// Never destroyed: the processes end when their sockets close with this one.
Helpers& helpers() {
    static Helpers* const instance = new Helpers;
    return *instance;
}

// What a process makes of the open file, or inProcess() where there is none.
template <class T, class InProcess>
Result<T> ask(HelperRequest::Kind kind, int side, int file, const std::string& name,
              const ReadOptions& options, InProcess&& inProcess) {
    if (options.stop.stop_requested()) return cancelled();
    auto helper = helpers().take(options.stop);
    if (!helper) return fail(helper.error());
    if (!helper->process) return inProcess();
    HelperRequest request;
    request.kind = kind;
    request.side = side;
    request.name = name;
    request.options = options;
    io::HelperResult result = helper->process->ask(std::move(request), file, options.stop);
    helpers().give(std::move(*helper));
    if (auto* error = std::get_if<Error>(&result)) return fail(std::move(*error));
    return std::get<T>(std::move(result));
}

}  // namespace

Result<Image> readImageIsolated(const std::filesystem::path& file, const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    const std::string name = io::cleanText(file.string(), 4096);
    return ask<Image>(HelperRequest::Kind::Read, 0, handle->get(), name, options,
                      [&] { return io::readOpenImage(handle->get(), name, options); });
}

Result<Image> readReducedImageIsolated(const std::filesystem::path& file, int side,
                                       const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    const std::string name = io::cleanText(file.string(), 4096);
    return ask<Image>(HelperRequest::Kind::Reduced, side, handle->get(), name, options,
                      [&] { return io::readOpenReduced(handle->get(), name, side, options); });
}

Result<std::vector<PageInfo>> listPagesIsolated(const std::filesystem::path& file,
                                                const ReadOptions& options) {
    const auto handle = io::openFile(file);
    if (!handle) return fail(handle.error());
    const std::string name = io::cleanText(file.string(), 4096);
    return ask<std::vector<PageInfo>>(
        HelperRequest::Kind::Pages, 0, handle->get(), name, options,
        [&] { return io::listOpenPages(handle->get(), name, options); });
}

Result<Image> readImageIsolatedFrom(int descriptor, const std::string& name,
                                    const ReadOptions& options) {
    const auto bytes = io::readStream(descriptor, name, options);
    if (!bytes) return fail(bytes.error());
    const io::Bytes content{bytes->data.get(), bytes->size};
    const auto inProcess = [&] {
        ReadOptions rest = options;
        rest.limits.bytesInUse += bytes->size;
        return decodeImage(content, name, rest);
    };
    const io::FileHandle file = io::memoryFile(content);
    if (!file.isOpen()) return inProcess();
    return ask<Image>(HelperRequest::Kind::Read, 0, file.get(), io::cleanText(name, 4096), options,
                      inProcess);
}

DecodeHelper standardDecodeHelper() {
    DecodeHelper helper;
    const char* named = std::getenv("WARPSCOPE_DECODE");
    if (named && std::string_view(named) == "off") return helper;
    helper.program = named && *named ? std::filesystem::path(named) : io::findHelper();
    helper.howToRaiseTime = fmt::format("{} sets another", kSecondsVariable);
    if (const char* text = std::getenv(kSecondsVariable); text && *text) {
        const auto seconds = wholeFromText(text);
        if (seconds && *seconds >= 1 && *seconds <= kMostDecodeSeconds)
            setSeconds(helper, int(*seconds));
        else
            logMessage(LogLevel::Warning,
                       fmt::format("{} is no whole number from 1 to {}; files have {} seconds",
                                   kSecondsVariable, kMostDecodeSeconds, helper.processorSeconds));
    }
    return helper;
}

void setDecodeSeconds(std::optional<int> seconds, std::string howToRaiseTime) {
    helpers().setTime(seconds, std::move(howToRaiseTime));
}

void setDecodeHelper(DecodeHelper helper) {
    helpers().replace(std::move(helper));
}

void prepareDecoding() {
    helpers().prepare();
}

std::string decodingProtection() {
    if (auto helper = helpers().take({}); helper && helper->process)
        helpers().give(std::move(*helper));
    return helpers().protection();
}

}  // namespace warpscope
