// Makes one call of the seam fail, or more from that one on. Stays in front of the runtime as long
// as it lives and is told from any thread what to do next, because the seam's hook must not be
// changed while a backend works.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda_kernels/runtime/cuda_api.h"

namespace warpscope::test {

enum class Lasting {
    Once,
    SamePlace,  // and whenever the code comes by that place again
    ForEver     // and every later call, as after a fault of the device
};

class FaultHook {
  public:
    struct Hit {
        int number = 0;
        std::string call;
        std::string file;
        int line = 0;
        bool quiet = false;

        std::string text() const {
            return "call " + std::to_string(number) + ", " + call + " at " +
                   file.substr(file.rfind('/') + 1) + ":" + std::to_string(line) +
                   (quiet ? " (quiet)" : "");
        }
    };

    FaultHook() {
        cuda::setCallHook([this](const cuda::CallSite& site) { return answer(site); });
    }
    ~FaultHook() { cuda::setCallHook({}); }
    FaultHook(const FaultHook&) = delete;
    FaultHook& operator=(const FaultHook&) = delete;

    // Counts anew, quiet calls too, and lets call `n` fail, from 0. A negative one: none.
    void arm(int n, cudaError_t code, Lasting lasting) { arm(n, {}, code, lasting); }
    // Lets the first call fail that begins like this.
    void armAt(std::string beginning, cudaError_t code, Lasting lasting) {
        arm(-1, std::move(beginning), code, lasting);
    }
    // What was hit stays known.
    void disarm() {
        const std::lock_guard lock(m_mutex);
        m_armed = false;
    }

    std::optional<Hit> hit() const {
        const std::lock_guard lock(m_mutex);
        return m_hit;
    }
    int calls() const {
        const std::lock_guard lock(m_mutex);
        return m_calls;
    }

    // Of what was counted without letting a call fail: one call of each place in the code that was
    // passed, at random, and `more` others.
    std::set<int> someOfEachPlace(std::mt19937& random, int more) const {
        const std::lock_guard lock(m_mutex);
        std::set<int> chosen;
        for (const auto& [place, numbers] : m_places)
            chosen.insert(numbers[random() % numbers.size()]);
        for (int i = 0; i < more; ++i) chosen.insert(int(random() % unsigned(m_calls)));
        return chosen;
    }

  private:
    void arm(int n, std::string beginning, cudaError_t code, Lasting lasting) {
        const std::lock_guard lock(m_mutex);
        m_n = n;
        m_beginning = std::move(beginning);
        m_code = code;
        m_lasting = lasting;
        m_calls = 0;
        m_hit.reset();
        m_places.clear();
        m_armed = true;
    }

    cudaError_t answer(const cuda::CallSite& site) {
        const std::lock_guard lock(m_mutex);
        if (!m_armed) return cudaSuccess;
        const int number = m_calls++;
        if (m_n < 0 && m_beginning.empty())
            m_places[std::string(site.file) + std::to_string(site.line) + site.call].push_back(
                number);
        const bool named =
            !m_beginning.empty() && !m_hit && std::string_view(site.call).starts_with(m_beginning);
        if (number == m_n || named) {
            m_hit = Hit{number, site.call, site.file, site.line, site.quiet};
            return m_code;
        }
        if (!m_hit || m_lasting == Lasting::Once) return cudaSuccess;
        const bool same =
            m_hit->line == site.line && m_hit->file == site.file && m_hit->call == site.call;
        return same || m_lasting == Lasting::ForEver ? m_code : cudaSuccess;
    }

    mutable std::mutex m_mutex;  // guards what follows
    bool m_armed = false;
    int m_n = -1;
    std::string m_beginning;
    cudaError_t m_code = cudaSuccess;
    Lasting m_lasting = Lasting::Once;
    int m_calls = 0;
    std::optional<Hit> m_hit;
    std::map<std::string, std::vector<int>> m_places;
};

}  // namespace warpscope::test
