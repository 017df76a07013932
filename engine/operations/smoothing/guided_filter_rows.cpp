#include "engine/operations/smoothing/guided_filter_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/operations/smoothing/guided_filter_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <type_traits>

#include "engine/operations/lanes-inl.h"
#include "engine/operations/vector_loops.h"

// Without vectors, and with arrays instead of them, Highway makes the largest float of infinity.
#undef WARPSCOPE_FLOATS_BY_VECTORS
#define WARPSCOPE_FLOATS_BY_VECTORS (HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128)

HWY_BEFORE_NAMESPACE();
namespace warpscope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Sums32 = FixedTag<std::int32_t>;
using Sums64 = FixedTag<double>;

// Step kLevel of two rows: `run`, of which each lane is the sum of 2^kLevel values up to there,
// joins `sum` if it is in the window, and becomes the sum of twice as many if there are more.
template <int kLevel, class D, class V>
HWY_ATTR HWY_INLINE void stepOfLanes(D d, int side, int top, V (&oldRun)[2], V (&oldSum)[2],
                                     V (&run)[2], V (&sum)[2]) {
    constexpr int kBy = 1 << kLevel;
    if (kLevel > 0 && (side & kBy)) {
        WARPSCOPE_UNROLL
        for (int i = 0; i < 2; ++i) {
            const V before = behind<kBy>(d, oldSum[i], sum[i]);
            oldSum[i] = sum[i];
            sum[i] = hn::Add(before, run[i]);
        }
    }
    if (kLevel < top) {
        WARPSCOPE_UNROLL
        for (int i = 0; i < 2; ++i) {
            const V before = behind<kBy>(d, oldRun[i], run[i]);
            oldRun[i] = run[i];
            run[i] = hn::Add(before, run[i]);
        }
    }
}

// x becomes what `at` has, which gets x, and `more`.
template <class D, class V>
HWY_ATTR HWY_INLINE void addOlder(D d, hn::TFromD<D>* at, V (&x)[2], const V (&more)[2]) {
    constexpr int kLanes = kLanesOf<D>;
    WARPSCOPE_UNROLL
    for (int i = 0; i < 2; ++i) {
        const V older = hn::LoadU(d, at + i * kLanes);
        hn::StoreU(x[i], d, at + i * kLanes);
        x[i] = hn::Add(older, more[i]);
    }
}

// Two rows at once: what each step does is found out once.
template <class D, class Load>
HWY_ATTR HWY_INLINE void along(D d, const Load& load, int side, hn::TFromD<D>* HWY_RESTRICT first,
                               hn::TFromD<D>* HWY_RESTRICT second, int count,
                               hn::TFromD<D>* HWY_RESTRICT rings) {
    using V = hn::Vec<D>;
    constexpr int kLanes = kLanesOf<D>;
    constexpr int kLog = std::countr_zero(unsigned(kLanes));
    const int top = std::bit_width(unsigned(side)) - 1;
    V runs[4][2], parts[4][2];
    WARPSCOPE_UNROLL
    for (int k = 0; k < 4; ++k) runs[k][0] = runs[k][1] = parts[k][0] = parts[k][1] = hn::Zero(d);
    std::ptrdiff_t number = 0;
    for (int i = -(side - 2 + kLanes) / kLanes * kLanes; i < count; i += kLanes, ++number) {
        V run[2], sum[2];
        load(i + side - 1, run);
        sum[0] = run[0], sum[1] = run[1];
        if constexpr (kLog > 0) stepOfLanes<0>(d, side, top, runs[0], parts[0], run, sum);
        if constexpr (kLog > 1) stepOfLanes<1>(d, side, top, runs[1], parts[1], run, sum);
        if constexpr (kLog > 2) stepOfLanes<2>(d, side, top, runs[2], parts[2], run, sum);
        if constexpr (kLog > 3) stepOfLanes<3>(d, side, top, runs[3], parts[3], run, sum);
        hn::TFromD<D>* ring = rings;
        std::ptrdiff_t vectors = 1;
        for (int k = kLog; k <= top; ++k, vectors *= 2) {
            hn::TFromD<D>* at = ring + (number & (vectors - 1)) * 2 * kLanes;
            if (k > 0 && (side >> k & 1)) {
                addOlder(d, at, sum, run);
                at += vectors * 2 * kLanes;
                ring += vectors * 2 * kLanes;
            }
            if (k < top) {
                addOlder(d, at, run, run);
                ring += vectors * 2 * kLanes;
            }
        }
        if (i < 0) continue;
        hn::StoreU(sum[0], d, first + i);
        hn::StoreU(sum[1], d, second + i);
    }
}

