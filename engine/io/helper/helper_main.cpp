// warpscope-decode: decodes images for another program, which starts it with a socket as descriptor
// 3. It has given up everything but memory and time before it sees a byte of a file.
#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <stop_token>
#include <string_view>
#include <thread>

#include "engine/io/helper/channel.h"
#include "engine/io/helper/sandbox.h"
#include "engine/io/open_file_reader.h"

using namespace warpscope;
using namespace warpscope::io;

namespace {

constexpr int kSocket = 3;

struct Job {
    HelperRequest request;
    FileHandle file;
    std::stop_source stop = {};
};

HelperContent describe(const Image& image, const std::shared_ptr<SharedBlocks>& blocks,
                       std::vector<FileHandle>& files) {
    ImageDescriptions images;
    std::vector<MutableImage> copies;  // until the last is made: none may take another's block
    // A block that begins or ends elsewhere, or was made on another thread, goes as a copy.
    const auto add = [&](const Image& one) -> bool {
        FileHandle file;
        const std::ptrdiff_t row = std::ptrdiff_t(one.width()) * bytesPerPixel(one.format());
        if (one.pitch() == (row + 63) / 64 * 64) file = blocks->fileOf(one.bytes());
        if (!file.isOpen()) {
            auto copy = MutableImage::create(one.format(), one.size());
            if (!copy) return false;
            for (int y = 0; y < one.height(); ++y)
                std::memcpy(copy->rowBytes(y), one.rowBytes(y), std::size_t(row));
            file = blocks->fileOf(copy->bytes());
            copies.push_back(std::move(*copy));
        }
        ImageInfo info = one.info();
        info.raw.reset();
        images.push_back({one.format(), one.size(), std::move(info)});
        files.push_back(std::move(file));
        return files.back().isOpen();
    };
    if (add(image) && (!image.info().raw || add(*image.info().raw))) return images;
    files.clear();
    return Error{ErrorCode::OutOfMemory, "not enough memory"};
}

HelperContent decoded(Result<Image> image, const std::shared_ptr<SharedBlocks>& blocks,
                      std::vector<FileHandle>& files) {
    if (!image) return image.error();
    return describe(*image, blocks, files);
}

HelperContent work(const Job& job, const std::shared_ptr<SharedBlocks>& blocks,
                   std::vector<FileHandle>& files) {
    const StorageFrom shared(blocks);
    const HelperRequest& request = job.request;
    try {
        switch (request.kind) {
            case HelperRequest::Kind::Read:
                return decoded(readOpenImage(job.file.get(), request.name, request.options), blocks,
                               files);
            case HelperRequest::Kind::Reduced:
                return decoded(
                    readOpenReduced(job.file.get(), request.name, request.side, request.options),
                    blocks, files);
            default: {
                auto pages = listOpenPages(job.file.get(), request.name, request.options);
                if (!pages) return pages.error();
                return std::move(*pages);
            }
        }
    } catch (const std::bad_alloc&) {
        files.clear();
        return Error{ErrorCode::OutOfMemory, request.name + ": not enough memory"};
    }
}

bool answer(const Job& job, const std::shared_ptr<SharedBlocks>& blocks) {
    std::vector<FileHandle> files;
    const MessageBytes content = toBytes(work(job, blocks, files));
    std::vector<int> sent;
    // The images are gone, and with them the mappings that keep a large file from being sealed. The
    // blocks of small ones are used again, but not before the next request, which comes when they
    // have been read.
    for (const FileHandle& file : files) {
        struct stat status {};
        if (::fstat(file.get(), &status) != 0) return false;
        if (std::uint64_t(status.st_size) > kCopiedBytes && !sealFile(file.get())) return false;
        sent.push_back(file.get());
    }
    const FileHandle body = memoryFile(content);
    if (!body.isOpen()) return false;
    sent.insert(sent.begin(), body.get());
    return sendPacket(
        kSocket, toBytes(HelperAnswer{job.request.id, content.size(), std::uint8_t(files.size())}),
        sent);
}

// Decodes on a thread of its own, so that a request to stop is heard.
class Decoder {
  public:
    Decoder() : m_thread([this] { run(); }) {}

    void add(Job job) {
        const std::lock_guard lock(m_mutex);
        job.request.options.stop = job.stop.get_token();
        m_jobs.push_back(std::move(job));
        m_wake.notify_one();
    }
    void cancel(std::uint64_t id) {
        const std::lock_guard lock(m_mutex);
        for (Job& job : m_jobs)
            if (job.request.id == id) job.stop.request_stop();
    }

  private:
    [[noreturn]] void run() {
        const auto blocks = std::make_shared<SharedBlocks>();
        while (true) {
            const Job* job = nullptr;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [&] { return !m_jobs.empty(); });
                job = &m_jobs.front();  // stays where it is while others are added
            }
            const bool said = answer(*job, blocks);
            if (!said) ::_exit(4);
            const std::lock_guard lock(m_mutex);
            m_jobs.pop_front();
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Job> m_jobs;  // guarded by m_mutex; the first is under way
    std::thread m_thread;
};

// What libraries do once, such as looking for their plug-ins, they do while they may open files.
void prepareLibraries() {
    imageFormats();
    static constexpr std::string_view kHeif(
        "\0\0\0\x18"
        "ftypmif1\0\0\0\0mif1heic",
        24);
    ReadOptions small;
    small.limits.maxDecodedBytes = 1 << 20;
    (void)decodeImage({reinterpret_cast<const std::uint8_t*>(kHeif.data()), kHeif.size()}, "",
                      small);
    std::thread([] {}).join();
}

}  // namespace

int main(int count, char** arguments) {
    struct stat status {};
    if (::fstat(kSocket, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        std::fputs("warpscope-decode is started by Warpscope, which decodes images in it\n",
                   stderr);
        return 2;
    }
    // Each arena of the allocator reserves 64 MiB of the address space, which is limited.
    ::mallopt(M_ARENA_MAX, 4);
    // A limit on memory then is an error and no signal.
    std::signal(SIGXFSZ, SIG_IGN);
    prepareLibraries();
    const bool unfiltered = count > 1 && std::string_view(arguments[1]) == "--no-filter";
    const SandboxState sandbox =
        unfiltered ? SandboxState{false, "it was started without"} : enterSandbox();
    if (!sendPacket(kSocket, toBytes(HelperReady{sandbox.filtered, sandbox.whyNot}))) return 1;

    Decoder decoder;
    bool gone = false;
    while (auto packet = receivePacket(kSocket, gone)) {
        auto request = requestFrom(packet->bytes);
        if (!request) ::_exit(3);
        if (request->kind == HelperRequest::Kind::Cancel) {
            decoder.cancel(request->id);
        } else if (packet->files.size() == 1) {
            decoder.add({std::move(*request), std::move(packet->files[0])});
        } else {
            ::_exit(3);
        }
    }
    // Nobody waits for an answer any more. Without destructors: the other thread may be at work.
    ::_exit(gone ? 0 : 3);
}
