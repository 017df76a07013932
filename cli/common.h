// What the sub-commands share: exit codes, output, the stop signal, the progress bar, common
// options.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/base/result.h"
#include "engine/image/image.h"
#include "engine/io/image_writer.h"

namespace warpscope::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;

// One line on standard error, whatever control characters the text brought from a file or an
// argument. Returns the exit code.
int failWith(const Error& error);
int usageError(const std::string& message);
void notice(std::string_view message);  // one line on standard error

// Standard output, or a file written atomically if `file` is not empty or "-".
Result<void> writeOutput(std::string_view text, const std::string& file,
                         const WriteOptions& options = {});

// Requested once by Ctrl-C or SIGTERM; a second one ends the program. So does the first within a
// second where it came while an image is read. The first call must come before any thread is
// started.
std::stop_token interruptToken();

// A bar on standard error if that is a terminal, nothing in a pipe. Thread-safe; removes itself.
class ProgressBar {
  public:
    explicit ProgressBar(std::string what);
    ~ProgressBar();
    void update(double fraction, std::string_view detail = {});
    std::function<void(double)> sink();

  private:
    struct State;
    std::shared_ptr<State> m_state;
};

// --backend auto|cpu|cpu-single|cuda
struct BackendOption {
    std::string id = "auto";
    void addTo(CLI::App& command);
    BackendChoice choice() const { return *choiceFromId(id); }
};

// Backends made for this run; says on standard error when CUDA was asked for by name and cannot be
// had.
BackendSet backendsFor(BackendChoice choice);

// --memory MIB: the largest image that is read, and what results of steps may keep.
struct MemoryOption {
    MemoryOption();  // as the window
    std::uint64_t mib;
    void addTo(CLI::App& command);
    std::uint64_t bytes() const { return mib << 20; }
};

// Reads an image, printing its notices. One beyond the memory is refused, naming the option.
Result<Image> readInput(const std::string& file, const MemoryOption& memory);

// Where writing over a protected input was refused: names the option that allows it.
Error withOverwriteOption(Error error);

// A sub-command: registers itself, and is run if it was called. `exitCode` is set by its callback.
void addApply(CLI::App& app, int& exitCode);
void addHistogram(CLI::App& app, int& exitCode);
void addBench(CLI::App& app, int& exitCode);
void addInfo(CLI::App& app, int& exitCode);
void addIntegral(CLI::App& app, int& exitCode);
void addOps(CLI::App& app, int& exitCode);
void addDevices(CLI::App& app, int& exitCode);
void addScene(CLI::App& app, int& exitCode);

}  // namespace warpscope::cli
