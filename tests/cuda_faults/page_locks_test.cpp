// Images that are page-locked where they lie: whoever drops one neither unlocks it nor waits for
// another thread that locks or unlocks, and stays with its device. On a fake runtime.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <thread>

#include "engine/image/storage_pool.h"
#include "engine/measure/agreement.h"
#include "fake_cuda/fake_backend_set.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// Holds up calls that begin like this until it is let go, and says whether that came about.
class HeldCall {
  public:
    explicit HeldCall(std::string_view beginning) : m_beginning(beginning) {
        cuda::setCallHook([this](const cuda::CallSite& site) {
            if (std::string_view(site.call).starts_with(m_beginning)) hold();
            return cudaSuccess;
        });
    }
    ~HeldCall() { cuda::setCallHook({}); }
    HeldCall(const HeldCall&) = delete;
    HeldCall& operator=(const HeldCall&) = delete;

    void arm() { m_armed = true; }
    void waitUntilHeld() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_held; });
    }
    void letGo() {
        {
            const std::lock_guard lock(m_mutex);
            m_letGo = true;
        }
        m_changed.notify_all();
    }
    bool wasLetGo() const {
        const std::lock_guard lock(m_mutex);
        return m_held && !m_tooLate;
    }
    std::thread::id thread() const {
        const std::lock_guard lock(m_mutex);
        return m_thread;
    }

  private:
    void hold() {
        if (!m_armed.exchange(false)) return;
        std::unique_lock lock(m_mutex);
        m_held = true;
        m_thread = std::this_thread::get_id();
        m_changed.notify_all();
        m_tooLate = !m_changed.wait_for(lock, std::chrono::seconds(5), [&] { return m_letGo; });
    }

    const std::string_view m_beginning;
    std::atomic<bool> m_armed{false};
    mutable std::mutex m_mutex;  // guards what follows
    std::condition_variable m_changed;
    std::thread::id m_thread;
    bool m_held = false;
    bool m_letGo = false;
    bool m_tooLate = false;
};

Image largeImage(unsigned seed) {
    return makeNoise(PixelFormat::Gray8, {2048, 1100}, seed);
}

// As often as it takes for its memory to be locked.
void sendAgain(Backend& gpu, const Image& image) {
    for (int i = 0; i < 2; ++i) gpu.upload(image, {}).value();
    static_cast<void>(gpu.synchronize());
}

std::int64_t lockedBytes() {
    return cuda::liveResources().pinnedBytes;
}

// Fills what the pool keeps with small blocks: those it kept before go back to the system.
void pushOutOfPool() {
    constexpr std::uint64_t kBytes = 64 << 10;
    std::vector<std::byte*> blocks(300);
    for (std::byte*& block : blocks) block = takeStorage(kBytes);
    for (std::byte* block : blocks) giveStorage(block, kBytes);
}

}  // namespace

class PageLocksTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        trimStorage();
        setFakeGpu({});
        QCOMPARE(whatIsLeft(), std::string());
    }
    void cleanup() {
        trimStorage();
        QCOMPARE(whatIsLeft(), std::string());
    }

    void droppedElsewhereThanItIsUnlocked() {
        HeldCall unlocking("cudaHostUnregister");
        const BackendPtr gpu = fakeBackends().cuda;
        const std::int64_t before = lockedBytes();
        Image image = largeImage(1), other = largeImage(2);
        sendAgain(*gpu, image);
        sendAgain(*gpu, other);
        QVERIFY(lockedBytes() > before);
        unlocking.arm();
        image = {};
        pushOutOfPool();
        unlocking.waitUntilHeld();
        // While that goes on, too.
        other = {};
        pushOutOfPool();
        unlocking.letGo();
        trimStorage();
        QVERIFY(unlocking.wasLetGo());
        QVERIFY(unlocking.thread() != std::this_thread::get_id());
        QCOMPARE(lockedBytes(), before);
    }

    void droppedWhileAnotherIsLocked() {
        HeldCall locking("cudaHostRegister");
        const BackendPtr gpu = fakeBackends().cuda;
        Image image = largeImage(1);
        const Image other = largeImage(2);
        sendAgain(*gpu, image);
        locking.arm();
        std::thread sender([&] { sendAgain(*gpu, other); });
        locking.waitUntilHeld();
        image = {};
        pushOutOfPool();
        locking.letGo();
        sender.join();
        QVERIFY(locking.wasLetGo());
    }

    void devicesOfOthersStay() {
        FakeGpu two;
        two.devices = 2;
        setFakeGpu(two);
        const BackendPtr gpu = fakeBackends().cuda;
        const std::int64_t before = lockedBytes();
        sendAgain(*gpu, largeImage(1));
        QVERIFY(kSlowdown > 1 || lockedBytes() > before);
        QCOMPARE(cudaSetDevice(1), cudaSuccess);
        trimStorage();
        QCOMPARE(lockedBytes(), before);
        int device = -1;
        QCOMPARE(cudaGetDevice(&device), cudaSuccess);
        QCOMPARE(device, 1);
        QCOMPARE(cudaSetDevice(0), cudaSuccess);
    }

    // As by a backend that is about to end.
    void lockedByAnotherAtFirst() {
        const BackendPtr gpu = fakeBackends().cuda;
        const std::int64_t before = lockedBytes();
        const Image image = largeImage(1);
        const auto block = largeStorageAt(image.bytes());
        QVERIFY(block);
        QCOMPARE(cudaHostRegister(block->memory, block->bytes, cudaHostRegisterPortable),
                 cudaSuccess);
        sendAgain(*gpu, image);
        QCOMPARE(lockedBytes(), before);
        QCOMPARE(cudaHostUnregister(block->memory), cudaSuccess);
        sendAgain(*gpu, image);
        QVERIFY(lockedBytes() > before);
    }

    // Backends come and go in several threads, images go in others.
    void everyThreadAtOnce() {
        constexpr int kThreads = 3, kRounds = 6;
        std::mutex mutex;
        std::vector<Image> sent;  // guarded by mutex
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                for (int round = 0; round < kRounds; ++round) {
                    const BackendPtr gpu = fakeBackends().cuda;
                    const Image image = largeImage(unsigned(t * kRounds + round));
                    for (int i = 0; i < 3; ++i) {
                        const BufferPtr there = gpu->upload(image, {}).value();
                        const Image back = gpu->download(there, {}).value();
                        wrong += !firstDifference(image, back).empty();
                    }
                    const std::lock_guard lock(mutex);
                    sent.push_back(image);
                }
            });
        std::atomic<bool> done{false};
        std::thread dropping([&] {
            while (!done) {
                std::vector<Image> dropped;
                {
                    const std::lock_guard lock(mutex);
                    dropped.swap(sent);
                }
                dropped.clear();
                pushOutOfPool();
                std::this_thread::yield();
            }
        });
        for (std::thread& thread : threads) thread.join();
        done = true;
        dropping.join();
        QCOMPARE(wrong.load(), 0);
    }
};

WARPSCOPE_TEST(PageLocksTest)
#include "page_locks_test.moc"
