#include "engine/io/isolated_reader.h"

#include <fmt/format.h>

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
using HelperPtr = std::unique_ptr<HelperProcess>;

constexpr const char* kSecondsVariable = "WARPSCOPE_DECODE_SECONDS";

// A decoder that waits for the processor, on a busy machine, is none that hangs.
void setSeconds(DecodeHelper& helper, int seconds) {
    helper.processorSeconds = seconds;
    helper.wallSeconds = 2 * seconds;
}

class Helpers {
  public:
    Helpers() : m_program(standardDecodeHelper()) {
        if (m_program.program.empty()) m_broken = whyNone();
    }

    // A process that is ready; null where none can be had, then a warning was logged once.
    // Errors: Cancelled.
    Result<HelperPtr> take(const std::stop_token& stop) {
        DecodeHelper program;
        {
            const std::lock_guard lock(m_mutex);
            while (!m_waiting.empty()) {
                HelperPtr helper = std::move(m_waiting.back());
                m_waiting.pop_back();
                if (helper->ready()) return helper;
            }
            if (!m_broken.empty()) {
                warn(fmt::format("images are decoded in this process, without protection: {}",
                                 m_broken));
                return nullptr;
            }
            program = m_program;
        }
        auto helper = HelperProcess::start(program, stop);
        const std::lock_guard lock(m_mutex);
        if (helper) {
            if (const auto& greeting = (*helper)->greeting(); !greeting.filtered)
                warn(
                    fmt::format("images are decoded with limits on memory and time, but without a "
                                "filter on system calls: {}",
                                m_unfiltered = greeting.whyNot));
            return helper;
        }
        if (helper.error().code == ErrorCode::Cancelled) return helper;
        warn(fmt::format("images are decoded in this process, without protection: {}",
                         helper.error().message));
        // A lack of processes or memory passes.
        if (helper.error().code != ErrorCode::OutOfMemory) m_broken = helper.error().message;
        return nullptr;
    }

    void give(HelperPtr helper) {
        const std::lock_guard lock(m_mutex);
        if (helper->ready() && m_waiting.size() < kMostWaitingHelpers)
            m_waiting.push_back(std::move(helper));
    }

    void setTime(std::optional<int> seconds, std::string howToRaise) {
        std::vector<HelperPtr> ended;
        const std::lock_guard lock(m_mutex);
        ended.swap(m_waiting);
        if (seconds) setSeconds(m_program, *seconds);
        m_program.howToRaiseTime = std::move(howToRaise);
    }

    void replace(DecodeHelper program) {
        std::vector<HelperPtr> ended;
        const std::lock_guard lock(m_mutex);
        ended.swap(m_waiting);
        m_program = std::move(program);
        m_broken = m_program.program.empty() ? whyNone() : std::string();
        m_unfiltered.clear();
        m_said.clear();
    }

    bool anyWaiting() {
        const std::lock_guard lock(m_mutex);
        return !m_waiting.empty() || !m_broken.empty();
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
    void warn(std::string text) {
        if (text == m_said) return;
        m_said = std::move(text);
        logMessage(LogLevel::Warning, m_said);
    }

    std::mutex m_mutex;  // guards everything
    DecodeHelper m_program;
    std::vector<HelperPtr> m_waiting;
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
    if (!*helper) return inProcess();
    HelperRequest request;
    request.kind = kind;
    request.side = side;
    request.name = name;
    request.options = options;
    io::HelperResult result = (*helper)->ask(std::move(request), file, options.stop);
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
    if (helpers().anyWaiting()) return;
    std::thread([] {
        if (auto helper = helpers().take({}); helper && *helper) helpers().give(std::move(*helper));
    }).detach();
}

std::string decodingProtection() {
    if (auto helper = helpers().take({}); helper && *helper) helpers().give(std::move(*helper));
    return helpers().protection();
}

}  // namespace warpscope
