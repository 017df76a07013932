#include "engine/measure/place.h"

namespace warpscope {
namespace {

constexpr std::string_view kSingle = "-single";

}  // namespace

Place Place::fromId(std::string_view id) {
    if (id.empty()) return {};
    if (const auto kind = backendFromId(id)) return *kind;
    const bool single = id.ends_with(kSingle);
    if (single) id.remove_suffix(kSingle.size());
    return Peer{std::string(id), single};
}

std::string Place::id() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return std::string(backendId(*kind));
    if (const auto* peer = std::get_if<Peer>(&m_place))
        return peer->oneThread ? peer->library + std::string(kSingle) : peer->library;
    return {};
}

bool Place::oneThread() const {
    if (const auto* peer = std::get_if<Peer>(&m_place)) return peer->oneThread;
    return *this == BackendKind::CpuSingle;
}

BackendKind Place::kind() const {
    if (const auto* kind = std::get_if<BackendKind>(&m_place)) return *kind;
    return isPeer() && !oneThread() ? BackendKind::Cpu : BackendKind::CpuSingle;
}

}  // namespace warpscope