HWY_ATTR HWY_INLINE hn::Vec<Sums32> loadFor(Sums32 d, const std::uint8_t* from) {
    const hn::Rebind<std::uint8_t, Sums32> bytes;
    return hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, from)), hn::Set(d, kGuidedMiddle));
}
HWY_ATTR HWY_INLINE hn::Vec<Sums64> loadFor(Sums64 d, const std::uint16_t* from) {
    const hn::Rebind<std::int32_t, Sums64> words;
    const hn::Rebind<std::uint16_t, Sums64> samples;
    return hn::PromoteTo(d, hn::PromoteTo(words, hn::LoadU(samples, from)));
}
HWY_ATTR HWY_INLINE hn::Vec<Sums64> loadFor(Sums64 d, const float* from) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Sums64>(), from));
}

template <class D, class T>
struct LoadBoth {
    const T* first;
    const T* second;
    HWY_ATTR HWY_INLINE void operator()(int i, hn::Vec<D> (&made)[2]) const {
        made[0] = loadFor(D(), first + i);
        made[1] = loadFor(D(), second + i);
    }
};
template <class D, class T>
struct LoadProducts {
    const T* values;
    const T* more;
    HWY_ATTR HWY_INLINE void operator()(int i, hn::Vec<D> (&made)[2]) const {
        made[0] = loadFor(D(), values + i);
        made[1] = hn::Mul(made[0], values == more ? made[0] : loadFor(D(), more + i));
    }
};

// The same down columns, eight rows at once: x[i] = x[i - kBy] + more[i], the first ones with what
// `ring` has, which gets the last of x. `more` may be x.
template <int kBy, class D, class V>
HWY_ATTR HWY_INLINE void stepOfRows(D d, V (&x)[kGuidedRows], const V (&more)[kGuidedRows],
                                    hn::TFromD<D>* ring) {
    constexpr int kLanes = kLanesOf<D>;
    V older[kBy];
    WARPSCOPE_UNROLL
    for (int i = 0; i < kBy; ++i) {
        older[i] = hn::LoadU(d, ring + i * kLanes);
        hn::StoreU(x[kGuidedRows - kBy + i], d, ring + i * kLanes);
    }
    WARPSCOPE_UNROLL
    for (int i = kGuidedRows - 1; i >= 0; --i)
        x[i] =
            hn::Add(i < kBy ? older[i % kBy] : x[(i + kGuidedRows - kBy) % kGuidedRows], more[i]);
}

