// The vector code of morphology: minima and maxima of rows, without any knowledge of images.
//
// Everything works on whole vectors: rows have room for 64 bytes beyond their last sample, of what
// is read and of what is written. Types: 8 and 16 bits, and the keys of float samples (orderKey()).
#pragma once

#include <cstdint>

#include "engine/operations/rows_ahead.h"

namespace warpscope {

enum class Extreme { Least, Most };

// out[i] = the smaller or larger one of a[i] and b[i]. `out` may be `a`, where b = a + anything.
void extremeOfTwo(Extreme which, const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                  int count);
void extremeOfTwo(Extreme which, const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                  int count);
void extremeOfTwo(Extreme which, const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                  int count);

// A row of the result: extremes, or where these are rows, `minuend` less them, or that less
// `subtrahend`. Every fourth sample is that of `alpha`, if there is one. `ahead`: samples that will
// be needed soon, if any.
template <class T>
struct FinishedRow {
    T* out = nullptr;
    const T* minuend = nullptr;
    const T* subtrahend = nullptr;
    const T* alpha = nullptr;
    const T* ahead = nullptr;
};

// Windows of `side` rows from two blocks of as many: outs[j] from the extreme of ends[j], which is
// that of the first block from row j on, and of rows 0 to j - 1 of the second; the first `made` of
// them. Where that is all, rows[j] becomes the extreme of the second block from row j on. With
// `stream` results are written past the cache; they must then begin at multiples of 64 bytes.
void extremeOfBlocks(Extreme which, const std::uint8_t* const* ends, std::uint8_t* const* rows,
                     const FinishedRow<std::uint8_t>* outs, int side, int made, int count,
                     bool stream);
void extremeOfBlocks(Extreme which, const std::uint16_t* const* ends, std::uint16_t* const* rows,
                     const FinishedRow<std::uint16_t>* outs, int side, int made, int count,
                     bool stream);
void extremeOfBlocks(Extreme which, const std::int32_t* const* ends, std::int32_t* const* rows,
                     const FinishedRow<float>* outs, int side, int made, int count, bool stream);

// `count` samples from `first` on of a row of `samples`; those beyond its ends are `outside`.
// `ahead`: a row of which the same will be needed soon, if any.
template <class T>
struct RowPart {
    const T* row;
    int samples, first, count;
    T outside;
    const T* ahead;
};

// out[i] = the extreme of sample first + i and of those up to `radius` pixels, at least 3, to both
// sides of it; of float samples the key. Beyond `count` both are overwritten: `out`, which begins
// at a multiple of 64 bytes, up to the 128th byte after count + 2 radius channels samples,
// `scratch` as far after another 2 radius channels.
void extremeOfWindows(Extreme which, const RowPart<std::uint8_t>& part, int radius, int channels,
                      std::uint8_t* scratch, std::uint8_t* out);
void extremeOfWindows(Extreme which, const RowPart<std::uint16_t>& part, int radius, int channels,
                      std::uint16_t* scratch, std::uint16_t* out);
void extremeOfWindows(Extreme which, const RowPart<float>& part, int radius, int channels,
                      float* scratch, std::int32_t* out);

// out[i] = the extreme of row[i] to row[(side - 1) channels + i], every `channels`-th of them.
// `row` has count + (side - 1) channels samples and is overwritten; `out` may be `row`.
void extremeAlong(Extreme which, std::uint8_t* row, int side, int channels, std::uint8_t* out,
                  int count);
void extremeAlong(Extreme which, std::uint16_t* row, int side, int channels, std::uint16_t* out,
                  int count);
void extremeAlong(Extreme which, std::int32_t* row, int side, int channels, std::int32_t* out,
                  int count);

// outs[d][i] = the extreme of the samples up to d to both sides of row[radius channels + i], where
// outs[d] is not null; d from 0 to `radius`.
void extremesAround(Extreme which, const std::uint8_t* row, int radius, int channels,
                    std::uint8_t* const* outs, int count);
void extremesAround(Extreme which, const std::uint16_t* row, int radius, int channels,
                    std::uint16_t* const* outs, int count);
void extremesAround(Extreme which, const std::int32_t* row, int radius, int channels,
                    std::int32_t* const* outs, int count);

// Two runs of samples: what together covers a row of a shape, or the rows above and below.
template <class T>
struct Chord {
    const T* left;
    const T* right;
};

// out[i] = the extreme of left[i] and right[i] of all chords, of which there is at least one.
void extremeOfChords(Extreme which, const Chord<std::uint8_t>* chords, int chordCount,
                     std::uint8_t* out, int count);
void extremeOfChords(Extreme which, const Chord<std::uint16_t>* chords, int chordCount,
                     std::uint16_t* out, int count);
void extremeOfChords(Extreme which, const Chord<std::int32_t>* chords, int chordCount,
                     std::int32_t* out, int count);

// Two rows at once, which share most of what they are made of: the first `shared` chords belong to
// both, the next `own` to out[0], the last `own` to out[1]. Neither is 0. `ahead`: rows of images
// that are needed next, where the first result is made.
template <class T>
struct ChordsOfPair {
    const Chord<T>* chords;
    int shared;
    int own;
    RowsAhead ahead = {};
};
void extremeOfPair(Extreme which, const ChordsOfPair<std::uint8_t>& from,
                   std::uint8_t* const (&out)[2], int count);
void extremeOfPair(Extreme which, const ChordsOfPair<std::uint16_t>& from,
                   std::uint16_t* const (&out)[2], int count);
void extremeOfPair(Extreme which, const ChordsOfPair<std::int32_t>& from,
                   std::int32_t* const (&out)[2], int count);

// out = a - b; of integers, a is nowhere the smaller one.
void subtractRows(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out, int count);
void subtractRows(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out, int count);
void subtractRows(const float* a, const float* b, float* out, int count);

}  // namespace warpscope
