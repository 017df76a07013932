// Yes or no, asked once of each GPU of the process.
#pragma once

#include <array>
#include <atomic>

namespace warpscope::cuda {

class DeviceAnswers {
  public:
    static constexpr int kKept = 64;  // devices; further ones are asked each time

    // What ask() says of device number `index`. Whoever asks at the same time may ask twice. What
    // ask() throws is not kept.
    template <class Ask>
    bool of(int index, const Ask& ask) {
        if (index < 0 || index >= kKept) return ask();
        std::atomic<signed char>& kept = m_kept[std::size_t(index)];
        const signed char known = kept.load(std::memory_order_relaxed);
        if (known) return known == kYes;
        const bool answer = ask();
        kept.store(answer ? kYes : kNo, std::memory_order_relaxed);
        return answer;
    }

  private:
    static constexpr signed char kNo = 1, kYes = 2;
    std::array<std::atomic<signed char>, kKept> m_kept{};
};

}  // namespace warpscope::cuda
