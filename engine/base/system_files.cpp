#include "engine/base/system_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

namespace warpscope {
namespace {

constexpr std::size_t kMostSystemText = 16u << 20;
constexpr int kMostCpus = 8192;
constexpr std::string_view kBlanks = " \t\r\n\v\f";

template <class Number>
std::optional<Number> numberFrom(std::string_view text) {
    Number value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (text.empty() || read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace

std::optional<std::string> systemText(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::string text;
    std::string piece(1 << 14, '\0');
    while (in && text.size() <= kMostSystemText) {
        in.read(piece.data(), std::streamsize(piece.size()));
        text.append(piece, 0, std::size_t(in.gcount()));
    }
    if (in.bad() || text.size() > kMostSystemText) return std::nullopt;
    text.erase(text.find_last_not_of(kBlanks) + 1);
    return text;
}

std::optional<std::uint64_t> systemNumber(const std::filesystem::path& file) {
    const auto text = systemText(file);
    return text ? wholeFromText(*text) : std::nullopt;
}

std::optional<std::uint64_t> wholeFromText(std::string_view text) {
    return numberFrom<std::uint64_t>(text);
}

std::optional<double> realFromText(std::string_view text) {
    const auto value = numberFrom<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::string_view> words(std::string_view text) {
    std::vector<std::string_view> found;
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        found.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlanks, end);
    }
    return found;
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::optional<std::vector<int>> cpusFromList(std::string_view text) {
    std::vector<int> cpus;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        const std::size_t dash = part.find('-');
        const auto first = wholeFromText(part.substr(0, dash));
        const auto last = dash == part.npos ? first : wholeFromText(part.substr(dash + 1));
        if (!first || !last || *first > *last || *last >= kMostCpus) return std::nullopt;
        for (int cpu = int(*first); cpu <= int(*last); ++cpu) cpus.push_back(cpu);
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

std::string cpuListText(std::vector<int> cpus) {
    std::sort(cpus.begin(), cpus.end());
    std::string text;
    for (std::size_t i = 0; i < cpus.size();) {
        std::size_t last = i;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
        if (last > i) text += fmt::format("-{}", cpus[last]);
        i = last + 1;
    }
    return text;
}

std::map<int, CpuTicks> cpuTicks(const SystemFolders& folders) {
    std::map<int, CpuTicks> ticks;
    const auto text = systemText(folders.proc / "stat");
    if (!text) return ticks;
    for (const std::string_view line : linesOf(*text)) {
        const auto fields = words(line);
        if (fields.size() < 5 || !fields[0].starts_with("cpu")) continue;
        int cpu = kAllCpus;
        if (fields[0] != "cpu") {
            const auto number = wholeFromText(fields[0].substr(3));
            if (!number || *number >= kMostCpus) continue;
            cpu = int(*number);
        }
        // user nice system idle iowait irq softirq steal; guest time is within user and nice.
        std::uint64_t figures[8] = {};
        bool good = true;
        for (std::size_t i = 0; i < 8 && i + 1 < fields.size(); ++i) {
            const auto figure = wholeFromText(fields[i + 1]);
            good = good && figure;
            figures[i] = figure.value_or(0);
        }
        if (!good) continue;
        ticks[cpu] = {figures[0] + figures[1] + figures[2] + figures[5] + figures[6],
                      figures[3] + figures[4], figures[7]};
    }
    return ticks;
}

}  // namespace warpscope
