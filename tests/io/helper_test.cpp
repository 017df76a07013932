// What a decoding process may do to the program that started it: cost one message, which names the
// file, and no more. The next file finds a process that works.
#include <sys/resource.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/base/log.h"
#include "engine/io/helper/sandbox.h"
#include "engine/io/isolated_reader.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

DecodeHelper misbehaving(const char* what) {
    DecodeHelper helper;
    helper.program = (QCoreApplication::applicationDirPath() + "/misbehaving-helper").toStdString();
    helper.arguments = {what};
    return helper;
}

std::vector<std::string> g_log;

// Of those that this process has, in order.
std::vector<int> nicenessOfDecoders() {
    std::vector<int> all;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
        std::string name, state;
        int process = 0, parent = 0;
        std::ifstream(entry.path() / "stat") >> process >> name >> state >> parent;
        if (parent == ::getpid() && state != "Z" && name.starts_with("(warpscope-dec"))
            all.push_back(::getpriority(PRIO_PROCESS, id_t(process)));
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace

class HelperTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::filesystem::path m_file;

    // The message, without the file's name, which it must begin with.
    std::string refusal(const Result<Image>& image, ErrorCode code) const {
        if (image) return "it was read";
        const std::string& text = image.error().message;
        if (image.error().code != code) return "another kind of error: " + text;
        if (!text.starts_with(m_file.string() + ": ")) return "without its name: " + text;
        return text.substr(m_file.string().size() + 2);
    }

  private slots:
    void initTestCase() {
        m_file = (m_folder.path() + "/picture.pgm").toStdString();
        std::ofstream(m_file, std::ios::binary) << "P5 2 2 255\nabcd";
    }
    void init() {
        g_log.clear();
        setLogSink([](LogLevel, std::string_view text) { g_log.emplace_back(text); });
    }
    void cleanup() {
        setDecodeHelper(standardDecodeHelper());
        // Whatever happened, the next file is read, and by a process.
        const auto image = readImageIsolated(m_file);
        QVERIFY2(image.has_value(), image ? "" : image.error().message.c_str());
        QCOMPARE(sampleAt(*image, 1, 1), 100.0);
        QVERIFY(decodingProtection().starts_with("in a process of its own"));
        setLogSink({});
    }

    void dies_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("why");
        // A sanitizer takes the signal and ends the process by itself.
        const bool sanitized = kSlowdown > 1;
        QTest::newRow("crashes") << int(ErrorCode::Damaged)
                                 << (sanitized ? "gave up (status " : "crashed (SIGSEGV)");
        QTest::newRow("exits") << int(ErrorCode::Damaged) << "gave up (status 7)";
        QTest::newRow("is-killed") << int(ErrorCode::OutOfMemory) << "ended from outside";
    }
    void dies() {
        QFETCH(int, code);
        QFETCH(QString, why);
        setDecodeHelper(misbehaving(QTest::currentDataTag()));
        for (int round = 0; round < 2; ++round) {
            const std::string text = refusal(readImageIsolated(m_file), ErrorCode(code));
            QVERIFY2(text.find(why.toStdString()) != text.npos, text.c_str());
        }
        QVERIFY(g_log.empty());
    }

    void lies_data() {
        QTest::addColumn<QString>("what");
        for (const char* what :
             {"garbage", "half-a-message", "too-much", "another-id", "no-content",
              "a-file-too-many", "other-content-size", "content-too-large", "content-left-over",
              "content-is-a-pipe", "unknown-format", "impossible-size", "negative-size",
              "beyond-memory", "samples-cut", "samples-not-sealed", "samples-in-a-pipe",
              "pages-for-an-image"})
            QTest::newRow(what) << what;
    }
    void lies() {
        QFETCH(QString, what);
        setDecodeHelper(misbehaving(qPrintable(what)));
        ReadOptions options;
        options.limits.maxDecodedBytes = 1 << 30;
        const std::string text = refusal(readImageIsolated(m_file, options), ErrorCode::Damaged);
        QVERIFY2(text.find("makes no sense") != text.npos, text.c_str());
    }

    // So that the lies above are refused for what is wrong in them.
    void isHonest() {
        setDecodeHelper(misbehaving("honest"));
        const auto image = readImageIsolated(m_file);
        QVERIFY(image.has_value());
        QCOMPARE(image->size(), (Size{64, 64}));
        QVERIFY(!listPagesIsolated(m_file).has_value());
    }

    void textsAreCleaned() {
        setDecodeHelper(misbehaving("terminal-codes"));
        QCOMPARE(refusal(readImageIsolated(m_file), ErrorCode::Damaged),
                 std::string("[2J ]0;owned  not so"));
    }

    void takesTooLong() {
        DecodeHelper helper = misbehaving("hangs");
        helper.wallSeconds = 1;
        setDecodeHelper(helper);
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(refusal(readImageIsolated(m_file), ErrorCode::LimitExceeded),
                 std::string("decoding it takes longer than the limit of 1 seconds"));
        QVERIFY(clock.elapsed() < 10'000);
    }

    void takesTooMuchProcessorTime() {
        DecodeHelper helper = misbehaving("spins");
        helper.processorSeconds = 1;
        helper.wallSeconds = 60;
        setDecodeHelper(helper);
        QCOMPARE(refusal(readImageIsolated(m_file), ErrorCode::LimitExceeded),
                 std::string("decoding it takes more than the limit of 1 seconds of processor "
                             "time"));
    }

    void takesTooMuchMemory() {
        if (!io::limitsAddressSpace()) QSKIP("a sanitizer needs the address space");
        setDecodeHelper(misbehaving("eats-memory"));
        ReadOptions options;
        options.limits.maxDecodedBytes = std::uint64_t(2) << 30;
        options.limits.howToRaise = "turn the knob";
        QCOMPARE(refusal(readImageIsolated(m_file, options), ErrorCode::LimitExceeded),
                 std::string("decoding it needs more memory than the limit of 2048 MiB; turn the "
                             "knob"));
    }

    void asksForWhatItMayNot() {
        setDecodeHelper(misbehaving("asks-for-a-socket"));
        const auto image = readImageIsolated(m_file);
        if (!g_log.empty()) QSKIP(("this kernel does not filter: " + g_log[0]).c_str());
        const std::string text = refusal(image, ErrorCode::Damaged);
        QVERIFY2(text.find("asked the system for what no decoder needs") != text.npos,
                 text.c_str());
    }

    void isStopped_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("hangs") << "hangs";
        QTest::newRow("spins") << "spins";
    }
    void isStopped() {
        QFETCH(QString, what);
        setDecodeHelper(misbehaving(qPrintable(what)));
        std::stop_source stop;
        ReadOptions options;
        options.stop = stop.get_token();
        QElapsedTimer since;
        std::jthread stopping([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            since.start();
            stop.request_stop();
        });
        const auto image = readImageIsolated(m_file, options);
        QVERIFY(!image.has_value());
        QCOMPARE(image.error().code, ErrorCode::Cancelled);
        QVERIFY(since.elapsed() < 1000 * kSlowdown);
    }

    void cannotBeStarted_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("dies-at-once") << "dies-at-once";
        QTest::newRow("greets-wrongly") << "greets-wrongly";
        QTest::newRow("missing") << "missing";
    }
    void cannotBeStarted() {
        QFETCH(QString, what);
        DecodeHelper helper = misbehaving(qPrintable(what));
        if (what == QLatin1String("missing")) helper.program = "/nowhere/warpscope-decode";
        setDecodeHelper(helper);
        for (int round = 0; round < 3; ++round) QVERIFY(readImageIsolated(m_file).has_value());
        QCOMPARE(g_log.size(), std::size_t(1));
        QVERIFY(g_log[0].find("without protection") != g_log[0].npos);
        QVERIFY(decodingProtection().starts_with("in this process, without protection"));
    }

    void worksWithoutFilter() {
        DecodeHelper helper = standardDecodeHelper();
        helper.arguments = {"--no-filter"};
        setDecodeHelper(helper);
        for (int round = 0; round < 3; ++round) QVERIFY(readImageIsolated(m_file).has_value());
        QCOMPARE(g_log.size(), std::size_t(1));
        QVERIFY(g_log[0].find("without a filter on system calls") != g_log[0].npos);
    }

    void limitsHoldWithoutFilter_data() {
        QTest::addColumn<QString>("says");
        QTest::newRow("hangs") << "decoding it takes longer than the limit of 1 seconds";
        QTest::newRow("spins") << "decoding it takes more than the limit of 1 seconds of processor "
                                  "time";
        if (io::limitsAddressSpace())
            QTest::newRow("eats-memory") << "decoding it needs more memory than the limit of 2048 "
                                            "MiB";
    }
    void limitsHoldWithoutFilter() {
        QFETCH(QString, says);
        DecodeHelper helper = misbehaving(QTest::currentDataTag());
        helper.arguments.push_back("--no-filter");
        helper.processorSeconds = helper.wallSeconds = 1;
        if (qstrcmp(QTest::currentDataTag(), "hangs") != 0) helper.wallSeconds = 60;
        setDecodeHelper(helper);
        ReadOptions options;
        options.limits.maxDecodedBytes = std::uint64_t(2) << 30;
        QCOMPARE(refusal(readImageIsolated(m_file, options), ErrorCode::LimitExceeded),
                 says.toStdString());
        QCOMPARE(g_log.size(), std::size_t(1));
        QVERIFY(g_log[0].find("without a filter on system calls: it was started without") !=
                g_log[0].npos);
    }

    // Somebody who opens an image does not wait for a process that was started for thumbnails,
    // which everything else comes before.
    void isAsNiceAsWhoAsks() {
        const int own = ::getpriority(PRIO_PROCESS, 0);
        if (own >= 19) QSKIP("nothing is nicer than this test");
        setDecodeHelper(standardDecodeHelper());
        const auto readNicely = [&] {
            bool read = false;
            std::thread([&] {
                ::setpriority(PRIO_PROCESS, id_t(::gettid()), own + 1);
                read = readImageIsolated(m_file).has_value();
            }).join();
            return read;
        };
        for (int round = 0; round < 3; ++round) {
            QVERIFY(readNicely());
            if (round == 0) QCOMPARE(nicenessOfDecoders(), (std::vector<int>{own + 1}));
            QVERIFY(readImageIsolated(m_file).has_value());
            QCOMPARE(nicenessOfDecoders(), (std::vector<int>{own, own + 1}));
        }
    }

    void whatIsBeingStartedIsWaitedFor() {
        for (int round = 0; round < 5; ++round) {
            setDecodeHelper(standardDecodeHelper());
            prepareDecoding();
            prepareDecoding();
            QVERIFY(readImageIsolated(m_file).has_value());
            QCOMPARE(nicenessOfDecoders().size(), std::size_t(1));
        }
    }

    // What was started for other settings is not used for these.
    void whatWasPreparedForOtherSettingsEnds() {
        setDecodeHelper(misbehaving("crashes"));
        prepareDecoding();
        setDecodeHelper(standardDecodeHelper());
        for (int round = 0; round < 5; ++round) {
            QVERIFY(readImageIsolated(m_file).has_value());
            QTest::qWait(20);
        }
    }

    void isKeptWarm() {
        setDecodeHelper(standardDecodeHelper());
        QVERIFY(readImageIsolated(m_file).has_value());
        std::vector<qint64> times;
        for (int i = 0; i < 30; ++i) {
            QElapsedTimer clock;
            clock.start();
            QVERIFY(readImageIsolated(m_file).has_value());
            times.push_back(clock.nsecsElapsed());
        }
        std::sort(times.begin(), times.end());
        qInfo("a picture of 2 x 2 by a process that waits for it: %.3f ms",
              double(times[times.size() / 2]) * 1e-6);
    }
};

WARPSCOPE_TEST(HelperTest)
#include "helper_test.moc"
