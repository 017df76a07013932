// Tables with a new level for each of the 256 or 65,536 old ones, applied on the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/row_bands.h"
#include "engine/image/image.h"

namespace warpscope {

// All samples, alpha too. `stream`, here and below: 8 bits go past the cache, for which there is
// hwy::FlushStream() to be called after the last row.
void lookUpRow(const std::vector<std::uint8_t>& table, const std::uint8_t* in, std::uint8_t* out,
               int samples, bool stream = false);
void lookUpRow(const std::vector<std::uint16_t>& table, const std::uint16_t* in, std::uint16_t* out,
               int samples, bool stream = false);

// Tables of 256 levels of which four at a time are applied to the same samples.
class LevelTableSet {
  public:
    // `tables`: 256 entries each, one behind the other; they must live as long as this, which is
    // for the instruction set that is in use now (vector_targets.h).
    explicit LevelTableSet(const std::vector<std::uint8_t>& tables);
    explicit LevelTableSet(std::vector<std::uint8_t>&&) = delete;

    // Whether lookUpRow() is quicker here than reading each level.
    static bool pays();

    // out[k][i] = level in[i] of table chosen[k], of those that there are. No two of the five rows
    // overlap.
    void lookUpRow(const std::uint32_t (&chosen)[4], const std::uint8_t* in,
                   std::uint8_t* const (&out)[4], int samples) const;

  private:
    const std::uint8_t* m_tables;
    std::vector<std::uint8_t> m_parts;  // as permutes without AVX-512 VBMI take them
};

template <class T>
struct ColorTables {
    const std::vector<T>* red;
    const std::vector<T>* green;
    const std::vector<T>* blue;
};
// Pixels of four samples; alpha stays. T: 8 or 16 bits. One table for all is faster than three.
template <class T>
void lookUpPixels(const ColorTables<T>& tables, const T* in, T* out, int samples,
                  bool stream = false);

// A whole image of T through one table; alpha stays. Errors: Cancelled.
template <class T>
Result<void> mapLevels(const std::vector<T>& table, const Image& in, const MutableImage& out,
                       const CpuContext& context);

}  // namespace warpscope
