// Mean, standard deviation and percentiles of whole numbers, from exact counts and sums: every list
// of figures in the program is made with these.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace warpscope {

// Sums of samples below 2^32. Exact for every image that there can be (2^40 pixels).
class ExactSums {
  public:
    __extension__ using Wide = unsigned __int128;

    void add(std::uint64_t value, std::uint64_t times) {
        add(times, Wide(value) * times, Wide(value) * value * times);
    }
    // Of `count` samples at once.
    void add(std::uint64_t count, Wide sum, Wide squares) {
        m_count += count;
        m_sum += sum;
        m_squares += squares;
    }
    void add(const ExactSums& other) { add(other.m_count, other.m_sum, other.m_squares); }

    std::uint64_t count() const { return m_count; }

    // 0 where nothing was added. Rounded once, at the end.
    double mean() const {
        if (m_count == 0) return 0;
        return double(m_sum / m_count) + double(m_sum % m_count) / double(m_count);
    }
    // Of the population.
    double standardDeviation() const {
        if (m_count == 0) return 0;
        const Wide n = m_count;
        const Wide whole = m_sum / n, rest = m_sum % n;
        // Squared distances from `whole`, which is at most 1 from the mean. What is in between may
        // wrap around, the result does not.
        const Wide squares = m_squares - 2 * whole * m_sum + n * whole * whole;
        if (squares <= ~Wide{0} / n)
            return std::sqrt(double(n * squares - rest * rest)) / double(n);
        const double shift = double(rest) / double(n);
        return std::sqrt(double(squares) / double(n) - shift * shift);
    }

  private:
    std::uint64_t m_count = 0;
    Wide m_sum = 0;
    Wide m_squares = 0;
};

// Which of `count` samples in rising order, from 1, is the percentile: the first one at which as
// many as `percent` per cent have been seen.
inline std::uint64_t percentileRank(std::uint64_t count, unsigned percent) {
    return std::max<std::uint64_t>(1, (count * percent + 99) / 100);
}

// The bin of the sample of this rank; the last one where there are fewer samples.
inline std::size_t binOfRank(std::span<const std::uint64_t> bins, std::uint64_t rank) {
    std::uint64_t seen = 0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        if ((seen += bins[bin]) >= rank) return bin;
    return bins.size() - 1;
}

}  // namespace warpscope
