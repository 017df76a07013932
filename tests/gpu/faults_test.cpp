// Every place that calls the CUDA runtime is made to fail, at its first, middle and last call: an
// error value comes back, nothing crashes, nothing leaks, and what can go on goes on.
#include <map>
#include <set>
#include <string_view>

#include "cuda_kernels/runtime/cuda_api.h"
#include "cuda_kernels/runtime/resources.h"
#include "engine/base/log.h"
#include "gpu_support.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;
using cuda::CallSite;

namespace {

// Makes call `n` (of those that may throw) fail. Codes that stick make all later calls fail too, as
// the runtime does.
class Injection {
  public:
    Injection(int n, cudaError_t code)
        : m_sticky(cuda::errorCodeFor(code) == ErrorCode::DeviceFault) {
        cuda::setCallHook([this, n, code](const CallSite& site) {
            if (site.quiet) return m_hit && m_sticky ? code : cudaSuccess;
            const int call = m_calls++;
            if (call != n && !(m_hit && m_sticky)) return cudaSuccess;
            if (call == n) m_where = site.call;
            m_hit = true;
            return code;
        });
    }
    ~Injection() { cuda::setCallHook({}); }
    Injection(const Injection&) = delete;
    Injection& operator=(const Injection&) = delete;

    bool hit() const { return m_hit; }
    const std::string& where() const { return m_where; }
    int calls() const { return m_calls; }

  private:
    bool m_sticky;
    bool m_hit = false;
    int m_calls = 0;
    std::string m_where;
};

// The numbers of the calls to fail: the first, a middle and the last one of every place in the code
// that `work` passes. All of them would be thousands that repeat each other.
template <class Work>
std::set<int> callsToFail(Work&& work) {
    std::map<std::string, std::vector<int>> places;
    int calls = 0;
    cuda::setCallHook([&](const CallSite& site) {
        if (site.quiet) return cudaSuccess;
        const std::string place =
            std::string(site.file) + ':' + std::to_string(site.line) + site.call;
        places[place].push_back(calls++);
        return cudaSuccess;
    });
    work();
    cuda::setCallHook({});
    std::set<int> chosen;
    for (const auto& [place, numbers] : places) {
        chosen.insert(numbers.front());
        chosen.insert(numbers[numbers.size() / 2]);
        chosen.insert(numbers.back());
    }
    qInfo("%d calls in %d places, %d are made to fail", calls, int(places.size()),
          int(chosen.size()));
    return chosen;
}

// Upload, every filter once, histogram, download, spans.
Result<Image> everything(Backend& backend, const Image& image) {
    backend.setRecording(Recording::Kernels);
    auto input = backend.upload(image, {});
    if (!input) return fail(input.error());
    BufferPtr last = *input;
    for (const Operation* operation : allOperations()) {
        const PlanPtr plan = planFor(*operation, {}, image.format(), image.size());
        if (operation->description().kind == OperationKind::Analysis) {
            if (!backend.supports(*plan)) continue;  // found by the CPU alone
            if (auto counts = backend.analyze(*plan, *input, {}); !counts)
                return fail(counts.error());
            continue;
        }
        auto output = backend.run(*plan, {*input, *input}, {});
        if (!output) return fail(output.error());
        if (plan->output == plan->input) last = *output;
    }
    auto result = backend.download(last, {});
    if (!result) return result;
    if (auto done = backend.synchronize(); !done) return fail(done.error());
    if (auto spans = backend.takeSpans(); !spans) return fail(spans.error());
    return result;
}

}  // namespace

class FaultsTest : public QObject {
    Q_OBJECT

  private:
    Image m_image;
    Image m_expected;

  private slots:
    void initTestCase() {
        REQUIRE_GPU();
        m_image = makePhotograph(PixelFormat::Rgba8, {211, 97});
        m_expected = orThrow(everything(*requireBackend(), m_image));
        QCOMPARE(cuda::liveResources(), cuda::LiveResources{});
        // Faults are logged; a wall of them would hide what fails here.
        setLogSink({});
    }
    void cleanup() {
        cuda::setCallHook({});
        cuda::forgetDeviceFault();
    }

