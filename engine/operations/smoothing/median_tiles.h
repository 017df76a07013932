// Medians of radius 3 to 7 by networks of minima and maxima of whole vectors, without any knowledge
// of images or threads. T is an 8- or 16-bit sample or the key of a float one (order_keys.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/operations/smoothing/median_networks.h"

namespace warpscope {

inline constexpr int kLeastTileRadius = 3;
// What a sanitizer of addresses looks for shows at the smallest radius too; larger networks would
// take many minutes to compile with it.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kMostTileRadius = 3;
#else
inline constexpr int kMostTileRadius = 7;
#endif
// Output rows of one call.
inline constexpr int kTileRows = 4;

// Whether the vectors of this machine have them: those of 32 bytes and more.
bool hasMedianTiles();

// Samples of a half, one of each tile of 2 columns, that are worked on together: what is sorted of
// them stays in the second-level cache. Lists of them lie an odd number of cache lines apart.
template <class T>
inline constexpr int kTileStrip = 512 / int(sizeof(T));
template <class T>
inline constexpr int kTileBeside = 64 / int(sizeof(T));
template <class T>
inline constexpr int kTilePitch = kTileStrip<T> + 3 * kTileBeside<T>;
// Room for medianTiles() to work in, in samples.
template <class T>
constexpr std::size_t medianTileScratch(int radius) {
    return std::size_t(8 * (2 * radius - 2)) * kTilePitch<T> + 4 * kTileBeside<T>;
}

// Output row k is the median over the halves rows[k] to rows[k + 2 radius], given as where
// medianSplit() put them, of which there are kTileRows + 2 radius; the medians are halves too.
// Alpha is filtered like colours are. `ahead`: rows of the image, whole ones.
template <class T>
void medianTiles(int radius, const MedianHalves<const T>* rows, int width, int channels, T* scratch,
                 const RowsAhead& ahead, const MedianHalves<T>* out);

}  // namespace warpscope
