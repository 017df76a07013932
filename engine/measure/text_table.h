// Tables as text, for terminals and Markdown, and figures as people read them.
#pragma once

#include <string>
#include <vector>

#include "engine/measure/report.h"

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

// "AMD EPYC, 2 threads, AVX2, copies 12 GB/s; no GPU".
std::string machineText(const TimingReport& report);

std::string msText(double ms);                          // three significant digits; "-" for 0
std::string ratioText(double factor);                   // "212x", "6.1x", "0.35x"
std::string parameterText(const ParamSet& parameters);  // "sigma=2 size=0"
std::string imageText(const StepTiming& row);           // "512x512 Gray8"
// "cpu (16)", "cuda", "opencv (2), OpenCV 4.6.0"; what was asked for and where it ran, if another.
std::string backendText(const StepTiming& row);

}  // namespace warpscope
