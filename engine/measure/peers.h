// Other libraries timed beside ours, on the same data by the same clock. A peer is never one side
// of our speedups, is never shipped, and no library of ours links one: it is a module of its own
// that is loaded where a build made it (cli/peers).
#pragma once

#include <string>

#include "engine/backend/backend.h"

namespace warpscope {

struct PeerSet {
    std::string id;           // "opencv": rows say "opencv-single" and "opencv" as their backend
    std::string label;        // "OpenCV 4.6.0"
    BackendPtr single;        // one thread; null where there is no peer
    BackendPtr cores;         // all cores; null where there is no peer
    std::string unavailable;  // why there is none; empty if there is

    bool available() const { return single != nullptr && cores != nullptr; }
};

// Loads the module from beside the running program. Never fails; says why instead.
PeerSet loadPeers();

}  // namespace warpscope
