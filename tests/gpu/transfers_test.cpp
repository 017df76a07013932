// Copies between images and the device: through pieces, in place once memory is page-locked, and in
// parts beside the work. Images differ, so that what another one left behind shows.
#include <cstring>

#include "cuda_kernels/runtime/resources.h"
#include "engine/image/storage_pool.h"
#include "engine/pipeline/overlapped_run.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class TransfersTest : public QObject {
    Q_OBJECT

  private:
    std::unique_ptr<Backend> m_gpu;

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        m_gpu = requireBackend();
    }

    // Whole images and parts of them, with rows that begin at other multiples on the device.
    void inPlace() {
        const std::int64_t before = cuda::liveResources().pinnedBytes;
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Rgba16})
            for (const Size size : {Size{4096, 512}, Size{4001, 1031}, Size{60, 40000}}) {
                std::vector<Image> images;
                for (unsigned i = 0; i < 4; ++i) images.push_back(makeNoise(format, size, i));
                for (int round = 0; round < 4; ++round)
                    for (const Image& image : images) {
                        const Rect part{size.width / 3, size.height / 2, size.width / 2,
                                        size.height / 3};
                        const Image cut = image.crop(part);
                        const BufferPtr all = orThrow(m_gpu->upload(image, {}));
                        const BufferPtr some = orThrow(m_gpu->upload(cut, {}));
                        REQUIRE_SAME(
                            test::firstDifference(image, orThrow(m_gpu->download(all, {}))));
                        REQUIRE_SAME(
                            test::firstDifference(cut, orThrow(m_gpu->download(some, {}))));
                    }
            }
        QVERIFY(cuda::liveResources().pinnedBytes > before);
    }

    // An image is gone, and its memory another one's, before its copy is waited for.
    void sourceGoesBeforeItsCopyEnds() {
        constexpr Size kSize{4096, 2048};
        std::vector<Image> kept;
        for (unsigned i = 0; i < 3; ++i) kept.push_back(makeNoise(PixelFormat::Rgba8, kSize, i));
        std::vector<BufferPtr> sent;
        for (int round = 0; round < 30; ++round) {
            MutableImage copy = MutableImage::create(PixelFormat::Rgba8, kSize).value();
            const Image& from = kept[std::size_t(round % 3)];
            for (int y = 0; y < kSize.height; ++y)
                std::memcpy(copy.rowBytes(y), from.rowBytes(y), std::size_t(kSize.width) * 4);
            sent.push_back(orThrow(m_gpu->upload(std::move(copy).freeze({}), {})));
        }
        for (std::size_t i = 0; i < sent.size(); ++i)
            REQUIRE_SAME(test::firstDifference(kept[i % 3], orThrow(m_gpu->download(sent[i], {}))));
    }

    // Every filter that can be cut, by its example.
    void partsHaveTheBitsOfTheWhole() {
        constexpr Size kSize{2048, 1400};
        int cut = 0;
        for (const Operation* operation : allOperations()) {
            const OperationDescription& description = operation->description();
            for (const PixelFormat format : {PixelFormat::Gray8, PixelFormat::Rgba8}) {
                PlanRequest request;
                request.parameters = description.exampleParameters();
                request.format = format;
                request.size = kSize;
                const auto plan = operation->plan(request);
                if (!plan || !m_gpu->supports(**plan)) continue;
                const auto parts =
                    overlappingParts(**plan, [&](const Placement& part) -> Result<PlanPtr> {
                        PlanRequest own = request;
                        own.size = part.part.size();
                        own.place = part;
                        return operation->plan(own);
                    });
                if (parts.empty()) continue;
                ++cut;
                Image images[2];
                Image whole[2];
                for (const int i : {0, 1}) {
                    images[i] = makeNoise(format, kSize, unsigned(i));
                    const BufferPtr in = orThrow(m_gpu->upload(images[i], {}));
                    whole[i] = orThrow(m_gpu->download(orThrow(m_gpu->run(**plan, in, {})), {}));
                }
                int runs = 0;
                for (int round = 0; round < 6; ++round) {
                    runs = 0;
                    const Image made =
                        orThrow(runOverlapped(*m_gpu, **plan, parts, images[round % 2], {}, runs));
                    const std::string different = test::firstDifference(whole[round % 2], made);
                    QVERIFY2(different.empty(), (description.id + ": " + different).c_str());
                }
                QVERIFY2(runs == int(parts.size()), description.id.c_str());
            }
        }
        QVERIFY(cut > 10);
    }

    // What is locked goes with the memory, and with the last backend.
    void locksEnd() {
        trimStorage();  // of what other functions locked
        const std::int64_t before = cuda::liveResources().pinnedBytes;
        {
            const Image image = makeNoise(PixelFormat::Rgba8, {3000, 1000}, 1);
            for (int i = 0; i < 3; ++i)
                REQUIRE_SAME(test::firstDifference(
                    image, orThrow(m_gpu->download(orThrow(m_gpu->upload(image, {})), {}))));
            QVERIFY(cuda::liveResources().pinnedBytes > before);
        }
        trimStorage();
        QVERIFY(cuda::liveResources().pinnedBytes <= before);
        m_gpu.reset();
        QCOMPARE(cuda::liveResources().pinnedBytes, std::int64_t(0));
    }
};

WARPSCOPE_TEST(TransfersTest)
#include "transfers_test.moc"
