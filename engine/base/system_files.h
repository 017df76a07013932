// Small files in which the kernel tells about itself: /proc and /sys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope {

// Tests have folders of their own.
struct SystemFolders {
    std::filesystem::path proc = "/proc";
    std::filesystem::path sys = "/sys";
};

// Without white space at its end. Nothing where it cannot be read or is larger than 16 MiB.
std::optional<std::string> systemText(const std::filesystem::path& file);
// A file that is one whole number, not negative, and nothing else.
std::optional<std::uint64_t> systemNumber(const std::filesystem::path& file);

// All of `text` as a number; nothing for text that is none, NaN and infinity.
std::optional<std::uint64_t> wholeFromText(std::string_view text);
std::optional<double> realFromText(std::string_view text);
std::vector<std::string_view> words(std::string_view text);  // between white space
std::vector<std::string_view> linesOf(std::string_view text);

// "0-3,8" to {0, 1, 2, 3, 8}; nothing for text of another kind or CPUs from 8192 on.
std::optional<std::vector<int>> cpusFromList(std::string_view text);
std::string cpuListText(std::vector<int> cpus);

// Ticks since boot.
struct CpuTicks {
    // Of this system: user, nice, system, interrupts.
    std::uint64_t busy = 0;
    // Idle or waiting for a device.
    std::uint64_t idle = 0;
    // Taken by the hypervisor for others.
    std::uint64_t steal = 0;

    friend bool operator==(const CpuTicks&, const CpuTicks&) = default;
};
// By CPU; kAllCpus: the sum that the kernel gives. Empty where they cannot be read; lines that make
// no sense are left out.
inline constexpr int kAllCpus = -1;
std::map<int, CpuTicks> cpuTicks(const SystemFolders& folders = {});

}  // namespace warpscope
