#include "engine/io/helper/helper_start.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <vector>

#include "engine/io/helper/channel.h"
#include "engine/io/helper/sandbox.h"

extern char** environ;

namespace warpscope::io {
namespace {

constexpr const char* kProgram = "warpscope-decode";
constexpr int kSocket = 3;

struct SpawnSettings {
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
    SpawnSettings() {
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawnattr_init(&attributes);
    }
    ~SpawnSettings() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
};

std::filesystem::path folderOfLibrary() {
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(&startHelper), &info) == 0 || !info.dli_fname) return {};
    std::error_code none;
    return std::filesystem::canonical(info.dli_fname, none).parent_path();
}

}  // namespace

Result<StartedHelper> startHelper(const DecodeHelper& program) {
    auto [ours, theirs] = packetSockets();
    if (!ours.isOpen())
        return fail(ErrorCode::OutOfMemory, fmt::format("no socket: {}", systemReason(errno)));
    // Above the places that are filled below, also in a program that was started without any.
    const FileHandle end(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, kSocket + 1));
    SpawnSettings settings;
    ::posix_spawn_file_actions_addopen(&settings.files, 0, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_adddup2(&settings.files, 0, 1);
    // What libraries mutter about damaged files is nobody's business; a sanitizer's report is.
    if (limitsAddressSpace()) ::posix_spawn_file_actions_adddup2(&settings.files, 0, 2);
    ::posix_spawn_file_actions_adddup2(&settings.files, end.get(), kSocket);
    ::posix_spawn_file_actions_addclosefrom_np(&settings.files, kSocket + 1);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&settings.attributes, &none);
    ::posix_spawnattr_setsigdefault(&settings.attributes, &all);
    ::posix_spawnattr_setpgroup(&settings.attributes, 0);
    ::posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSIGMASK |
                                                         POSIX_SPAWN_SETSIGDEF |
                                                         POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments{const_cast<char*>(program.program.c_str())};
    for (const std::string& one : program.arguments)
        arguments.push_back(const_cast<char*>(one.c_str()));
    arguments.push_back(nullptr);
    StartedHelper started;
    const int code = ::posix_spawn(&started.process, program.program.c_str(), &settings.files,
                                   &settings.attributes, arguments.data(), environ);
    if (code != 0) {
        const bool short_ = code == EAGAIN || code == ENOMEM || code == EMFILE || code == ENFILE;
        return fail(code == ENOENT ? ErrorCode::NotFound
                    : short_       ? ErrorCode::OutOfMemory
                                   : ErrorCode::Io,
                    fmt::format("{}: {}", program.program.string(), systemReason(code)));
    }
    started.socket = std::move(ours);
    return started;
}

std::filesystem::path findHelper() {
    std::error_code none;
    const auto library = folderOfLibrary();
    const auto own = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
    for (const auto& folder : {library, own, own / "../bin", own / "../lib/warpscope",
                               own / "../libexec/warpscope", own / "../lib"}) {
        if (folder.empty()) continue;
        const auto place = folder / kProgram;
        if (std::filesystem::is_regular_file(place, none)) return place.lexically_normal();
    }
    return {};
}

}  // namespace warpscope::io
