// Numbers and texts one behind the other, as two processes of one machine exchange them. What is
// read is taken for hostile: everything is bounded before it is used.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpscope::io {

class ByteWriter {
  public:
    template <class T>
    void number(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
        m_bytes.insert(m_bytes.end(), from, from + sizeof value);
    }
    void block(std::span<const std::uint8_t> bytes) {
        number(std::uint64_t(bytes.size()));
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }
    void text(std::string_view text) {
        block({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    std::vector<std::uint8_t> take() && { return std::move(m_bytes); }

  private:
    std::vector<std::uint8_t> m_bytes;
};

// Once something does not fit, everything that follows is empty, and ended() is false.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : m_left(bytes) {}

    template <class T>
    T number() {
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
        T value{};
        if (!fits(sizeof value)) return value;
        std::memcpy(&value, m_left.data(), sizeof value);
        m_left = m_left.subspan(sizeof value);
        return value;
    }
    // Any other byte than 0 and 1 is an error.
    bool flag() { return atMost<std::uint8_t>(1) != 0; }
    template <class T>
    T atMost(T most) {
        const T value = number<T>();
        if (value <= most) return value;
        m_good = false;
        return {};
    }
    std::span<const std::uint8_t> block(std::size_t most) {
        const auto size = atMost(std::uint64_t(most));
        if (!fits(size)) return {};
        const auto bytes = m_left.first(std::size_t(size));
        m_left = m_left.subspan(std::size_t(size));
        return bytes;
    }
    std::string text(std::size_t most) {
        const auto bytes = block(most);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    // How many entries of at least `bytesEach` follow; an error if they are more than `most` or
    // than there can be.
    std::size_t count(std::size_t most, std::size_t bytesEach) {
        const auto entries = atMost(std::uint64_t(most));
        return fits(entries * bytesEach) ? std::size_t(entries) : 0;
    }
    void refuse() { m_good = false; }
    bool good() const { return m_good; }
    // Everything was there, and nothing else.
    bool ended() const { return m_good && m_left.empty(); }

  private:
    bool fits(std::uint64_t bytes) {
        m_good = m_good && bytes <= m_left.size();
        return m_good;
    }
    std::span<const std::uint8_t> m_left;
    bool m_good = true;
};

}  // namespace warpscope::io
