// Several GPUs: the menu, what is remembered, a card that has gone; and a GPU that fails: what is
// said, once, until it is over.
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>

#include "engine/pipeline/pipeline.h"
#include "gui/app/command_line.h"
#include "gui/app/gpu_menu.h"
#include "pipeline/fake_backend.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

const GpuDevice kOne{"GPU-1111aaaa-0000-0000-0000-000000000001", "Fast card", ""};
const GpuDevice kTwo{"GPU-2222bbbb-0000-0000-0000-000000000002", "Fast card", ""};
const GpuDevice kOld{"GPU-3333cccc-0000-0000-0000-000000000003", "Old card",
                     "compute capability 6.1 is below 7.5"};

// The CPU's own code under the name of a GPU.
class NamedGpu final : public test::InnerBackend {
  public:
    explicit NamedGpu(const GpuDevice& gpu) : InnerBackend(BackendKind::Cuda) {
        m_info.label = m_info.device = gpu.name;
        m_info.uuid = gpu.uuid;
    }
    Result<BufferPtr> upload(const Image& image, const RunContext& context) override {
        return m_inner->upload(image, context);
    }
    Result<BufferPtr> run(const Plan& plan, const StepBuffers& input,
                          const RunContext& context) override {
        return m_inner->run(plan, input, context);
    }
    Result<AnalysisResult> analyze(const Plan& plan, const StepBuffers& input,
                                   const RunContext& context) override {
        return m_inner->analyze(plan, input, context);
    }
    Result<Image> download(const BufferPtr& buffer, const RunContext& context) override {
        return m_inner->download(buffer, context);
    }
    Result<void> synchronize() override { return {}; }
    void setRecording(Recording) override {}
    Result<std::vector<Span>> takeSpans() override { return std::vector<Span>(); }
};

// What makeBackends() gives on a machine with these cards.
BackendSet machineWith(const std::vector<GpuDevice>& gpus, const std::string& wanted) {
    BackendSet set = BackendSet::cpuOnly("no NVIDIA GPU was found");
    set.gpus = gpus;
    const GpuDevice* used = nullptr;
    for (const GpuDevice& gpu : gpus)
        if (gpu.whyNot.empty() && (wanted.empty() || gpu.uuid.starts_with(wanted)) && !used)
            used = &gpu;
    if (!used && !gpus.empty()) {
        used = &gpus.front();
        set.gpuNotice = "there is no " + wanted + ": taking " + used->name;
    }
    if (!used) return set;
    set.cuda = std::make_shared<NamedGpu>(*used);
    set.cudaUnavailable.clear();
    return set;
}

struct Machine {
    std::vector<GpuDevice> gpus;
    Settings settings;
    std::shared_ptr<GpuChoice> choice;
    MainWindow window;

    // `before`: what was chosen at another time.
    Machine(std::vector<GpuDevice> cards, const QString& settingsPath, const QString& before = {})
        : gpus(std::move(cards)),
          settings(settingsPath),
          choice(std::make_shared<GpuChoice>(remembered(settings, before))),
          window([this] { return machineWith(gpus, choice->name()); }, settings, choice) {
        window.resize(1280, 800);
        window.show();
    }
    static std::string remembered(Settings& settings, const QString& before) {
        if (!before.isEmpty()) settings.setGpu(before);
        return settings.gpu().toStdString();
    }
    bool ready() {
        return waitedFor([&] { return window.bridge().backends().has_value(); });
    }
    GpuMenu& menu() { return *window.findChild<GpuMenu*>(QStringLiteral("gpuMenu")); }
    QAction* action(const GpuDevice& gpu) {
        for (QAction* one : menu().actions())
            if (one->data().toString().toStdString() == gpu.uuid) return one;
        return nullptr;
    }
    std::string used() { return window.bridge().backends()->cuda->info().uuid; }
};

QPushButton* copyButton(MainWindow& window) {
    for (auto* button : window.messages().findChildren<QPushButton*>())
        if (button->text().contains(QStringLiteral("Copy details"))) return button;
    return nullptr;
}

}  // namespace

class GpuChoiceTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString settingsFile(const char* name) { return m_folder.filePath(QLatin1String(name)); }

  private slots:
    void oneGpuNeedsNoMenu() {
        Machine machine({kOne}, {});
        QVERIFY(machine.ready());
        QVERIFY(!machine.menu().offers());
        QCOMPARE(machine.window.messages().count(), 0);
        Machine none({}, {});
        QVERIFY(none.ready());
        QVERIFY(!none.menu().offers());
    }

    void theMenuNamesAll() {
        Machine machine({kOne, kTwo, kOld}, {});
        QVERIFY(machine.ready());
        QVERIFY(machine.menu().offers());
        // It stands in Compute, and where the status bar names the device.
        int places = 0;
        for (QObject* place : machine.menu().menuAction()->associatedObjects())
            places += qobject_cast<QMenu*>(place) != nullptr;
        QCOMPARE(places, 2);
        QCOMPARE(machine.action(kOne)->text(), QStringLiteral("Fast card (GPU-1111aaaa)"));
        QCOMPARE(machine.action(kTwo)->text(), QStringLiteral("Fast card (GPU-2222bbbb)"));
        QCOMPARE(machine.action(kOld)->text(), QStringLiteral("Old card"));
        QCOMPARE(machine.action(kOne)->toolTip(), QString::fromStdString(kOne.uuid));
        QVERIFY(machine.menu().toolTipsVisible());
        QVERIFY(machine.action(kOne)->isChecked() && !machine.action(kTwo)->isChecked());
        QVERIFY(!machine.action(kOld)->isEnabled());
        QVERIFY(machine.action(kOld)->toolTip().contains(QStringLiteral("6.1")));
        QVERIFY(!machine.window.findChild<QAction*>(QStringLiteral("gpuFirst"))->isEnabled());
    }

    void aChoiceTakesEffectAtOnceAndIsRemembered() {
        const QString file = settingsFile("remembered.ini");
        {
            Machine machine({kOne, kTwo}, file);
            MainWindow& window = machine.window;
            QVERIFY(machine.ready());
            window.document().insertStep(0, makeStep("invert").value());
            window.bridge().openImage(test::makePhotograph(PixelFormat::Rgba8, {64, 48}),
                                      QStringLiteral("scene"));
            QVERIFY(waitedFor([&] { return window.bridge().resultIsCurrent(); }));
            const PyramidPtr before = window.bridge().result();
            QCOMPARE(machine.used(), kOne.uuid);

            machine.action(kTwo)->trigger();
            QVERIFY(waitedFor([&] { return machine.used() == kTwo.uuid; }));
            QVERIFY(waitedFor([&] {
                return window.bridge().resultIsCurrent() && window.bridge().result() != before;
            }));
            QVERIFY(sameSamples(window.bridge().result()->levels.front(), before->levels.front()));
            QCOMPARE(window.bridge().stepReports().front().backend, BackendKind::Cuda);
            QVERIFY(machine.action(kTwo)->isChecked() && !machine.action(kOne)->isChecked());
            QCOMPARE(machine.settings.gpu().toStdString(), kTwo.uuid);
            QVERIFY(window.actions().backendCuda->isEnabled());
            // Timings of the other card go, those of this one come.
            QVERIFY(waitedFor([&] { return window.bridge().timingsComplete(); }, 30'000));
            QCOMPARE(window.messages().count(), 0);
        }
        Machine again({kOne, kTwo}, file);
        QVERIFY(again.ready());
        QCOMPARE(again.used(), kTwo.uuid);
        QVERIFY(again.action(kTwo)->isChecked());

        again.window.findChild<QAction*>(QStringLiteral("gpuFirst"))->trigger();
        QVERIFY(waitedFor([&] { return again.used() == kOne.uuid; }));
        QCOMPARE(again.settings.gpu(), QString());
    }

    // A card that was taken out: the other one computes, it is said, and the choice can be dropped.
    void aCardThatHasGone() {
        Machine machine({kOne}, {}, QString::fromStdString(kTwo.uuid));
        QVERIFY(machine.ready());
        QCOMPARE(machine.used(), kOne.uuid);
        MessageBar& messages = machine.window.messages();
        QVERIFY(waitedFor([&] { return messages.count() == 1; }));
        QCOMPARE(messages.level(), MessageBar::Level::Warning);
        QVERIFY(messages.text().contains(QString::fromStdString(kTwo.uuid)));
        QVERIFY(machine.menu().offers());
        // It may come back.
        QCOMPARE(machine.settings.gpu().toStdString(), kTwo.uuid);
        QVERIFY(machine.action(kOne)->isChecked());

        machine.action(kOne)->trigger();
        QVERIFY(waitedFor([&] { return messages.count() == 0; }));
        QCOMPARE(machine.settings.gpu().toStdString(), kOne.uuid);
        machine.window.findChild<QAction*>(QStringLiteral("gpuFirst"))->trigger();
        QVERIFY(waitedFor([&] { return !machine.menu().offers(); }));
    }

    void settingsKeepNamesOnly() {
        Settings settings{QString()};
        QCOMPARE(settings.gpu(), QString());
        settings.setGpu(QStringLiteral("GPU-12ab"));
        QCOMPARE(settings.gpu(), QStringLiteral("GPU-12ab"));
        settings.setGpu(QStringLiteral("../../etc"));
        QCOMPARE(settings.gpu(), QString());
    }

    void commandLine() {
        const auto parse = [](const QString& name) {
            return parseCommandLine({QStringLiteral("warpscope"), QStringLiteral("--gpu"), name});
        };
        QCOMPARE(parse(QStringLiteral("gpu-12AB")).gpu, std::optional(QStringLiteral("GPU-12ab")));
        for (const char* wrong : {"", "0", "GPU-", "MIG-1234", "GPU-xyz"}) {
            const CommandLine line = parse(QLatin1String(wrong));
            QCOMPARE(line.exitCode, std::optional(2));
            QCOMPARE(line.message.count(QLatin1Char('\n')), 1);
        }
        const CommandLine help = parseCommandLine({QStringLiteral("warpscope"), "--manual"});
        QVERIFY(help.message.contains(QStringLiteral("gpu")));
    }

    // A fault: the picture is there, made on the CPU, and the message stays until it is dismissed.
    void aFaultIsSaidOnce() {
        auto gpu = std::make_shared<test::FakeBackend>(BackendKind::Cuda);
        gpu->failure = {0, {ErrorCode::DeviceFault, "the GPU reported an illegal address"}, true};
        const auto backends = [gpu] {
            BackendSet set = BackendSet::cpuOnly({});
            set.cuda = gpu;
            return set;
        };
        WindowFixture fixture({}, backends);
        MessageBar& messages = fixture.window.messages();
        QVERIFY(fixture.open(fixture.scene("a.png")));
        QVERIFY(fixture.addStep("invert"));
        // It came while the levels of the source were counted.
        const QString said = QStringLiteral(
            "Computed on the CPU: the GPU reported an illegal address; restart to use the GPU "
            "again");
        QVERIFY(waitedFor([&] { return messages.text() == said; }));
        QCOMPARE(messages.level(), MessageBar::Level::Warning);
        QCOMPARE(messages.count(), 1);
        QPushButton* copy = copyButton(fixture.window);
        QVERIFY(copy && copy->isVisible());
        copy->click();
        const QString details = QGuiApplication::clipboard()->text();
        QVERIFY(details.startsWith(said));
        QVERIFY(details.contains(QStringLiteral("step 1, invert: ")));

        // The same cause again says nothing anew.
        messages.dismiss();
        QVERIFY(fixture.addStep("median"));
        QCOMPARE(messages.count(), 0);
        // The person takes the CPU: it is over, and begins anew with the GPU.
        fixture.window.actions().backendCpu->trigger();
        QVERIFY(waitedFor([&] {
            const auto& reports = fixture.bridge().stepReports();
            return fixture.bridge().resultIsCurrent() && !reports.empty() &&
                   reports.front().fallbackReason.empty();
        }));
        fixture.window.actions().backendCuda->trigger();
        QVERIFY(waitedFor([&] { return messages.text() == said; }));
        fixture.window.actions().backendCpu->trigger();
        QVERIFY(waitedFor([&] { return messages.count() == 0; }));
    }

    // Bands are no fall-back: the step's card says them, and the bar nothing.
    void bandsAreSaidOnTheCard() {
        auto gpu = std::make_shared<test::FakeBackend>(BackendKind::Cuda);
        const auto backends = [gpu] {
            BackendSet set = BackendSet::cpuOnly({});
            set.cuda = gpu;
            return set;
        };
        gpu->memory = 160 * 120 * 4 * 3 / 2;
        WindowFixture fixture({}, backends);
        QVERIFY(fixture.open(fixture.scene("a.png")));
        QVERIFY(fixture.addStep("invert"));
        QVERIFY(waitedFor([&] {
            const auto& reports = fixture.bridge().stepReports();
            return !reports.empty() && !reports.front().notices.empty();
        }));
        const StepReport& report = fixture.bridge().stepReports().front();
        QCOMPARE(report.backend, BackendKind::Cuda);
        QCOMPARE(report.notices.front(), std::string("in 2 bands: GPU memory was too small"));
        QCOMPARE(fixture.window.messages().count(), 0);
    }
};

WARPSCOPE_TEST(GpuChoiceTest)
#include "gpu_choice_test.moc"