template <class D>
HWY_ATTR HWY_INLINE void down(D d, const hn::TFromD<D>* const* rows, std::ptrdiff_t at, int count,
                              int taken, int side, hn::TFromD<D>* HWY_RESTRICT rings,
                              hn::TFromD<D>* HWY_RESTRICT sums) {
    using V = hn::Vec<D>;
    constexpr int kLanes = kLanesOf<D>;
    const int top = std::bit_width(unsigned(side)) - 1;
    for (int column = 0; column < kGuidedColumns; column += kLanes) {
        for (int row = 0; row < count; row += kGuidedRows) {
            V run[kGuidedRows], sum[kGuidedRows];
            WARPSCOPE_UNROLL
            for (int i = 0; i < kGuidedRows; ++i)
                run[i] = sum[i] = hn::LoadU(d, rows[row + i] + at + column);
            hn::TFromD<D>* parts = rings + ((1 << top) - 1) * kLanes;
            stepOfRows<1>(d, run, run, rings);
            if (side & 2) {
                stepOfRows<2>(d, sum, run, parts);
                parts += 2 * kLanes;
            }
            if (1 < top) stepOfRows<2>(d, run, run, rings + kLanes);
            if (side & 4) {
                stepOfRows<4>(d, sum, run, parts);
                parts += 4 * kLanes;
            }
            if (2 < top) stepOfRows<4>(d, run, run, rings + 3 * kLanes);
            for (int k = 3; k <= top; ++k) {
                const int ring = (taken + row) & ((1 << k) - 1);
                if (side >> k & 1) {
                    stepOfRows<8>(d, sum, run, parts + ring * kLanes);
                    parts += (kLanes << k);
                }
                if (k < top) stepOfRows<8>(d, run, run, rings + ((1 << k) - 1 + ring) * kLanes);
            }
            WARPSCOPE_UNROLL
            for (int i = 0; i < kGuidedRows; ++i)
                hn::StoreU(sum[i], d, sums + (row + i) * kGuidedColumns + column);
        }
        rings += guidedRingSums(side) * kLanes;
    }
}

#if WARPSCOPE_FLOATS_BY_VECTORS
HWY_ATTR HWY_INLINE hn::Vec<Sums64> sumsAt(Sums64 d, const std::int32_t* from) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int32_t, Sums64>(), from));
}
HWY_ATTR HWY_INLINE hn::Vec<Sums64> sumsAt(Sums64 d, const double* from) {
    return hn::LoadU(d, from);
}
#endif

// Variances and covariances are those of differences from a middle; means are not.
template <bool kSame, class Sum>
HWY_ATTR HWY_INLINE void lines(const GuidedWindows<Sum>& windows, const GuidedFilterPlan& plan,
                               float* HWY_RESTRICT a, float* HWY_RESTRICT b, std::ptrdiff_t pitch,
                               int rows) {
    constexpr bool kWhole = std::is_integral_v<Sum>;
    const double whole = kWhole ? plan.count * kGuidedMiddle : 0;
#if WARPSCOPE_FLOATS_BY_VECTORS
    const Sums64 d;
    const hn::Rebind<float, Sums64> df;
    const auto n = hn::Set(d, plan.count), softening = hn::Set(d, plan.softening);
    const auto share = hn::Set(d, plan.share), zero = hn::Zero(d), middle = hn::Set(d, whole);
    constexpr int kLanes = kLanesOf<Sums64>;
#endif
    for (int row = 0, at = 0; row < rows; ++row, a += pitch, b += pitch)
#if WARPSCOPE_FLOATS_BY_VECTORS
        for (int i = 0; i < kGuidedColumns; i += kLanes, at += kLanes) {
            auto y = sumsAt(d, windows.luma + at), c = y;
            auto spread = hn::Sub(hn::Mul(n, sumsAt(d, windows.squares + at)), hn::Mul(y, y));
            // Sums of integers of 8 bits are exact.
            if constexpr (!kWhole) spread = hn::IfThenElse(hn::Lt(spread, zero), zero, spread);
            auto together = spread;
            if constexpr (!kSame) {
                c = sumsAt(d, windows.color + at);
                together = hn::Sub(hn::Mul(n, sumsAt(d, windows.products + at)), hn::Mul(y, c));
            }
            if constexpr (kWhole) {
                y = hn::Add(y, middle);
                c = hn::Add(c, middle);
            }
            const auto slope = hn::DemoteTo(df, hn::Div(together, hn::Add(spread, softening)));
            const auto level = hn::Mul(hn::PromoteTo(d, slope), hn::Mul(y, share));
            hn::StoreU(slope, df, a + i);
            hn::StoreU(hn::DemoteTo(df, hn::Sub(hn::Mul(c, share), level)), df, b + i);
        }
#else
        for (int i = 0; i < kGuidedColumns; ++i, ++at) {
            const auto y = double(windows.luma[at]), c = kSame ? y : double(windows.color[at]);
            double spread = plan.count * double(windows.squares[at]) - y * y;
            spread = spread < 0 ? 0 : spread;
            const double together =
                kSame ? spread : plan.count * double(windows.products[at]) - y * c;
            a[i] = float(together / (spread + plan.softening));
            b[i] = float((c + whole) * plan.share - double(a[i]) * ((y + whole) * plan.share));
        }
#endif
}

