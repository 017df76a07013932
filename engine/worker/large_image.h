// Which images are so large that what is made of them is kept within 3.5 times their size, and what
// they may take for it.
#pragma once

#include <cstdint>

#include "engine/image/pyramid.h"
#include "engine/pipeline/chain_shape.h"

namespace warpscope {

// From this size on an image is large: 128 MiB, some 33 megapixels of colour in 8 bits. Below it
// memory is cheaper than time. Tests set it lower, before a worker is made; 0: as it was.
std::uint64_t largeImageBytes();
void setLargeImageBytes(std::uint64_t bytes);
bool isLarge(PixelFormat format, Size size);

// Steps that take longer than this, by what the operations guess, are not done again with each
// change of a later one: what they give is kept, large as it is.
double worthKeepingMs();

// What the outputs of steps may take on the host beside such an image. Those of a large one do not
// fit, those of its drafts do.
std::uint64_t outputsLimit(const Pyramid& source);

// In how many bands of rows of its result a chain is computed that is to take little memory for
// what lies between its steps, with the same pixels; 1: that is impossible, or would be mostly the
// same rows again and again. `source`: its size.
int bandsFor(const ChainShape& shape, Size source);
// The rows of that band.
Rect rowsOfBand(Size result, int band, int bands);

// The rows in the middle of a result that are timed instead of all of them: what is made of a
// twelfth of the source.
Rect timedRows(const ChainShape& shape, Size source);

}  // namespace warpscope
