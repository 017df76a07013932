// How large the last-level caches are, as the system says.
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "engine/backend/cpu_backend.h"

namespace warpscope {
namespace {

std::string firstLine(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

// "32768K", "8M", "512".
std::uint64_t bytesOf(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return 0;
    const char unit = end == text.data() + text.size() ? ' ' : *end;
    return number << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0);
}

// Cores share a cache of the last level in groups: each group counts once.
std::uint64_t sumOfLastLevels() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    std::set<std::string> seen;
    std::uint64_t sum = 0;
    for (int cpu = 0; cpu < 4096; ++cpu) {
        const fs::path folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache";
        if (!fs::exists(folder, ignored)) break;
        for (int index = 8; index >= 0; --index) {
            const fs::path cache = folder / ("index" + std::to_string(index));
            if (!fs::exists(cache, ignored)) continue;
            if (seen.insert(firstLine(cache / "shared_cpu_list")).second)
                sum += bytesOf(firstLine(cache / "size"));
            break;
        }
    }
    return sum;
}

}  // namespace

std::uint64_t cpuCacheBytes() {
    static const std::uint64_t bytes = [] {
        if (const std::uint64_t sum = sumOfLastLevels(); sum > 0) return sum;
        for (const int name : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
            if (const long size = sysconf(name); size > 0) return std::uint64_t(size);
        return std::uint64_t(0);
    }();
    return bytes;
}

}  // namespace warpscope
