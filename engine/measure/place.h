// Where a row of timings was measured: on a backend of ours or by another library beside them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/backend/backend.h"

namespace warpscope {

class Place {
  public:
    // Another library on the CPU; `library` is PeerSet::id.
    struct Peer {
        std::string library;
        bool oneThread = false;
        auto operator<=>(const Peer&) const = default;
    };

    Place() = default;  // nowhere
    Place(BackendKind backend) : m_place(backend) {}
    Place(Peer peer) : m_place(std::move(peer)) {}
    // The id in a file: "" (nowhere), "cpu-single", "cpu", "cuda"; every other is that of a peer,
    // "opencv" or "opencv-single".
    static Place fromId(std::string_view id);
    std::string id() const;

    bool empty() const { return std::holds_alternative<std::monostate>(m_place); }
    bool isPeer() const { return std::holds_alternative<Peer>(m_place); }
    bool oneThread() const;
    // The backend that it is, or, of a peer, that uses as many threads: gives colours and columns.
    // Nowhere counts as one thread.
    BackendKind kind() const;

    auto operator<=>(const Place&) const = default;

  private:
    std::variant<std::monostate, BackendKind, Peer> m_place;
};

}  // namespace warpscope
