#include "cli/batch_inputs.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>

#include "cli/common.h"
#include "engine/io/image_reader.h"

namespace warpscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostListBytes = std::uint64_t(256) << 20;

bool hasImageName(const fs::path& file) {
    static const std::set<std::string> known = [] {
        std::set<std::string> extensions;
        for (const FormatInfo& format : imageFormats())
            if (format.reads) extensions.insert(format.extensions.begin(), format.extensions.end());
        return extensions;
    }();
    return known.contains(lowerExtension(file));
}

// Links to folders are not followed, so that no circle is walked.
void collect(const fs::path& folder, const fs::path& below, bool recursive,
             std::vector<BatchItem>& items, std::error_code& error) {
    std::vector<fs::path> names;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        names.push_back(at->path().filename());
    if (error) return;
    std::sort(names.begin(), names.end());
    for (const fs::path& name : names) {
        if (name.native().starts_with('.')) continue;
        std::error_code none;
        const fs::path path = folder / name;
        if (fs::is_directory(fs::symlink_status(path, none))) {
            if (recursive) collect(path, below / name, recursive, items, error);
            if (error) return;
        } else if (hasImageName(name) && fs::is_regular_file(path, none)) {
            items.push_back({path.string(), below, {}});
        }
    }
}

Result<void> addPath(const std::string& path, bool recursive, std::vector<BatchItem>& items) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        // What does not exist is said when its turn comes.
        items.push_back({path, {}, {}});
        return {};
    }
    const std::size_t before = items.size();
    error.clear();
    collect(path, {}, recursive, items, error);
    if (error) return fail(ErrorCode::Io, fmt::format("{}: {}", path, error.message()));
    if (items.size() == before)
        return fail(ErrorCode::NotFound, fmt::format("{}: there is no image in this folder", path));
    return {};
}

void replaceAll(std::string& text, std::string_view from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
        text.replace(at, from.size(), to);
}

constexpr std::string_view kStem = "{stem}", kNumber = "{n}", kExtension = "{ext}";

constexpr std::string_view kWords[] = {kStem, kNumber, kExtension};

bool isPattern(std::string_view name) {
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view word) { return name.find(word) != name.npos; });
}

// The first {word} that stands for nothing; empty if there is none.
std::string unknownWord(std::string_view name) {
    for (std::size_t at = 0; (at = name.find('{', at)) != name.npos; ++at) {
        const std::size_t end = name.find('}', at);
        if (end == name.npos) return {};
        const std::string_view word = name.substr(at, end + 1 - at);
        if (std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords))
            return std::string(word);
    }
    return {};
}

std::string key(const fs::path& file) {
    std::error_code none;
    return fs::absolute(file, none).lexically_normal().string();
}

}  // namespace

Result<std::vector<BatchItem>> batchItems(const std::vector<std::string>& arguments,
                                          bool recursive) {
    std::vector<BatchItem> items;
    for (const std::string& argument : arguments) {
        if (!argument.starts_with('@')) {
            if (auto ok = addPath(argument, recursive, items); !ok) return fail(ok.error());
            continue;
        }
        const auto list = readTextInput(argument.substr(1), kMostListBytes);
        if (!list) return fail(list.error());
        for (std::size_t at = 0; at < list->size();) {
            const std::size_t end = std::min(list->find('\n', at), list->size());
            std::string line = list->substr(at, end - at);
            if (line.ends_with('\r')) line.pop_back();
            at = end + 1;
            if (line.empty()) continue;
            if (auto ok = addPath(line, recursive, items); !ok) return fail(ok.error());
        }
    }
    if (items.empty()) return fail(ErrorCode::NotFound, "the list names no image");
    return items;
}

bool namesMany(const std::string& output) {
    std::error_code none;
    return output.ends_with('/') || isPattern(output) || fs::is_directory(output, none);
}

Result<void> nameOutputs(std::vector<BatchItem>& items, const std::string& output,
                         const std::string& to) {
    const bool pattern = isPattern(output);
    const bool folder =
        !pattern && (namesMany(output) || (lowerExtension(output).empty() && items.size() > 1));
    if (!pattern && !folder && items.size() > 1)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("-o {}: {} images need a folder, or a name with {{stem}} or {{n}}",
                                output, items.size()));
    if (const std::string word = unknownWord(output); !word.empty() && !folder)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("-o {}: {} stands for nothing; there are {{stem}}, {{n}} and "
                                "{{ext}}",
                                output, word));
    const int digits = int(std::to_string(items.size()).size());
    std::unordered_map<std::string, const BatchItem*> writers;
    for (std::size_t i = 0; i < items.size(); ++i) {
        BatchItem& item = items[i];
        const bool stream = item.input == kStream;
        const fs::path input(item.input);
        std::string extension = !to.empty() ? to : stream ? "pnm" : input.extension().string();
        if (extension.starts_with('.')) extension.erase(0, 1);
        std::string name = folder ? "{stem}.{ext}" : output;
        replaceAll(name, kNumber, fmt::format("{:0{}}", i + 1, digits));
        replaceAll(name, kExtension, extension);
        replaceAll(name, kStem, stream ? "stdin" : input.stem().string());
        item.output = folder ? fs::path(output) / item.below / name : fs::path(name);
        if (auto known = formatForSaving(item.output); !known)
            return fail(known.error().code,
                        known.error().message + (folder ? "; --to sets another" : ""));
        const auto [writer, isNew] = writers.emplace(key(item.output), &item);
        if (!isNew)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("{} and {} would both be written to {}", writer->second->input,
                                    item.input, item.output.string()));
    }
    if (!to.empty() && !folder && output.find(kExtension) == output.npos)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--to {}: the name after -o chooses the format", to));
    return {};
}

Result<void> checkInputsSurvive(const std::vector<BatchItem>& items, bool overwriteOwn) {
    std::map<std::pair<dev_t, ino_t>, const BatchItem*> inputs;
    struct stat status {};
    for (const BatchItem& item : items)
        if (item.input != kStream && ::stat(item.input.c_str(), &status) == 0)
            inputs.emplace(std::pair(status.st_dev, status.st_ino), &item);
    for (const BatchItem& item : items) {
        if (::stat(item.output.c_str(), &status) != 0) continue;
        const auto input = inputs.find({status.st_dev, status.st_ino});
        if (input == inputs.end() || (overwriteOwn && input->second->output == item.output))
            continue;
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: not written, it is the same file as the input {}",
                                item.output.string(), input->second->input));
    }
    return {};
}

Result<std::vector<BatchItem>> shardOf(std::vector<BatchItem> items, const std::string& text) {
    if (text.empty()) return items;
    std::size_t index = 0, count = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, index);
    const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = std::from_chars(slash ? first.ptr + 1 : end, end, count);
    if (!slash || second.ec != std::errc() || second.ptr != end || index < 1 || index > count)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("--shard {}: it is I/N with I from 1 to N", text));
    std::vector<BatchItem> chosen;
    for (std::size_t i = index - 1; i < items.size(); i += count)
        chosen.push_back(std::move(items[i]));
    return chosen;
}

}  // namespace warpscope::cli
