#include "engine/measure/peers.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "engine/measure/peer_backends.h"
#include "engine/measure/peer_module.h"

namespace warpscope {
namespace {

namespace fs = std::filesystem;

void add(std::string& reasons, const std::string& reason) {
    reasons += (reasons.empty() ? "" : "; ") + reason;
}

// Kept until the program ends: the library has threads of its own. Null: it is said in `why`, where
// there is something to say.
const WarpscopePeer* loaded(const fs::path& file, std::string& why) {
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        add(why, fmt::format("{} cannot be loaded: {}", file.filename().string(), dlerror()));
        return nullptr;
    }
    const auto entry = reinterpret_cast<WarpscopePeerEntry>(dlsym(module, "warpscope_peer"));
    const WarpscopePeer* peer = entry ? entry() : nullptr;
    if (entry && !peer) return nullptr;
    if (peer && peer->version == WARPSCOPE_PEER_VERSION) return peer;
    add(why, fmt::format("{} is of another version", file.filename().string()));
    return nullptr;
}

std::optional<fs::path> moduleFile(const std::vector<fs::path>& folders, const char* name) {
    std::error_code ignored;
    for (const fs::path& place : folders)
        if (fs::exists(place / name, ignored)) return place / name;
    return std::nullopt;
}

}  // namespace

std::vector<std::pair<Place, std::shared_ptr<PeerBackend>>> Peer::places() const {
    std::vector<std::pair<Place, std::shared_ptr<PeerBackend>>> all;
    for (const auto& backend : {single, cores, gpu})
        if (backend) all.emplace_back(Place::Peer{id, backend->info().kind}, backend);
    return all;
}

void Peer::setParameters(const ParamSet& parameters) const {
    for (const auto& [place, backend] : places()) backend->setParameters(parameters);
}

std::string PeerSet::label() const {
    std::string text;
    for (const Peer& peer : peers) text += (text.empty() ? "" : ", ") + peer.label;
    return text;
}

std::string PeerSet::labelAt(const Place& place) const {
    for (const Peer& peer : peers)
        for (const auto& [its, backend] : peer.places())
            if (its == place) return peer.label;
    return {};
}

std::shared_ptr<PeerBackend> PeerSet::find(const Place& place, const std::string& label) const {
    for (const Peer& peer : peers)
        for (const auto& [its, backend] : peer.places())
            if (its == place && peer.label == label) return backend;
    return nullptr;
}

PeerSet loadPeers() {
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    return loadPeers({folder, folder.parent_path() / "lib"});
}

PeerSet loadPeers(const std::vector<fs::path>& folders) {
    PeerSet set;
    for (const char* name : {"warpscope-peer-opencv.so", "warpscope-peer-npp.so"}) {
        const auto file = moduleFile(folders, name);
        if (!file) continue;
        const WarpscopePeer* module = loaded(*file, set.unavailable);
        if (!module) continue;
        Peer peer{module->id, module->label, nullptr, nullptr, nullptr};
        if (module->gpu) {
            peer.gpu = makeGpuPeer(*module);
        } else {
            peer.single = makeCpuPeer(*module, true);
            peer.cores = makeCpuPeer(*module, false);
        }
        set.peers.push_back(std::move(peer));
    }
    if (!set.available() && set.unavailable.empty())
        set.unavailable = "this build has no peer: OpenCV was not found when it was configured";
    return set;
}

}  // namespace warpscope
