// Many images through the same steps: workers that each take one input after the other.
#include <fcntl.h>
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/apply.h"
#include "cli/batch_inputs.h"
#include "cli/batch_journal.h"
#include "engine/base/clock.h"
#include "engine/io/file_handle.h"

namespace warpscope::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    enum class Status { Done, Failed, Skipped, Stopped } status = Status::Stopped;
    std::string error;
    std::string backend;
    double decodeMs = 0, computeMs = 0, encodeMs = 0;

    const char* word() const {
        return status == Status::Done ? "done" : status == Status::Failed ? "failed" : "skipped";
    }
};

// One line a finished input, written as soon as it is known.
class Report {
  public:
    ~Report() {
        if (m_file && m_file != stdout) std::fclose(m_file);
    }
    // Errors: Io.
    Result<void> open(const std::string& file) {
        if (file.empty()) return {};
        if (file == kStream) {
            m_file = stdout;
            return {};
        }
        // A FIFO opens once somebody reads; until then a signal must be heard.
        int descriptor = -1;
        for (bool said = false;; said = true) {
            constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
            descriptor = ::open(file.c_str(), kHow, 0666);
            if (descriptor >= 0) break;
            const int code = errno;
            if (code != ENXIO || !fs::is_fifo(file))
                return fail(ErrorCode::Io, fmt::format("--report {}: cannot be written: {}", file,
                                                       io::systemReason(code)));
            if (!said) notice(fmt::format("--report {}: waiting for somebody who reads it", file));
            if (interruptToken().stop_requested()) return cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
        m_file = ::fdopen(descriptor, "w");
        if (!m_file)
            return fail(ErrorCode::Io, fmt::format("--report {}: cannot be written", file));
        return {};
    }
    // False once a line could not be written.
    bool add(const BatchItem& item, const Outcome& outcome) {
        if (!m_file) return true;
        const auto round = [](double ms) { return std::round(ms * 1000) / 1000; };
        nlohmann::ordered_json line = {{"input", item.input},
                                       {"output", item.output.string()},
                                       {"status", outcome.word()},
                                       {"error", nullptr},
                                       {"decode_ms", round(outcome.decodeMs)},
                                       {"compute_ms", round(outcome.computeMs)},
                                       {"encode_ms", round(outcome.encodeMs)},
                                       {"backend", nullptr}};
        if (!outcome.error.empty()) line["error"] = outcome.error;
        if (!outcome.backend.empty()) line["backend"] = outcome.backend;
        const std::string text =
            line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
        const EndableWork work;  // whoever reads may be slow
        errno = 0;
        const bool written = std::fwrite(text.data(), 1, text.size(), m_file) == text.size() &&
                             std::fflush(m_file) == 0;
        // A reader that went away has read enough.
        return written || errno == EPIPE;
    }

  private:
    std::FILE* m_file = nullptr;
};

class Batch {
  public:
    Batch(const ApplyOptions& options, const Pipeline& pipeline, Image second,
          std::vector<BatchItem> items, BackendSet backends, Report& report)
        : m_options(options),
          m_pipeline(pipeline),
          m_second(std::move(second)),
          m_items(std::move(items)),
          m_executor(std::move(backends), options.memory.bytes()),
          m_journal(pipeline, options.second),
          m_report(report),
          m_bar("images") {}

    int run() {
        {
            std::vector<std::jthread> workers;
            for (int i = 0; i < jobs(); ++i) workers.emplace_back([this] { work(); });
        }
        m_bar.clear();
        const std::string done = fmt::format("{} of {} images were done", m_done, m_items.size());
        if (m_failures.size() > 1) {
            complain(fmt::format("{} of {} images failed:", m_failures.size(), m_items.size()));
        }
        for (const std::string& failure : m_failures) complain(failure);
        if (interruptToken().stop_requested())
            return failWith({ErrorCode::Cancelled,
                             fmt::format("stopped: {}; --resume goes on with the rest", done)});
        if (!m_failures.empty()) {
            if (!m_options.keepGoing && m_done + m_failures.size() < m_items.size())
                notice(fmt::format("stopped: {}; --keep-going does the others", done));
            return kFailed;
        }
        if (m_skipped > 0)
            notice(fmt::format("{} of {} images were there already", m_skipped, m_items.size()));
        return m_reportBroke ? failWith({ErrorCode::Io, "--report: not all lines could be written"})
                             : kDone;
    }

