// Other libraries timed beside ours, on the same data by the same clock. A peer is never one side
// of our speedups, is never shipped, and no library of ours links one: it is a module of its own
// that is loaded where a build made it (cli/peers).
#pragma once

#include <memory>
#include <string>

#include "engine/backend/backend.h"
#include "engine/operations/parameters.h"

namespace warpscope {

// A peer as a backend of the CPU: measured like ours. Another library knows nothing of plans, so it
// is told the parameters that the next plans were made from; supports() and run() use them.
class PeerBackend : public Backend {
  public:
    virtual void setParameters(const ParamSet& parameters) = 0;
};

struct PeerSet {
    std::string id;     // "opencv": rows say "opencv-single" and "opencv" as their backend
    std::string label;  // "OpenCV 4.6.0"
    std::shared_ptr<PeerBackend> single;  // one thread; null where there is no peer
    std::shared_ptr<PeerBackend> cores;   // all cores; null where there is no peer
    std::string unavailable;              // why there is none; empty if there is

    bool available() const { return single != nullptr && cores != nullptr; }
};

// Loads the module from beside the running program, or from the folder lib beside the program's.
// Never fails; says why instead.
PeerSet loadPeers();

}  // namespace warpscope
