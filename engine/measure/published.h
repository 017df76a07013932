// Figures of the source texts, as printed there: measured by others, elsewhere, on other hardware.
// They stand beside ours for a sense of proportion and are never one side of a speedup.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/image/pixel_format.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope {

// A number as it was printed.
struct PublishedFigure {
    double value = 0;  // 0: none was printed
    int decimals = 0;
    bool approximate = false;  // "about"

    bool known() const { return value > 0; }
    double halfUnit() const;  // what rounding to these decimals may hide
};

struct PublishedRow {
    Size size;
    std::string method = {};                 // where not only the size tells rows apart; else empty
    std::string variant{kAutomaticVariant};  // ours that comes closest
    PublishedFigure cpuMs = {}, gpuMs = {}, speedup = {};
    std::string note = {};  // for a person; empty if there is nothing to say
};

struct PublishedExperiment {
    std::string id;
    std::string title;
    std::string summary;              // what is done to which image
    std::string source;               // the text, as operations name it
    std::string cpuName, gpuName;     // empty: not known here
    bool color = false;               // RGBA input, else gray
    std::vector<std::string> before;  // steps that make the input, in the syntax of parseStep
    std::string operation;            // what is timed: a filter, or the histogram
    std::string parameters;           // "sigma=1,size=5"; empty: the defaults
    std::vector<PublishedRow> rows;
    std::size_t firstRow = 0;  // the one to run when only one is
    std::string note;
};

// In the order of the texts. Lives as long as the program.
const std::vector<PublishedExperiment>& publishedExperiments();

// The chain for one row: the steps before and, unless it is an analysis, the timed one as the last.
// Errors: NotFound (an operation that this build has not), InvalidArgument, Unsupported.
Result<Pipeline> chainOf(const PublishedExperiment& experiment, const PublishedRow& row);

}  // namespace warpscope
