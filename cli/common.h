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
#include "engine/pipeline/pipeline.h"

namespace warpscope {
struct CudaOptions;
}

namespace warpscope::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;

// One line on standard error, whatever control characters the text brought from a file or an
// argument. Returns the exit code: after Ctrl-C 130 and after SIGTERM 143 where the error is
// Cancelled.
int failWith(const Error& error);
// What the program was called with, its own name first; set once by main.
std::vector<std::string>& commandLine();
int usageError(const std::string& message);
void complain(std::string_view message);  // one line on standard error
// The same for what is no failure: silent with --quiet.
void notice(std::string_view message);
// --quiet of a sub-command.
void addQuietTo(CLI::App& command);

// Standard output, or a file written atomically if `file` is not empty or "-". A reader of standard
// output that went away (head) is no error.
Result<void> writeOutput(std::string_view text, const std::string& file,
                         const WriteOptions& options = {});

// Requested once by Ctrl-C or SIGTERM; a second one ends the program. So does the first within a
// second where it came in the middle of EndableWork. Files that are being saved are then removed.
// The first call must come before any thread is started.
std::stop_token interruptToken();

// While one lives, a signal may end the program where it stands: what a library does in one piece
// may not hear the token. No file is written meanwhile but by saves, which leave nothing behind.
class EndableWork {
  public:
    EndableWork();
    ~EndableWork();
    EndableWork(const EndableWork&) = delete;
    EndableWork& operator=(const EndableWork&) = delete;
};

// A bar on standard error if that is a terminal, which removes itself. In a pipe nothing, or a line
// every ten seconds where work lasts minutes. Thread-safe.
class ProgressBar {
  public:
    enum class InPipe { Nothing, Lines };
    explicit ProgressBar(std::string what, InPipe pipe = InPipe::Nothing);
    ~ProgressBar();
    void update(double fraction, std::string_view detail = {});
    void clear();  // until the next update
    std::function<void(double)> sink();

  private:
    struct State;
    std::shared_ptr<State> m_state;
};

// --gpu UUID: which of several; `gpu` is as gpuNameFrom() gives it, empty: none in particular.
void addGpuTo(CLI::App& command, std::string& gpu);

// For makeBackends(), with that GPU. WARPSCOPE_WARM_UP=off in the environment: without launching
// every kernel first, for tools that follow each launch.
CudaOptions cudaOptions(const std::string& gpu);

// --backend auto|cpu|cpu-single|cuda, --gpu, --require-backend
struct BackendOption {
    std::string id = "auto";
    std::string gpu = {};
    bool required = false;
    void addTo(CLI::App& command);
    BackendChoice choice() const { return *choiceFromId(id); }
    // Made for this run; says on standard error when CUDA was asked for by name, or a GPU was, and
    // cannot be had. Errors: Unsupported if that is required.
    Result<BackendSet> makeBackends() const;
    // What did not run where it was asked to, and why: an error if that is required, else said
    // where `gpuThere`. A GPU that is not there at all has been said once already.
    Result<void> judge(const std::string& what, BackendKind ranOn, const std::string& reason,
                       bool gpuThere) const;
};

// --memory MIB: the largest image that is read, and what results of steps may keep. With it
// --decode-seconds N, which is in force from when it is parsed.
inline constexpr const char* kHowToRaiseDecodeTime = "--decode-seconds N sets another";
struct MemoryOption {
    MemoryOption();  // as the window
    std::uint64_t mib;
    void addTo(CLI::App& command);
    std::uint64_t bytes() const { return mib << 20; }
};

// "-" stands for standard input or output.
inline constexpr std::string_view kStream = "-";
// As a file to write to: nobody wants it.
inline constexpr std::string_view kNowhere = "/dev/null";

// --page N: which image of a file that holds several, from 1.
struct PageOption {
    int number = 1;
    void addTo(CLI::App& command);
};

// Reads an image, printing its notices. One beyond the memory is refused, naming the option.
Result<Image> readInput(const std::string& file, const MemoryOption& memory,
                        const PageOption& page = {});

// All bytes of a text file, or of standard input.
Result<std::string> readTextInput(const std::string& file, std::uint64_t most);

// A pipeline file, or "preset:NAME" for one that is shipped. Errors begin with its name.
bool isPreset(const std::string& file);  // "preset:..."
Result<Pipeline> readPipeline(const std::string& file);

// Whether `file`, that of --second, is there where a step takes the second image; says so where it
// is and none does. Errors: InvalidArgument.
Result<void> checkSecond(const Pipeline& pipeline, const std::string& file);

// --to FORMAT: an extension of imageFormats() that can be written.
void addFormatTo(CLI::App& command, std::string& extension);

// Into a file in the format of its name, or onto standard output in the format `to`. Where `to` is
// empty: PNM, with alpha PAM; PFM; NPY for what neither can hold. Prints notices.
Result<void> saveOutput(const Image& image, const std::string& output, const std::string& to,
                        const WriteOptions& options = {});
// Whether that can be, as far as names tell. Errors: Unsupported; Io for a terminal.
Result<void> checkOutput(const std::string& output);

// Where writing over a protected input was refused: names the option that allows it.
Error withOverwriteOption(Error error);

// A sub-command: registers itself, and is run if it was called. `exitCode` is set by its callback.
void addApply(CLI::App& app, int& exitCode);
void addAnalyze(CLI::App& app, int& exitCode);
void addCompare(CLI::App& app, int& exitCode);
void addHistogram(CLI::App& app, int& exitCode);
void addBench(CLI::App& app, int& exitCode);
void addInfo(CLI::App& app, int& exitCode);
void addIntegral(CLI::App& app, int& exitCode);
void addOps(CLI::App& app, int& exitCode);
void addDevices(CLI::App& app, int& exitCode);
void addScene(CLI::App& app, int& exitCode);
void addCompletion(CLI::App& app, int& exitCode);
void addManual(CLI::App& app, int& exitCode);

}  // namespace warpscope::cli
