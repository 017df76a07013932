#include "cli/batch_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "cli/common.h"
#include "engine/base/clock.h"
#include "engine/io/file_handle.h"
#include "engine/io/text_file.h"

namespace warpscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".warpscope-batch.jsonl";
constexpr std::uint64_t kMostBytes = std::uint64_t(1) << 30;

std::string absolute(const std::string& file) {
    std::error_code none;
    return fs::absolute(file, none).lexically_normal().string();
}

// The same for the same steps of the same version, in words as in a pipeline file.
std::string identityOf(const Pipeline& pipeline, const std::string& second) {
    std::string text = WARPSCOPE_VERSION;
    // Those that are off too: a name there says what a later step takes.
    for (const Step& step : pipeline.steps) text += (step.enabled ? " " : " off:") + toText(step);
    if (second.empty()) return text;
    // Nobody knows what comes through a pipe; no time is the same again.
    if (second == kStream)
        return text + fmt::format(" second through a pipe at {}", steadyClock().nowNs());
    const FileMark mark = FileMark::of(second).value_or(FileMark());
    return text + fmt::format(" second {} {} {}", absolute(second), mark.bytes, mark.timeNs);
}

nlohmann::ordered_json markJson(const FileMark& mark) {
    return {mark.bytes, mark.timeNs};
}

}  // namespace

std::optional<FileMark> FileMark::of(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return FileMark{std::uint64_t(status.st_size),
                    std::int64_t(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

BatchJournal::BatchJournal(const Pipeline& pipeline, const std::string& second)
    : m_steps(identityOf(pipeline, second)) {}

BatchJournal::Entries BatchJournal::read(const fs::path& folder) {
    Entries entries;
    const auto text = readTextFile(folder / kName, kMostBytes);
    if (!text) return entries;
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        // A line that was cut or mixed with another counts for nothing.
        const auto line =
            nlohmann::json::parse(text->begin() + std::ptrdiff_t(at),
                                  text->begin() + std::ptrdiff_t(end), nullptr, false);
        at = end + 1;
        try {
            const auto& input = line.at("input_mark");
            const auto& output = line.at("output_mark");
            entries[line.at("output")] = {line.at("steps"),
                                          line.at("input"),
                                          {input.at(0), input.at(1)},
                                          {output.at(0), output.at(1)}};
        } catch (const nlohmann::json::exception&) {
        }
    }
    return entries;
}

bool BatchJournal::isDone(const BatchItem& item) {
    const auto input = FileMark::of(item.input), output = FileMark::of(item.output);
    if (item.input == kStream || !input || !output) return false;
    const std::lock_guard lock(m_mutex);
    const fs::path folder = item.output.parent_path();
    auto known = m_folders.find(folder);
    if (known == m_folders.end()) known = m_folders.emplace(folder, read(folder)).first;
    const auto entry = known->second.find(item.output.filename().string());
    return entry != known->second.end() &&
           entry->second == Entry{m_steps, absolute(item.input), *input, *output};
}

void BatchJournal::add(const BatchItem& item, const FileMark& input) {
    const auto output = FileMark::of(item.output);
    if (!output) return;
    const nlohmann::ordered_json line = {{"output", item.output.filename().string()},
                                         {"steps", m_steps},
                                         {"input", absolute(item.input)},
                                         {"input_mark", markJson(input)},
                                         {"output_mark", markJson(*output)}};
    // Names that are no UTF-8 become others, and what they name is done again.
    const std::string text =
        line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(m_mutex);
    const fs::path file = item.output.parent_path() / kName;
    const io::FileHandle handle(
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
    // In one piece, so that lines of several programs do not mix.
    if (handle.isOpen() && ::write(handle.get(), text.data(), text.size()) < 0) return;
}

}  // namespace warpscope::cli
