// The networks of medians of radius 2 to 7 (median_networks.h, median_tiles.h), on GPUs too
// (cuda_kernels/smoothing/median_tile_networks.cuh), made when this is compiled: which
// samples are exchanged, in what order, without what no median needs. Without any vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpscope::median {

// Two wires, of which the lower value goes to `low`; not all results are needed.
enum class Needed : std::uint8_t { Both, Low, High };
struct Exchange {
    std::uint16_t low = 0, high = 0;
    Needed needed = Needed::Both;
};

using Wires = std::vector<int>;

struct Ranks {
    int first = 0, end = 0;

    constexpr bool has(int rank) const { return rank >= first && rank < end; }
    constexpr void add(int rank) {
        *this = first == end ? Ranks{rank, rank + 1}
                             : Ranks{std::min(first, rank), std::max(end, rank + 1)};
    }
};

// Of a sorted list of `size` to which `others` samples are to come: those that can be the median of
// all. Both ends lose as many, so that it stays the middle one.
constexpr Ranks kept(int size, int others) {
    const int first = std::max(0, (size - others - 1) / 2);
    return {first, size - first};
}

constexpr int countKept(int size, int others) {
    const Ranks ranks = kept(size, others);
    return ranks.end - ranks.first;
}

// Batcher's odd-even merge of sorted lists of any lengths: the wires of the merged list, in order,
// of which only `needed` is right. Its last step exchanges neighbours. A sample before the first
// that is less than all, and is nowhere exchanged, moves the pairs of neighbours by one: so they
// begin where what is needed begins, and no half of a pair is made for nothing, all the way down.
constexpr Wires merged(const Wires& a, const Wires& b, Ranks needed, std::vector<Exchange>& to) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    const auto exchange = [&](int low, int high) {
        to.push_back({std::uint16_t(low), std::uint16_t(high), Needed::Both});
    };
    if (a.size() == 1 && b.size() == 1) {
        exchange(a[0], b[0]);
        return {a[0], b[0]};
    }
    const int all = int(a.size() + b.size());
    const int moved = 1 - (needed.first > 0 ? needed.first : needed.end < all ? needed.end : 1) % 2;
    Wires parts[2][2];
    for (int i = 0; i < int(a.size()); ++i) parts[0][(i + moved) % 2].push_back(a[std::size_t(i)]);
    for (int i = 0; i < int(b.size()); ++i) parts[1][i % 2].push_back(b[std::size_t(i)]);
    // Pair i: rank 2 i + 1 - moved from the odd samples and, if there is one, the next from the
    // even ones.
    const int odds = int(parts[0][1].size() + parts[1][1].size()), evens = all - odds;
    Ranks ofEven, ofOdd;
    if (!moved && needed.has(0)) ofEven.add(0);
    for (int i = 0; i < std::max(odds, evens); ++i) {
        const int rank = 2 * i + 1 - moved, even = i + 1 - moved;
        if (!needed.has(rank) && !needed.has(rank + 1)) continue;
        if (i < odds) ofOdd.add(i);
        if (even < evens) ofEven.add(even);
    }
    const Wires even = merged(parts[0][0], parts[1][0], ofEven, to);
    const Wires odd = merged(parts[0][1], parts[1][1], ofOdd, to);
    Wires result;
    if (!moved) result.push_back(even[0]);
    for (int i = 0; int(result.size()) < all; ++i) {
        const auto at = std::size_t(i + 1 - moved);
        if (i < odds && int(at) < evens &&
            (needed.has(2 * i + 1 - moved) || needed.has(2 * i + 2 - moved)))
            exchange(odd[std::size_t(i)], even[at]);
        if (i < odds) result.push_back(odd[std::size_t(i)]);
        if (int(at) < evens) result.push_back(even[at]);
    }
    return result;
}

// The fewest exchanges that are known for 10 and 12 samples, two fewer than by halves (Bert
// Dobbelaere, "Smallest and fastest sorting networks for a given number of inputs").
inline constexpr std::array<std::array<std::uint8_t, 2>, 29> kSortTen{
    {{0, 8}, {1, 9}, {2, 7}, {3, 5}, {4, 6}, {0, 2}, {1, 4}, {5, 8}, {7, 9}, {0, 3},
     {2, 4}, {5, 7}, {6, 9}, {0, 1}, {3, 6}, {8, 9}, {1, 5}, {2, 3}, {4, 8}, {6, 7},
     {1, 2}, {3, 5}, {4, 6}, {7, 8}, {2, 3}, {4, 5}, {6, 7}, {3, 4}, {5, 6}}};
inline constexpr std::array<std::array<std::uint8_t, 2>, 39> kSortTwelve{
    {{0, 8},  {1, 7},   {2, 6}, {3, 11}, {4, 10}, {5, 9},  {0, 1}, {2, 5}, {3, 4}, {6, 9},
     {7, 8},  {10, 11}, {0, 2}, {1, 6},  {5, 10}, {9, 11}, {0, 3}, {1, 2}, {4, 6}, {5, 7},
     {8, 11}, {9, 10},  {1, 4}, {3, 5},  {6, 8},  {7, 10}, {1, 3}, {2, 5}, {6, 9}, {8, 10},
     {2, 3},  {4, 5},   {6, 7}, {8, 9},  {4, 6},  {5, 7},  {3, 4}, {5, 6}, {7, 8}}};