template <class T>
HWY_ATTR HWY_INLINE void results(const GuidedRows<const T>& lumaRows, const double* a,
                                 const double* b, const GuidedFilterPlan& plan,
                                 const GuidedRows<T>& outRows, int columns, int rows) {
#if WARPSCOPE_FLOATS_BY_VECTORS
    const Sums64 d;
    const hn::Rebind<std::int32_t, Sums64> di;
    const hn::Rebind<T, Sums64> samples;
    constexpr int kLanes = kLanesOf<Sums64>;
    const auto shares = hn::Set(d, plan.share), most = hn::Set(d, plan.white);
    const auto zero = hn::Zero(d), half = hn::Set(d, 0.5);
#endif
    for (int row = 0; row < rows; ++row, a += kGuidedColumns, b += kGuidedColumns) {
        const T* luma = lumaRows.row(row);
        T* out = outRows.row(row);
        int i = 0;
#if WARPSCOPE_FLOATS_BY_VECTORS
        for (; i + kLanes <= columns; i += kLanes) {
            const auto slope = hn::Mul(hn::LoadU(d, a + i), shares);
            const auto offset = hn::Mul(hn::LoadU(d, b + i), shares);
            const auto narrow = hn::LoadU(samples, luma + i);
            if constexpr (std::is_floating_point_v<T>) {
                const auto v = hn::Add(hn::Mul(slope, hn::PromoteTo(d, narrow)), offset);
                hn::StoreU(hn::DemoteTo(samples, v), samples, out + i);
            } else {
                const auto y = hn::PromoteTo(d, hn::PromoteTo(di, narrow));
                const auto v = hn::Add(hn::Mul(slope, y), offset);
                const auto bounded = hn::Min(hn::Max(v, zero), most);
                const auto level = hn::DemoteTo(di, hn::Add(bounded, half));
                hn::StoreU(hn::DemoteTo(samples, level), samples, out + i);
            }
        }
#endif
        for (; i < columns; ++i) {
            const double v = a[i] * plan.share * double(luma[i]) + b[i] * plan.share;
            if constexpr (std::is_floating_point_v<T>) {
                out[i] = T(v);
            } else {
                const double bounded = v < 0 ? 0 : v > plan.white ? plan.white : v;
                out[i] = T(std::int32_t(bounded + 0.5));
            }
        }
    }
}

#undef WARPSCOPE_GUIDED
#define WARPSCOPE_GUIDED(T, Tag, Suffix)                                                        \
    HWY_ATTR void products##Suffix(const T* values, const T* more, int side,                    \
                                   hn::TFromD<Tag>* sums, hn::TFromD<Tag>* products, int count, \
                                   hn::TFromD<Tag>* rings) {                                    \
        along(Tag(), LoadProducts<Tag, T>{values, more}, side, sums, products, count, rings);   \
    }                                                                                           \
    HWY_ATTR void results##Suffix(const GuidedRows<const T>& luma, const double* a,             \
                                  const double* b, const GuidedFilterPlan& plan,                \
                                  const GuidedRows<T>& out, int columns, int rows) {            \
        results(luma, a, b, plan, out, columns, rows);                                          \
    }
WARPSCOPE_GUIDED(std::uint8_t, Sums32, 8)
WARPSCOPE_GUIDED(std::uint16_t, Sums64, 16)
WARPSCOPE_GUIDED(float, Sums64, Float)
#undef WARPSCOPE_GUIDED