  private:
    // A chain holds what a step reads and what it writes, and a third image where a later step
    // takes one; only one runs at a time, because it uses all cores. Every other worker holds one
    // image and the bytes of a file; four images are the most altogether.
    int jobs() const {
        constexpr int kMostImages = 4;
        int steps = 0;
        for (const Step& step : m_pipeline.steps) steps += step.enabled ? 1 : 0;
        const int wanted = m_options.jobs > 0 ? m_options.jobs : kMostImages - std::min(steps, 2);
        return int(std::min(std::size_t(wanted), m_items.size()));
    }

    void work() {
        while (!interruptToken().stop_requested() && !m_ended) {
            const std::size_t index = m_next++;
            if (index >= m_items.size()) return;
            const Outcome outcome = process(m_items[index]);
            record(m_items[index], outcome);
        }
    }

    Outcome process(const BatchItem& item) {
        Outcome outcome;
        if (m_options.resume && m_journal.isDone(item)) {
            outcome.status = Outcome::Status::Skipped;
            return outcome;
        }
        const auto mark = FileMark::of(item.input);
        const auto result = produce(item, outcome);
        if (result) {
            outcome.status = Outcome::Status::Done;
            if (mark) m_journal.add(item, *mark);
        } else if (result.error().code != ErrorCode::Cancelled) {
            outcome.status = Outcome::Status::Failed;
            outcome.error = result.error().message;
        }
        return outcome;
    }

    Result<void> produce(const BatchItem& item, Outcome& outcome) {
        Stopwatch decoding;
        auto image = readInput(item.input, m_options.memory);
        outcome.decodeMs = decoding.elapsedMs();
        if (!image) return fail(image.error());
        auto made = compute(item, std::move(*image), outcome);
        if (!made) return fail(made.error());
        Stopwatch encoding;
        std::error_code error;
        if (const fs::path folder = item.output.parent_path(); !folder.empty())
            fs::create_directories(folder, error);
        if (error)
            return fail(ErrorCode::Io, fmt::format("{}: not saved, its folder cannot be made: {}",
                                                   item.output.string(), error.message()));
        WriteOptions write;
        write.protectedFiles = {item.input, m_options.second};
        write.overwriteProtected = m_options.overwriteInput;
        auto saved = saveOutput(*made, item.output.string(), {}, write);
        outcome.encodeMs = encoding.elapsedMs();
        if (!saved) return fail(withOverwriteOption(saved.error()));
        return {};
    }

    Result<Image> compute(const BatchItem& item, Image image, Outcome& outcome) {
        const std::lock_guard lock(m_computing);
        ExecuteRequest request;
        request.pipeline =
            isPreset(m_options.pipelineFile) ? fittedTo(m_pipeline, image) : m_pipeline;
        request.source = std::move(image);
        request.second = m_second;
        request.backend = m_options.backend.choice();
        request.useCache = false;
        const Stopwatch computing;
        // The request goes with it, so that the source lives no longer than it must.
        auto result = runSteps(m_executor, std::move(request), m_options.backend,
                               RunContext{interruptToken(), {}}, item.input + ": ");
        outcome.computeMs = computing.elapsedMs();
        if (!result) {
            if (result.error().code == ErrorCode::Cancelled) return fail(result.error());
            return fail(result.error().code, item.input + ": " + result.error().message);
        }
        for (const StepReport& step : result->steps)
            if (step.backend) outcome.backend = backendId(*step.backend);
        return std::move(result->image);
    }

