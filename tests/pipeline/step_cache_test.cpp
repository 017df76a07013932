// What the cache keeps when not everything has room.
#include "engine/pipeline/step_cache.h"
#include "engine/backend/cpu_backend.h"
#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

class StepCacheTest : public QObject {
    Q_OBJECT

    BackendPtr m_cpu = makeCpuBackend(Threading::Single);
    const std::uint64_t m_bytes = buffer(0)->byteCount();

    BufferPtr buffer(int value) const {
        return *m_cpu->upload(test::makeConstant(PixelFormat::Gray8, {64, 64}, value), {});
    }
    static CacheKey keyOf(std::uint32_t depth, std::uint64_t steps) {
        CacheKey key;
        key.image = 1;
        key.depth = depth;
        key.steps = steps;
        return key;
    }
    void insert(StepCache& cache, std::uint32_t depth, std::uint64_t steps = 1) {
        cache.insert(keyOf(depth, steps), {buffer(int(depth)), m_cpu.get(), {}, {}});
    }
    static bool has(StepCache& cache, std::uint32_t depth, std::uint64_t steps = 1) {
        return cache.find(keyOf(depth, steps)) != nullptr;
    }

  private slots:
    void oldestGoesFirst() {
        StepCache cache(2 * m_bytes);
        for (std::uint32_t depth = 1; depth <= 5; ++depth) insert(cache, depth);
        QVERIFY(has(cache, 4) && has(cache, 5));
        QVERIFY(!has(cache, 1) && !has(cache, 2) && !has(cache, 3));
        QCOMPARE(cache.bytes(), 2 * m_bytes);
    }

    // Room for one output: it is the input of the step that is being edited, whatever else passes.
    void preferredStays() {
        StepCache cache(m_bytes);
        cache.setPreferred(3);
        for (std::uint32_t depth = 1; depth <= 5; ++depth) insert(cache, depth);
        QVERIFY(has(cache, 3));
        QCOMPARE(cache.bytes(), m_bytes);
        for (std::uint64_t tick = 2; tick < 9; ++tick) {
            QVERIFY(has(cache, 3));
            insert(cache, 4, tick);
            insert(cache, 5, tick);
        }
        QVERIFY(has(cache, 3));
        // Another one of the same step takes its place.
        insert(cache, 3, 2);
        QVERIFY(has(cache, 3, 2) && !has(cache, 3, 1));
        // What was preferred is one of many once another step is edited.
        cache.setPreferred(1);
        insert(cache, 1);
        QVERIFY(has(cache, 1) && !has(cache, 3, 2));
    }

    void roomBesideThePreferred() {
        StepCache cache(2 * m_bytes);
        cache.setPreferred(1);
        for (std::uint32_t depth = 1; depth <= 4; ++depth) insert(cache, depth);
        QVERIFY(has(cache, 1) && has(cache, 4));
        QVERIFY(!has(cache, 2) && !has(cache, 3));
    }

    void hostLimit() {
        StepCache cache(100 * m_bytes);
        for (std::uint32_t depth = 1; depth <= 5; ++depth) insert(cache, depth);
        QCOMPARE(cache.bytes(), 5 * m_bytes);
        cache.setHostLimit(3 * m_bytes);
        QCOMPARE(cache.bytes(), 3 * m_bytes);
        insert(cache, 6);
        QCOMPARE(cache.bytes(), 3 * m_bytes);
        // The budget still counts where it is less.
        cache.setBudget(m_bytes);
        QCOMPARE(cache.bytes(), m_bytes);
        cache.setHostLimit(m_bytes - 1);
        insert(cache, 1);
        QCOMPARE(cache.bytes(), std::uint64_t(0));
    }
};

WARPSCOPE_TEST(StepCacheTest)
#include "step_cache_test.moc"
