// A decoding process as a file might make of one: what it does wrong is its first argument. For
// helper_test.cpp.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "engine/io/helper/channel.h"
#include "engine/io/helper/sandbox.h"

using namespace warpscope;
using namespace warpscope::io;

namespace {

constexpr int kSocket = 3;

struct Lie {
    HelperAnswer answer;
    MessageBytes content;
    std::vector<FileHandle> images;
    bool withContent = true;
    bool twice = false;
};

void send(Lie lie) {
    const FileHandle body = memoryFile(lie.content);
    std::vector<int> files;
    if (lie.withContent) files.push_back(body.get());
    if (lie.twice) files.push_back(body.get());
    for (const FileHandle& file : lie.images) files.push_back(file.get());
    sendPacket(kSocket, toBytes(lie.answer), files);
}

FileHandle samples(std::uint64_t bytes, bool sealed) {
    FileHandle file(::memfd_create("samples", MFD_ALLOW_SEALING));
    if (::ftruncate(file.get(), off_t(bytes)) != 0) ::_exit(9);
    if (sealed) sealFile(file.get());
    return file;
}

// An answer that is right in everything.
Lie honest(const HelperRequest& request, Size size, std::uint64_t bytes, bool sealed = true) {
    Lie lie;
    ImageDescription image;
    image.size = size;
    lie.content = toBytes(HelperContent(ImageDescriptions{image}));
    lie.images.push_back(samples(bytes, sealed));
    lie.answer = {request.id, lie.content.size(), 1};
    return lie;
}

Lie failing(const HelperRequest& request, const std::string& text) {
    Lie lie;
    lie.content = toBytes(HelperContent(Error{ErrorCode::Damaged, text}));
    lie.answer = {request.id, lie.content.size(), 0};
    return lie;
}

constexpr std::uint64_t kBytes = 64 * 64 + 64;
constexpr Size kSize{64, 64};

void spin() {
    volatile unsigned turns = 0;
    while (true) turns = turns + 1;
}

// Says whether a limit was met before 32 GiB.
void eatMemory(const HelperRequest& request) {
    for (int gib = 0; gib < 32; ++gib) {
        if (::mmap(nullptr, std::size_t(1) << 30, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED)
            continue;
        Lie lie;
        lie.content = toBytes(HelperContent(Error{ErrorCode::OutOfMemory, "not enough memory"}));
        lie.answer = {request.id, lie.content.size(), 0};
        return send(std::move(lie));
    }
    send(failing(request, "there is no limit"));
}

using Act = std::function<void(const HelperRequest&)>;
const std::map<std::string, Act>& acts() {
    static const std::map<std::string, Act> all = {
        {"honest", [](const auto& r) { send(honest(r, kSize, kBytes)); }},
        {"crashes", [](const auto&) { ::raise(SIGSEGV); }},
        {"exits", [](const auto&) { ::_exit(7); }},
        {"is-killed", [](const auto&) { ::raise(SIGKILL); }},
        {"hangs", [](const auto&) { ::pause(); }},
        {"spins", [](const auto&) { spin(); }},
        {"asks-for-a-socket", [](const auto&) { (void)::socket(AF_INET, SOCK_STREAM, 0); }},
        {"eats-memory", eatMemory},
        {"garbage",
         [](const auto&) { sendPacket(kSocket, MessageBytes(100, std::uint8_t(0xA5))); }},
        {"half-a-message",
         [](const auto& r) {
             const MessageBytes whole = toBytes(HelperAnswer{r.id, 0, 0});
             sendPacket(kSocket, std::span(whole).first(whole.size() / 2));
         }},
        {"too-much", [](const auto&) { sendPacket(kSocket, MessageBytes(40'000, 1)); }},
        {"another-id",
         [](HelperRequest r) {
             ++r.id;
             send(honest(r, kSize, kBytes));
         }},
        {"no-content",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             lie.withContent = false;
             send(std::move(lie));
         }},
        {"a-file-too-many",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             lie.twice = true;
             send(std::move(lie));
         }},
        {"other-content-size",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             ++lie.answer.contentBytes;
             send(std::move(lie));
         }},
        {"content-too-large",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             lie.answer.contentBytes = std::uint64_t(1) << 40;
             send(std::move(lie));
         }},
        {"content-left-over",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             lie.content.push_back(0);
             lie.answer.contentBytes = lie.content.size();
             send(std::move(lie));
         }},
        {"content-is-a-pipe",
         [](const auto& r) {
             int ends[2];
             if (::pipe(ends) != 0) ::_exit(9);
             sendPacket(kSocket, toBytes(HelperAnswer{r.id, 40, 0}), std::span(ends, 1));
         }},
        {"unknown-format",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             // Behind mark, version, kind and count.
             lie.content[4 + 4 + 1 + 8] = 200;
             send(std::move(lie));
         }},
        {"impossible-size",
         [](const auto& r) {
             send(honest(r, {1 << 30, 1 << 30}, kBytes));
         }},
        {"negative-size",
         [](const auto& r) {
             send(honest(r, {-64, 64}, kBytes));
         }},
        {"beyond-memory",
         [](const auto& r) {
             send(honest(r, {20'000, 60'000}, 1'300'000'000));
         }},
        {"samples-cut", [](const auto& r) { send(honest(r, kSize, kBytes / 2)); }},
        // One that is too large to be copied.
        {"samples-not-sealed",
         [](const auto& r) {
             send(honest(r, {16384, 4200}, 16384 * 4200 + 4096, false));
         }},
        {"samples-in-a-pipe",
         [](const auto& r) {
             Lie lie = honest(r, kSize, kBytes);
             int ends[2];
             if (::pipe(ends) != 0) ::_exit(9);
             lie.images[0] = FileHandle(ends[0]);
             send(std::move(lie));
         }},
        {"pages-for-an-image",
         [](const auto& r) {
             Lie lie;
             lie.content = toBytes(HelperContent(std::vector<PageInfo>(3)));
             lie.answer = {r.id, lie.content.size(), 0};
             send(std::move(lie));
         }},
        {"terminal-codes", [](const auto& r) { send(failing(r, "\x1b[2J\x1b]0;owned\a not so")); }},
    };
    return all;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    if (what == "dies-at-once") return 5;
    if (what == "greets-wrongly") {
        sendPacket(kSocket, MessageBytes(9, 7));
        ::pause();
    }
    const auto act = acts().find(what);
    if (act == acts().end()) return 2;
    SandboxState sandbox{true, {}};
    if (what == "asks-for-a-socket") sandbox = enterSandbox();
    // As where the kernel has none.
    if (count > 2 && std::string(arguments[2]) == "--no-filter")
        sandbox = {false, "it was started without"};
    sendPacket(kSocket, toBytes(HelperReady{sandbox.filtered, sandbox.whyNot}));
    bool gone = false;
    while (auto packet = receivePacket(kSocket, gone)) {
        const auto request = requestFrom(packet->bytes);
        if (request && request->kind != HelperRequest::Kind::Cancel) act->second(*request);
    }
}