    void record(const BatchItem& item, const Outcome& outcome) {
        if (outcome.status == Outcome::Status::Stopped) return;
        const std::lock_guard lock(m_mutex);
        if (!m_report.add(item, outcome)) m_reportBroke = true;
        if (outcome.status == Outcome::Status::Failed) {
            m_failures.push_back(outcome.error);
            if (!m_options.keepGoing) m_ended = true;
        } else {
            ++m_done;
            if (outcome.status == Outcome::Status::Skipped) ++m_skipped;
        }
        const std::size_t finished = m_done + m_failures.size();
        m_bar.update(double(finished) / double(m_items.size()),
                     fmt::format("{}/{}  {}", finished, m_items.size(), item.input));
    }

    const ApplyOptions& m_options;
    const Pipeline& m_pipeline;
    const Image m_second;
    const std::vector<BatchItem> m_items;
    std::mutex m_computing;
    Executor m_executor;  // guarded by m_computing
    BatchJournal m_journal;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_ended = false;
    std::mutex m_mutex;
    Report& m_report;  // guarded by m_mutex, as all that follows
    std::vector<std::string> m_failures;
    std::size_t m_done = 0;  // with those that were skipped
    std::size_t m_skipped = 0;
    bool m_reportBroke = false;
    ProgressBar m_bar;
};

// A report must not replace what is read or written.
Result<void> checkReport(const ApplyOptions& options, const std::vector<BatchItem>& items) {
    const std::string& report = options.report;
    if (report.empty() || report == kStream) return {};
    std::error_code none;
    const fs::path file = fs::absolute(report, none).lexically_normal();
    for (const BatchItem& item : items)
        for (const fs::path& other : {fs::path(item.input), item.output})
            if (fs::absolute(other, none).lexically_normal() == file ||
                fs::equivalent(other, file, none))
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("--report {}: it is an image of this run", report));
    std::vector<std::string> read = {options.second, options.pipelineFile};
    for (const std::string& input : options.inputs)
        if (input.starts_with('@')) read.push_back(input.substr(1));
    for (const std::string& other : read)
        if (!other.empty() && (fs::absolute(other, none).lexically_normal() == file ||
                               fs::equivalent(other, file, none)))
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--report {}: it is read in this run", report));
    return {};
}

}  // namespace

bool isBatch(const ApplyOptions& options) {
    if (options.inputs.size() != 1 || options.inputs[0].starts_with('@')) return true;
    std::error_code none;
    return namesMany(options.output) || fs::is_directory(options.inputs[0], none) ||
           options.keepGoing || options.resume || options.jobs > 0 || !options.shard.empty() ||
           !options.report.empty();
}

int runBatch(const ApplyOptions& options, const Pipeline& pipeline) {
    auto items = batchItems(options.inputs, options.recursive);
    if (!items) return failWith(items.error());
    const auto refused = [](const Error& error) {
        return error.code == ErrorCode::InvalidArgument ? usageError(error.message)
                                                        : failWith(error);
    };
    if (auto named = nameOutputs(*items, options.output, options.to); !named)
        return refused(named.error());
    if (auto good = checkInputsSurvive(*items, options.overwriteInput); !good)
        return failWith(options.overwriteInput ? good.error() : withOverwriteOption(good.error()));
    if (auto good = checkReport(options, *items); !good) return refused(good.error());
    items = shardOf(std::move(*items), options.shard);
    if (!items) return refused(items.error());
    const auto backends = options.backend.makeBackends();
    if (!backends) return failWith(backends.error());
    auto second = readSecond(options, options.memory);
    if (!second) return failWith(second.error());
    Report report;
    if (auto opened = report.open(options.report); !opened) return failWith(opened.error());
    return Batch(options, pipeline, std::move(*second), std::move(*items), *backends, report).run();
}

}  // namespace warpscope::cli
