// Which images a batch reads, and where each of them goes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace warpscope::cli {

struct BatchItem {
    std::string input;            // a path, or "-"
    std::filesystem::path below;  // its folder below the one that was given
    std::filesystem::path output;
};

// Files as they were given, the images of folders (by their extension, sorted, hidden ones left
// out), the lines of @FILE. Errors: those of reading a list or a folder; NotFound for a folder
// without images.
Result<std::vector<BatchItem>> batchItems(const std::vector<std::string>& arguments,
                                          bool recursive);

// Whether a name after -o is one for many images: a folder, or a pattern.
bool namesMany(const std::string& output);

// Fills `output` of every item: {stem} and {ext} come from the input, {n} is its number in the
// list with as many digits as the last one. A folder takes {stem}.{ext}, below it the folders that
// `recursive` found. `to` replaces the extension. Errors: InvalidArgument where two items would
// write the same file, or `output` is a file and there are several items; Unsupported (an extension
// that is not written).
Result<void> nameOutputs(std::vector<BatchItem>& items, const std::string& output,
                         const std::string& to);

// No output may be an input, but its own one where `overwriteOwn`. Errors: InvalidArgument.
Result<void> checkInputsSurvive(const std::vector<BatchItem>& items, bool overwriteOwn);

// "2/8": the items 2, 10, 18, ... Empty text: all. Errors: InvalidArgument.
Result<std::vector<BatchItem>> shardOf(std::vector<BatchItem> items, const std::string& text);

}  // namespace warpscope::cli
