// The vector code of guided_filter: rows and columns of sums, without any knowledge of images or
// threads. Windows have `side` values, an odd number from 3 on; they are added up in the order that
// guided_filter.h says.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/operations/smoothing/guided_filter.h"

namespace warpscope {

// What sums are made of, of samples T: differences from the middle level, whose sums of products
// are exact in 32 bits, and change neither variance nor covariance; or doubles.
template <class T>
struct GuidedSumOf {
    using Type = double;
};
template <>
struct GuidedSumOf<std::uint8_t> {
    using Type = std::int32_t;
};
template <class T>
using GuidedSum = typename GuidedSumOf<T>::Type;
inline constexpr int kGuidedMiddle = 128;

// Samples that rows have room for on both sides, and sums after their last one.
inline constexpr int kGuidedPadding = 64;

// Sums along rows, of windows that begin at values[0], values[1], ...: of values and of their
// products with `more`; of a and of b. `rings` has room for 2 guidedRingSums(side).
void guidedProductsAlong(const std::uint8_t* values, const std::uint8_t* more, int side,
                         std::int32_t* sums, std::int32_t* products, int count,
                         std::int32_t* rings);
void guidedProductsAlong(const std::uint16_t* values, const std::uint16_t* more, int side,
                         double* sums, double* products, int count, double* rings);
void guidedProductsAlong(const float* values, const float* more, int side, double* sums,
                         double* products, int count, double* rings);
void guidedLinesAlong(const float* a, const float* b, int side, double* aSums, double* bSums,
                      int count, double* rings);

// Sums that a column of windows waits for, and a row, in values: those of 1, 2, 4, ... values, and
// those of parts of a window.
constexpr std::ptrdiff_t guidedRingSums(int side) {
    return std::ptrdiff_t(std::bit_floor(unsigned(side))) + side - 2;
}

// Columns of sums go down in blocks of so many values side by side, and so many rows.
inline constexpr int kGuidedColumns = 32;
inline constexpr int kGuidedRows = 8;

// Takes `count` rows, a multiple of kGuidedRows, of kGuidedColumns values each, from column `at`
// of each, and gives as many rows of sums, one after the other: with every row taken that of the
// window that ends there, of no use before `side` rows are taken. `taken` is how many were before,
// `rings` what is kept between calls, kGuidedColumns guidedRingSums(side) values.
void guidedDown(const std::int32_t* const* rows, std::ptrdiff_t at, int count, int taken, int side,
                std::int32_t* rings, std::int32_t* sums);
void guidedDown(const double* const* rows, std::ptrdiff_t at, int count, int taken, int side,
                double* rings, double* sums);

// Of windows the sums of Y, Y^2, c and Y c, as guidedDown() gives them; c is Y itself where `color`
// is null.
template <class Sum>
struct GuidedWindows {
    const Sum* luma;
    const Sum* squares;
    const Sum* color;
    const Sum* products;
};
// a and b of `rows` rows of kGuidedColumns windows, to rows that begin `pitch` apart.
void guidedLines(const GuidedWindows<std::int32_t>& windows, const GuidedFilterPlan& plan, float* a,
                 float* b, std::ptrdiff_t pitch, int rows);
void guidedLines(const GuidedWindows<double>& windows, const GuidedFilterPlan& plan, float* a,
                 float* b, std::ptrdiff_t pitch, int rows);

// Rows of samples, so many bytes apart.
template <class T>
struct GuidedRows {
    T* first;
    std::ptrdiff_t pitch;

    T* row(int i) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
        return reinterpret_cast<T*>(reinterpret_cast<Byte*>(first) + i * pitch);
    }
};
// Results by luma and the sums of a and b, as guidedDown() gives them: of the first `columns` of
// `rows` rows.
void guidedResults(const GuidedRows<const std::uint8_t>& luma, const double* a, const double* b,
                   const GuidedFilterPlan& plan, const GuidedRows<std::uint8_t>& out, int columns,
                   int rows);
void guidedResults(const GuidedRows<const std::uint16_t>& luma, const double* a, const double* b,
                   const GuidedFilterPlan& plan, const GuidedRows<std::uint16_t>& out, int columns,
                   int rows);
void guidedResults(const GuidedRows<const float>& luma, const double* a, const double* b,
                   const GuidedFilterPlan& plan, const GuidedRows<float>& out, int columns,
                   int rows);

}  // namespace warpscope
