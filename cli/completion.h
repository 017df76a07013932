// What may stand at a place of the command line, for shells that ask.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace warpscope::cli {

struct Candidate {
    std::string text;  // the whole word
    std::string help;
};

struct Completion {
    std::vector<Candidate> candidates;  // that begin as the last word does
    bool files = false;                 // names of files fit as well
};

// `words` without the program's name; the last one is being typed and may be empty.
Completion completionOf(const CLI::App& app, const std::vector<std::string>& words);

// What the scripts of `warpscope-cli completion` read: a line a candidate, its help behind a tab;
// ":files" where names of files fit.
std::string completionText(const Completion& completion);

}  // namespace warpscope::cli
