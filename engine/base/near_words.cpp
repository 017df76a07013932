#include "engine/base/near_words.h"

#include <algorithm>
#include <utility>

namespace warpscope {
namespace {

// Letters that are changed, left out, added or swapped with the next one.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::exchange(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string didYouMean(std::string_view word, const std::vector<std::string>& known) {
    constexpr std::size_t kLongestWord = 64;
    if (word.size() > kLongestWord) return {};
    std::size_t least = std::min<std::size_t>(word.size() / 3, 2) + 1;
    const std::string* nearest = nullptr;
    for (const std::string& one : known)
        if (const std::size_t distance = editDistance(word, one); distance < least) {
            least = distance;
            nearest = &one;
        }
    return nearest ? " (did you mean '" + *nearest + "'?)" : std::string();
}

}  // namespace warpscope
