// The networks of median: squares of 3 x 3 and 5 x 5 by minima and maxima of whole vectors, several
// output rows at a time. Without any knowledge of images or threads. T is an 8- or 16-bit sample or
// the key of a float one (order_keys.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/operations/rows_ahead.h"

namespace warpscope {

// Output rows of one call.
inline constexpr int kMedian3Rows = 4;
inline constexpr int kMedian5Rows = 2;

// 3 x 3. Output row k is the median over rows[k] to rows[k + 2], of which there are kMedian3Rows
// + 2; beyond their ends the edge pixel is repeated. `out` has room up to the next multiple of 64
// bytes. Alpha is that of the middle row. `ahead`, here and below: rows of the image, whole ones.
// `stream`: past the cache; `out` then begins at multiples of 64 bytes.
template <class T>
void medianRows3(const T* const* rows, int samples, int channels, const RowsAhead& ahead,
                 T* const* out, bool stream);

// What lies in a row of halves before and after its samples. Both halves of a row are room for
// medianHalfPitch() samples.
inline constexpr int kHalfPadding = 64;
std::ptrdiff_t medianHalfPitch(int width, int channels);

// The pixels of a row with even number and those with odd number, each at kHalfPadding from the
// beginning of its half, the edge pixel repeated around them as far as squares of `radius` reach.
template <class T>
void medianSplit(const T* row, int width, int channels, int radius, T* even, T* odd);

// 5 x 5. Output row k is the median over the halves rows[k] to rows[k + 4], given as where
// medianSplit() put them, of which there are kMedian5Rows + 4; the medians are halves too. Alpha
// is filtered like colours are. `scratch` is room for kMedian5Scratch samples.
template <class T>
struct MedianHalves {
    T* even = nullptr;
    T* odd = nullptr;
};
inline constexpr std::size_t kMedian5Scratch = 16 * 1216;
template <class T>
void medianRows5(const MedianHalves<const T>* rows, int width, int channels, T* scratch,
                 const RowsAhead& ahead, const MedianHalves<T>* out);

// Halves as a row of `width` pixels, nothing beyond.
template <class T>
void medianJoin(const T* even, const T* odd, int width, int channels, T* row);

}  // namespace warpscope
