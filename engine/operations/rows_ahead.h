// Rows of an image that are needed next, asked for a piece at a time while others are worked on.
// What computes long on few rows leaves the memory idle meanwhile and then waits for it, since a
// processor looks ahead along a row alone; asked for all at once, rows fill the queue of misses.
#pragma once

#include <cstddef>

namespace warpscope {

class RowsAhead {
  public:
    static constexpr int kMost = 16;

    // To be read or written soon. Rows beyond kMost are left out.
    void add(const void* row) {
        if (m_count < kMost) m_rows[m_count++] = static_cast<const char*>(row);
    }
    // Asks for `bytes` of each row from `first` on, whatever lies beyond a row's end. Not inlined,
    // it would have no effect that compilers know of, and GCC leaves calls of it out.
    [[gnu::always_inline]] void fetch(std::ptrdiff_t first, std::ptrdiff_t bytes) const {
        constexpr std::ptrdiff_t kLine = 64;
        for (int i = 0; i < m_count; ++i)
            for (std::ptrdiff_t k = 0; k < bytes; k += kLine)
                // Into the second cache.
                __builtin_prefetch(m_rows[i] + first + k, 0, 2);
    }

  private:
    const char* m_rows[kMost] = {};
    int m_count = 0;
};

}  // namespace warpscope