    void oneFailingCall_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("expected");
        QTest::newRow("out of memory")
            << int(cudaErrorMemoryAllocation) << int(ErrorCode::OutOfMemory);
        QTest::newRow("invalid value") << int(cudaErrorInvalidValue) << int(ErrorCode::Internal);
    }
    void oneFailingCall() {
        QFETCH(int, code);
        QFETCH(int, expected);
        auto backend = requireBackend();
        // Made twice: what is built at first use comes from other calls.
        QVERIFY(everything(*backend, m_image));
        int errors = 0;
        for (const int n : callsToFail([&] { QVERIFY(everything(*backend, m_image)); })) {
            Result<Image> result;
            std::string where;
            {
                const Injection injection(n, cudaError_t(code));
                result = everything(*backend, m_image);
                QVERIFY(injection.hit());
                where = injection.where();
            }
            if (result) {
                // Device memory is asked for a second time after the pool was emptied.
                QVERIFY2(code == int(cudaErrorMemoryAllocation) &&
                             where.find("cudaMallocFromPoolAsync") != std::string::npos,
                         where.c_str());
                QVERIFY(sameSamples(*result, m_expected));
            } else {
                ++errors;
                QVERIFY2(int(result.error().code) == expected,
                         (where + ": " + result.error().message).c_str());
                QVERIFY(!result.error().message.empty());
            }
            // The same backend goes on.
            const auto after = everything(*backend, m_image);
            QVERIFY2(after.has_value(), where.c_str());
            QVERIFY2(sameSamples(*after, m_expected), where.c_str());
        }
        qInfo("%d calls failed", errors);
        QVERIFY(errors > 20);
        backend.reset();
        QCOMPARE(cuda::liveResources(), cuda::LiveResources{});
    }

    void noMemoryAtAll() {
        auto backend = requireBackend();
        cuda::setCallHook([](const CallSite& site) {
            const bool allocates = std::string_view(site.call).starts_with("cudaMalloc");
            return allocates ? cudaErrorMemoryAllocation : cudaSuccess;
        });
        const auto result = backend->upload(m_image, {});
        REQUIRE_FAILS(result, ErrorCode::OutOfMemory, "");
        cuda::setCallHook({});
        QVERIFY(sameSamples(orThrow(everything(*backend, m_image)), m_expected));
    }

    void faultIsForEver() {
        const PlanPtr plan =
            planFor(*findOperation("gaussian_blur"), {}, m_image.format(), m_image.size());
        std::set<int> calls;
        {
            auto backend = requireBackend();
            const BufferPtr buffer = orThrow(backend->upload(m_image, {}));
            calls = callsToFail([&] { QVERIFY(everything(*backend, m_image)); });
        }
        QVERIFY(calls.size() > 20);
        for (const int n : calls) {
            auto backend = requireBackend();
            const BufferPtr buffer = orThrow(backend->upload(m_image, {}));
            {
                const Injection injection(n, cudaErrorIllegalAddress);
                const auto result = everything(*backend, m_image);
                QVERIFY(injection.hit());
                QVERIFY2(!result, injection.where().c_str());
                QCOMPARE(result.error().code, ErrorCode::DeviceFault);
            }
            // No call is made any more, so that none can succeed by chance.
            int made = 0;
            cuda::setCallHook([&](const CallSite& site) {
                made += !site.quiet;
                return cudaSuccess;
            });
            QCOMPARE(backend->upload(m_image, {}).error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->run(*plan, buffer, {}).error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->download(buffer, {}).error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->synchronize().error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->takeSpans().error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->supports(*plan).error().code, ErrorCode::DeviceFault);
            QCOMPARE(backend->memoryAvailable(), std::uint64_t(0));
            QCOMPARE(made, 0);
            cuda::setCallHook({});
        }
        // The injected fault was none of the device: a new backend works.
        QVERIFY(sameSamples(orThrow(everything(*requireBackend(), m_image)), m_expected));
        QCOMPARE(cuda::liveResources(), cuda::LiveResources{});
    }

    // Every call while a backend is being made.
    void failingConstruction() {
        int errors = 0;
        cuda::forgetDeviceFault();
        for (const int n : callsToFail([] { QVERIFY(makeCudaBackend().has_value()); })) {
            cuda::forgetDeviceFault();
            const Injection injection(n, cudaErrorLaunchFailure);
            const auto backend = makeCudaBackend();
            QVERIFY(injection.hit());
            // The version of the linked runtime is known without asking.
            if (!backend) {
                ++errors;
                QVERIFY(!backend.error().message.empty());
                // The device was at fault, not the call that counts devices: it stays unused.
                if (backend.error().code == ErrorCode::DeviceFault) {
                    cuda::setCallHook({});
                    const auto again = makeCudaBackend();
                    QVERIFY(!again);
                    QVERIFY(again.error().message.starts_with("the GPU failed earlier ("));
                }
                QCOMPARE(cuda::liveResources(), cuda::LiveResources{});
            } else {
                QCOMPARE(injection.where(), std::string("cudaRuntimeGetVersion"));
            }
        }
        QVERIFY(errors > 20);
    }

    void destructorsLogAndGoOn() {
        std::vector<std::string> messages;
        setLogSink([&](LogLevel, std::string_view text) { messages.emplace_back(text); });
        {
            auto backend = requireBackend();
            BufferPtr buffer = orThrow(backend->upload(m_image, {}));
            cuda::setCallHook([](const CallSite& site) {
                return site.quiet ? cudaErrorInvalidResourceHandle : cudaSuccess;
            });
            buffer.reset();
            QVERIFY(!messages.empty());
            QVERIFY(messages.front().find("cudaErrorInvalidResourceHandle") != std::string::npos);
            backend->trim();
            QCOMPARE(backend->memoryAvailable(), std::uint64_t(0));
        }
        cuda::setCallHook({});
        setLogSink({});
    }
};

WARPSCOPE_TEST(FaultsTest)
#include "faults_test.moc"
