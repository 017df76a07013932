// What apply is asked for, and the part of it that one image and a batch of them share.
#pragma once

#include <string>
#include <vector>

#include "cli/chain.h"

namespace warpscope::cli {

struct ApplyOptions : ChainOptions {
    std::vector<std::string> inputs;  // as they were given
    std::string output;
    std::string to;
    BackendOption backend;
    MemoryOption memory;
    PageOption page;
    std::string timings = "none";
    bool overwriteInput = false;
    // Of a batch.
    int jobs = 0;  // 0: as many as four images in memory allow
    bool keepGoing = false;
    bool resume = false;
    bool recursive = false;
    std::string shard;
    std::string report;
};

// Whether the options ask for more than one image into one file.
bool isBatch(const ApplyOptions& options);
int runBatch(const ApplyOptions& options, const Pipeline& pipeline);

}  // namespace warpscope::cli
