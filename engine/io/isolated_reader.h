// Reading images in a process of its own, so that a file that makes a decoder crash, hang or take
// all memory costs an error message and nothing else. Programs read with these; image_reader.h
// decodes in the process that calls it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/image_reader.h"

namespace warpscope {

// As readImage, readImageFrom, readReducedImage and listPages, with the same images, information
// and errors, and further ones: LimitExceeded (processor time, time, memory that the decoder's
// library takes), Damaged (the decoder crashed, or did what no decoder needs). A stop is heard
// within half a second. Any thread;
// each of several at once has a process of its own. Where no process can be started, files are
// decoded in this one, and a warning in the log says so, once.
Result<Image> readImageIsolated(const std::filesystem::path& file, const ReadOptions& options = {});
Result<Image> readImageIsolatedFrom(int descriptor, const std::string& name,
                                    const ReadOptions& options = {});
Result<Image> readReducedImageIsolated(const std::filesystem::path& file, int side,
                                       const ReadOptions& options = {});
Result<std::vector<PageInfo>> listPagesIsolated(const std::filesystem::path& file,
                                                const ReadOptions& options = {});

// The program that decodes, and its limits. Those on time grow with the file.
struct DecodeHelper {
    // Empty: files are decoded in this process.
    std::filesystem::path program;
    std::vector<std::string> arguments;
    int processorSeconds = 60;
    int wallSeconds = 120;
    // Added to both for each MiB of the file.
    int secondsPerMebibyte = 4;
    // Follows a refusal for time; empty: nothing does.
    std::string howToRaiseTime;
};

inline constexpr int kMostDecodeSeconds = 86'400;

// As many processes as were at work at once, at most these, wait for the next file.
inline constexpr std::size_t kMostWaitingHelpers = 4;

// That of the installation, warpscope-decode; the environment variable WARPSCOPE_DECODE names
// another one, or with "off" none. WARPSCOPE_DECODE_SECONDS is its processor time, 1 to
// kMostDecodeSeconds, and half of its time; a warning in the log where it is no such number.
DecodeHelper standardDecodeHelper();
// The same limits from now on, for all threads, until setDecodeHelper(); nothing leaves them as
// they are. Processes that wait for work end.
void setDecodeSeconds(std::optional<int> seconds, std::string howToRaiseTime);
// For tests: from now on, for all threads. Processes that wait for work end.
void setDecodeHelper(DecodeHelper helper);

// Starts a process that the next file will find ready, if none waits. Returns at once.
void prepareDecoding();

// For people: "in a process of its own, with limits and a filter on system calls", or what of that
// is missing, and why. Starts a process if none was yet.
std::string decodingProtection();

}  // namespace warpscope