constexpr Wires sorted(const Wires& wires, std::vector<Exchange>& to) {
    if (wires.size() < 2) return wires;
    const auto by = [&](const auto& network) {
        for (const auto& pair : network)
            to.push_back(
                {std::uint16_t(wires[pair[0]]), std::uint16_t(wires[pair[1]]), Needed::Both});
        return wires;
    };
    if (wires.size() == 10) return by(kSortTen);
    if (wires.size() == 12) return by(kSortTwelve);
    const auto half = wires.begin() + std::ptrdiff_t(wires.size() + 1) / 2;
    const Wires first = sorted({wires.begin(), half}, to);
    const Wires second = sorted({half, wires.end()}, to);
    return merged(first, second, {0, int(wires.size())}, to);
}

// Sorted lists, one merged with another and both with what two others have become.
constexpr Wires mergedLists(const std::vector<Wires>& lists, Ranks needed,
                            std::vector<Exchange>& to) {
    if (lists.size() == 1) return lists[0];
    const auto half = lists.begin() + std::ptrdiff_t(lists.size() + 1) / 2;
    const auto whole = [&](const std::vector<Wires>& some) {
        int all = 0;
        for (const Wires& list : some) all += int(list.size());
        return mergedLists(some, {0, all}, to);
    };
    const Wires first = whole({lists.begin(), half});
    return merged(first, whole({half, lists.end()}), needed, to);
}

// Takes out what leads to none of `results`.
constexpr void prune(std::vector<Exchange>& steps, const Wires& results, int wires) {
    // Not of bool: clang has no constants of such.
    std::vector<char> needed(std::size_t(wires), 0);
    for (const int wire : results) needed[std::size_t(wire)] = 1;
    std::vector<Exchange> left;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const bool low = needed[step->low] != 0, high = needed[step->high] != 0;
        if (!low && !high) continue;
        step->needed = low && high ? Needed::Both : low ? Needed::Low : Needed::High;
        needed[step->low] = needed[step->high] = 1;
        left.push_back(*step);
    }
    steps.assign(left.rbegin(), left.rend());
}

// Exchanges on wires of which the first kInputs are given.
template <int kInputs, int kResults, int kSteps>
struct Network {
    static constexpr int inputs = kInputs, results = kResults;
    std::array<Exchange, std::size_t(kSteps)> steps{};
    std::array<int, std::size_t(kResults)> result{};  // wires, in order
};

// Room for any network, so that each is thought out once.
template <int kResults>
struct Draft {
    std::array<Exchange, 1024> steps{};
    int stepCount = 0;
    std::array<int, std::size_t(kResults)> result{};
};

template <int kResults>
constexpr Draft<kResults> drafted(std::vector<Exchange>& steps, const Wires& all, Ranks kept,
                                  int wires) {
    Draft<kResults> draft;
    const Wires results(all.begin() + kept.first, all.begin() + kept.end);
    prune(steps, results, wires);
    std::copy(steps.begin(), steps.end(), draft.steps.begin());
    draft.stepCount = int(steps.size());
    std::copy(results.begin(), results.end(), draft.result.begin());
    return draft;
}

template <int kInputs, const auto& kDraft>
constexpr auto networkOf() {
    Network<kInputs, int(kDraft.result.size()), kDraft.stepCount> network;
    std::copy_n(kDraft.steps.begin(), kDraft.stepCount, network.steps.begin());
    network.result = kDraft.result;
    return network;
}

// kCount samples sorted.
template <int kCount>
inline constexpr auto kSortDraft = [] {
    std::vector<Exchange> steps;
    Wires wires;
    for (int i = 0; i < kCount; ++i) wires.push_back(i);
    const Wires all = sorted(wires, steps);
    return drafted<kCount>(steps, all, {0, kCount}, kCount);
}();
template <int kCount>
inline constexpr auto kSort = networkOf<kCount, kSortDraft<kCount>>();

// Sorted lists, one behind another, merged; those are kept that can be the median when kOthers
// more samples are to come.
inline constexpr int kKeepAll = 1 << 20;
template <int kOthers, int... kSizes>
inline constexpr auto kMergeDraft = [] {
    std::vector<Exchange> steps;
    std::vector<Wires> lists;
    int wire = 0;
    for (const int size : {kSizes...}) {
        lists.emplace_back();
        for (int i = 0; i < size; ++i) lists.back().push_back(wire++);
    }
    const Ranks ranks = kept(wire, kOthers);
    const Wires all = mergedLists(lists, ranks, steps);
    return drafted<countKept((kSizes + ...), kOthers)>(steps, all, ranks, wire);
}();
template <int kOthers, int... kSizes>
inline constexpr auto kMerge = networkOf<(kSizes + ...), kMergeDraft<kOthers, kSizes...>>();

// The sizes of the lists. Tiles of 2 columns and 4 rows: their windows share a core of kWide
// columns and kTall rows, to which both halves add two rows and each row one more. Then each
// window has one column left.
template <int kRadius>
struct Sizes {
    static constexpr int kSide = 2 * kRadius + 1, kAll = kSide * kSide;
    static constexpr int kWide = kSide - 1, kTall = kSide - 3;
    static constexpr int kPair = 2 * kTall;  // of two columns
    static constexpr int kCore = countKept(kWide * kTall, kAll - kWide * kTall);
    static constexpr int kHalf = countKept(kCore + 2 * kWide, kAll - kWide * (kTall + 2));
    static constexpr int kRow = countKept(kHalf + kWide, kSide);
};

}  // namespace warpscope::median
