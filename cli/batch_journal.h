// What a batch has written, so that a later run need not do it again.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "cli/batch_inputs.h"
#include "engine/pipeline/pipeline.h"

namespace warpscope::cli {

// Size and time of the last change of a file: a file that has the same is taken for unchanged.
struct FileMark {
    std::uint64_t bytes = 0;
    std::int64_t timeNs = 0;

    static std::optional<FileMark> of(const std::filesystem::path& file);
    friend bool operator==(const FileMark&, const FileMark&) = default;
};

// One hidden file of JSON lines in every folder that is written to, to which runs and shards add
// side by side. Thread-safe. A journal that cannot be read or written costs work, never a result.
class BatchJournal {
  public:
    // `second`: the file of the second image, or empty; it counts like a step.
    BatchJournal(const Pipeline& pipeline, const std::string& second);

    // Whether the item was done by the same steps from the same input, and the output is as it was
    // left.
    bool isDone(const BatchItem& item);
    // `input` was taken before the input was read.
    void add(const BatchItem& item, const FileMark& input);

  private:
    struct Entry {
        std::string steps;
        std::string input;
        FileMark inputMark, outputMark;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    using Entries = std::map<std::string, Entry>;  // by the name of the output
    static Entries read(const std::filesystem::path& folder);

    const std::string m_steps;
    std::mutex m_mutex;
    std::map<std::filesystem::path, Entries> m_folders;  // guarded by m_mutex
};

}  // namespace warpscope::cli