#define WARPSCOPE_GUIDED(Tag, Suffix)                                                            \
    HWY_ATTR void down##Suffix(const hn::TFromD<Tag>* const* rows, std::ptrdiff_t at, int count, \
                               int taken, int side, hn::TFromD<Tag>* rings,                      \
                               hn::TFromD<Tag>* sums) {                                          \
        down(Tag(), rows, at, count, taken, side, rings, sums);                                  \
    }                                                                                            \
    HWY_ATTR void lines##Suffix(const GuidedWindows<hn::TFromD<Tag>>& windows,                   \
                                const GuidedFilterPlan& plan, float* a, float* b,                \
                                std::ptrdiff_t pitch, int rows) {                                \
        windows.color ? lines<false>(windows, plan, a, b, pitch, rows)                           \
                      : lines<true>(windows, plan, a, b, pitch, rows);                           \
    }
WARPSCOPE_GUIDED(Sums32, 32)
WARPSCOPE_GUIDED(Sums64, 64)
#undef WARPSCOPE_GUIDED

HWY_ATTR void linesAlong(const float* a, const float* b, int side, double* aSums, double* bSums,
                         int count, double* rings) {
    along(Sums64(), LoadBoth<Sums64, float>{a, b}, side, aSums, bSums, count, rings);
}

}  // namespace HWY_NAMESPACE
}  // namespace warpscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace warpscope {

#define WARPSCOPE_GUIDED(T, Sum, Suffix)                                                          \
    HWY_EXPORT(products##Suffix);                                                                 \
    HWY_EXPORT(results##Suffix);                                                                  \
    void guidedProductsAlong(const T* values, const T* more, int side, Sum* sums, Sum* products,  \
                             int count, Sum* rings) {                                             \
        HWY_DYNAMIC_DISPATCH(products##Suffix)(values, more, side, sums, products, count, rings); \
    }                                                                                             \
    void guidedResults(const GuidedRows<const T>& luma, const double* a, const double* b,         \
                       const GuidedFilterPlan& plan, const GuidedRows<T>& out, int columns,       \
                       int rows) {                                                                \
        HWY_DYNAMIC_DISPATCH(results##Suffix)(luma, a, b, plan, out, columns, rows);              \
    }
WARPSCOPE_GUIDED(std::uint8_t, std::int32_t, 8)
WARPSCOPE_GUIDED(std::uint16_t, double, 16)
WARPSCOPE_GUIDED(float, double, Float)
#undef WARPSCOPE_GUIDED

#define WARPSCOPE_GUIDED(Sum, Suffix)                                                           \
    HWY_EXPORT(down##Suffix);                                                                   \
    HWY_EXPORT(lines##Suffix);                                                                  \
    void guidedDown(const Sum* const* rows, std::ptrdiff_t at, int count, int taken, int side,  \
                    Sum* rings, Sum* sums) {                                                    \
        HWY_DYNAMIC_DISPATCH(down##Suffix)(rows, at, count, taken, side, rings, sums);          \
    }                                                                                           \
    void guidedLines(const GuidedWindows<Sum>& windows, const GuidedFilterPlan& plan, float* a, \
                     float* b, std::ptrdiff_t pitch, int rows) {                                \
        HWY_DYNAMIC_DISPATCH(lines##Suffix)(windows, plan, a, b, pitch, rows);                  \
    }
WARPSCOPE_GUIDED(std::int32_t, 32)
WARPSCOPE_GUIDED(double, 64)
#undef WARPSCOPE_GUIDED

HWY_EXPORT(linesAlong);
void guidedLinesAlong(const float* a, const float* b, int side, double* aSums, double* bSums,
                      int count, double* rings) {
    HWY_DYNAMIC_DISPATCH(linesAlong)(a, b, side, aSums, bSums, count, rings);
}

}  // namespace warpscope

#endif  // HWY_ONCE
