// Memory that is needed soon, asked for a piece at a time while something else is worked on. What
// computes long on few rows leaves the memory idle meanwhile and then waits for it, since
// processors look ahead along a row alone, and some not far enough; asked for all at once, rows
// fill the queue of misses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpscope {

// Asks for a cache line, into the second cache, whether there is such memory or not. Not inlined,
// this would have no effect that compilers know of, and GCC leaves calls of it out.
[[gnu::always_inline]] inline void fetchLine(const void* from, std::ptrdiff_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(from) + std::uintptr_t(bytes);
    __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
}

// Where a row is read as it is worked on: what comes that much later, of the next rows too.
inline constexpr std::ptrdiff_t kAheadBytes = 4096;
[[gnu::always_inline]] inline void fetchAhead(const void* from) {
    fetchLine(from, kAheadBytes);
}

class RowsAhead {
  public:
    static constexpr int kMost = 16;

    // Nothing, or rows of that many bytes.
    RowsAhead() = default;
    explicit RowsAhead(std::ptrdiff_t bytes) : m_bytes(bytes) {}

    // To be read or written soon. Rows beyond kMost are left out.
    void add(const void* row) {
        if (m_count < kMost) m_rows[m_count++] = row;
    }
    // What each of `steps` asks for so that the last one has asked for all: whole cache lines.
    std::ptrdiff_t bytesOf(std::ptrdiff_t steps) const {
        return steps < 1 ? 0 : (m_bytes + steps * kLine - 1) / (steps * kLine) * kLine;
    }
    // Asks for `bytes` of each row from `first` on.
    [[gnu::always_inline]] void fetch(std::ptrdiff_t first, std::ptrdiff_t bytes) const {
        if (first >= m_bytes) return;
        for (int i = 0; i < m_count; ++i)
            for (std::ptrdiff_t k = 0; k < bytes; k += kLine) fetchLine(m_rows[i], first + k);
    }

  private:
    static constexpr std::ptrdiff_t kLine = 64;
    std::ptrdiff_t m_bytes = 0;
    const void* m_rows[kMost] = {};
    int m_count = 0;
};

}  // namespace warpscope
