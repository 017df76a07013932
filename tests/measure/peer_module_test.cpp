// What another library's module is told of a task: both images, and the table of levels.
#include "engine/measure/peer_backends.h"
#include "engine/operations/registry.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

// The last result.
std::vector<unsigned char>& madeSamples() {
    static std::vector<unsigned char> samples;
    return samples;
}

const unsigned char* rowOf(const WarpscopePeerImage& image, int y) {
    return static_cast<const unsigned char*>(image.data) + y * image.pitch;
}

int canDo(const WarpscopePeerTask* task) {
    const std::string_view id = task->operation;
    return id == "blend" ? task->second.width == task->input.width : task->levels != nullptr;
}

// Absolute differences, or levels by the table.
int makeResult(const WarpscopePeerTask* task, int) {
    std::vector<unsigned char>& made = madeSamples();
    made.clear();
    for (int y = 0; y < task->input.height; ++y)
        for (int x = 0; x < task->input.width; ++x) {
            const int a = rowOf(task->input, y)[x];
            if (task->levels) {
                made.push_back(task->levels[a]);
                continue;
            }
            if (!task->second.data) return 1;
            const int b = rowOf(task->second, y)[x];
            made.push_back((unsigned char)(a > b ? a - b : b - a));
        }
    return 0;
}

int fetchResult(const WarpscopePeerImage* output) {
    for (int y = 0; y < output->height; ++y)
        std::copy_n(madeSamples().data() + y * output->width, output->width,
                    static_cast<unsigned char*>(output->data) + y * output->pitch);
    return 0;
}

const WarpscopePeer kDummyPeer{
    WARPSCOPE_PEER_VERSION, "dummy", "Dummy 1", canDo, makeResult, fetchResult, nullptr, nullptr};

Image byDummy(const std::string& id, const TextParameters& parameters, const StepImages& images) {
    const auto peer = makeCpuPeer(kDummyPeer, true);
    const PlanRequest request =
        requestFor(*findOperation(id), parameters, images.first.format(), images.first.size());
    const PlanPtr plan = findOperation(id)->plan(request).value();
    peer->setParameters(request.parameters);
    if (!peer->supports(*plan)) throw std::runtime_error("refused");
    StepBuffers buffers(peer->upload(images.first, {}).value());
    if (!images.second.isNull()) buffers.second = peer->upload(images.second, {}).value();
    const auto made = peer->run(*plan, buffers, {});
    if (!made) throw std::runtime_error(made.error().message);
    return peer->download(*made, {}).value();
}

}  // namespace

class PeerModuleTest : public QObject {
    Q_OBJECT

  private slots:
    void bothImages() {
        const Image image = makeNoise(PixelFormat::Gray8, {37, 11}, 1);
        const Image second = makeNoise(PixelFormat::Gray8, {37, 11}, 2);
        const TextParameters difference{{"with", "second"}, {"mode", "difference"}};
        const PlanPtr plan =
            planFor(*findOperation("blend"), difference, image.format(), image.size());
        compareSamples(runPlan(*plan, image, Threading::Single, second),
                       byDummy("blend", difference, {image, second}), "difference");
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, byDummy("blend", difference, {image, {}}));
    }

    // A table for all colours, and none of what maps one colour, or no levels.
    void tableOfLevels() {
        const Image image = makeNoise(PixelFormat::Gray8, {37, 11}, 1);
        const TextParameters curve{{"points", "0:30;96:140;255:90"}};
        compareSamples(runOn(*findOperation("curves"), curve, image),
                       byDummy("curves", curve, {image, {}}), "curves");
        const TextParameters levels{{"black", "20"}, {"gamma", "1.3"}};
        compareSamples(runOn(*findOperation("levels"), levels, image),
                       byDummy("levels", levels, {image, {}}), "levels");
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, byDummy("median", {}, {image, {}}));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                 byDummy("levels", {{"channels", "red"}, {"gamma", "2"}},
                                         {makeNoise(PixelFormat::Rgba8, {9, 9}, 1), {}}));
        QVERIFY_THROWS_EXCEPTION(
            std::runtime_error,
            byDummy("curves", curve, {makeNoise(PixelFormat::Gray16, {9, 9}, 1), {}}));
    }
};

WARPSCOPE_TEST(PeerModuleTest)
#include "peer_module_test.moc"
