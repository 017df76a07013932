// Tables as text, for terminals and Markdown, and what their cells say of a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/figures.h"
#include "engine/measure/timing_report.h"

namespace warpscope {

using Cells = std::vector<std::string>;

// The first line is the heading. Columns [firstNumber, lastNumber] are right-aligned. All lines
// have as many cells as the first.
struct TextTable {
    std::vector<Cells> lines;
    std::size_t firstNumber = 0;
    std::size_t lastNumber = 0;

    bool isNumber(std::size_t column) const {
        return column >= firstNumber && column <= lastNumber;
    }
};

std::string alignedText(const TextTable& table);   // lines end without blanks
std::string markdownText(const TextTable& table);  // bars in cells are escaped

// Cells between commas, quoted where RFC 4180 asks for it, and a line feed.
std::string csvLine(const Cells& cells);

// Gigabytes a second: "28.3", "2502"; "-" where it is not known.
std::string gbPerSText(double gbPerS);
// " (noisy: 2.7 to 27.8)" behind a rate of copying; empty where it is steady or not known.
std::string copyNoisyText(double gbps, const CopyInterval& interval);
// "AMD EPYC, 2 threads, AVX2, copies 12 GB/s; no GPU".
std::string machineText(const TimingReport& report);

std::string subjectText(
    SpeedupSubject subject);  // "GPU kernel only", "GPU end to end", "all cores"
// The same where the GPU was named before: "kernel only".
std::string shortSubjectText(SpeedupSubject subject);
// "16 threads"; where fewer of them found work, "1 of 2 threads"; "1 to 2 of 2 threads" where it
// differs from row to row. `worked` 0: not known.
std::string workedText(int offered, int worked);
std::string workedText(int offered, int fewest, int most);
// In a sentence: "2 threads offered, 1 worked".
std::string offeredText(int offered, int worked);
// "12x"; of a noisy pair what it may be: "9.1 to 14x".
std::string factorText(const Speedup& speedup);
// What a speedup of a row with this variant is against, by the threads that worked: "best CPU (16
// threads)", "best CPU (1 of 2 threads)", "best CPU
// (automatic, 16 threads)", "1 thread", "same algorithm, 1 thread". All cores against one of them:
// "1 thread".
std::string baselineText(const Speedup& speedup, std::string_view variant);
// "steady", "noisy: 7.2%", "one round".
std::string steadyText(const StepTiming& row);
// Why a row has no figure: "no NVIDIA driver".
std::string reasonText(const StepTiming& row);
std::string imageText(const StepTiming& row);  // "512x512 Gray8"
// "cpu (16)", "cuda", "opencv (2), OpenCV 4.6.0"; what was asked for and where it ran, if another.
std::string backendText(const StepTiming& row);

}  // namespace warpscope
