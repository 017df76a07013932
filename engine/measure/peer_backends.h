// Modules of other libraries (peer_module.h) as backends.
#pragma once

#include <memory>

#include "engine/measure/peer_module.h"
#include "engine/measure/peers.h"

namespace warpscope {

// The module must stay loaded.
std::shared_ptr<PeerBackend> makeCpuPeer(const WarpscopePeer& peer, bool single);
std::shared_ptr<PeerBackend> makeGpuPeer(const WarpscopePeer& peer);

}  // namespace warpscope
