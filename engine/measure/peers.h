// Other libraries timed beside ours, on the same data by the same clock. A peer is never one side
// of our speedups, is never shipped, and no library of ours links one: it is a module of its own
// that is loaded where a build made it (cli/peers).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/measure/timing.h"
#include "engine/operations/parameters.h"

namespace warpscope {

// A peer as a backend: measured like ours. Another library knows nothing of plans, so it is told
// the parameters that the next plans were made from; supports() and run() use them. Of a GPU's the
// kernels alone are timed: how images come to it is its user's affair.
class PeerBackend : public Backend {
  public:
    virtual void setParameters(const ParamSet& parameters) = 0;
};

struct Peer {
    std::string id;  // "opencv": rows say "opencv-single", "opencv" or "npp-cuda" as their backend
    std::string label;                    // "OpenCV 4.6.0"
    std::shared_ptr<PeerBackend> single;  // one thread; null where it works on a GPU
    std::shared_ptr<PeerBackend> cores;   // all cores; null where it works on a GPU
    std::shared_ptr<PeerBackend> gpu;     // null where it works on the CPU

    // Those that there are, in this order.
    std::vector<std::pair<Place, std::shared_ptr<PeerBackend>>> places() const;
    void setParameters(const ParamSet& parameters) const;
};

struct PeerSet {
    std::vector<Peer> peers = {};
    // Why there is none; where there are some, why modules that lie there are not among them; else
    // empty.
    std::string unavailable = {};

    bool available() const { return !peers.empty(); }
    std::string label() const;                      // "OpenCV 4.6.0, NPP 13.2.0"
    std::string labelAt(const Place& place) const;  // of the one with that place; else empty
    // What measured a row that says so; null where that is not here, or in another version.
    std::shared_ptr<PeerBackend> find(const Place& place, const std::string& label) const;
};

// Loads the modules from beside the running program, or from the folder lib beside the program's.
// One that says that it has no device is passed over. Never fails; says what is missing.
PeerSet loadPeers();
PeerSet loadPeers(const std::vector<std::filesystem::path>& folders);

}  // namespace warpscope
