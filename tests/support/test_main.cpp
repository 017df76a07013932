// The executable of a folder of tests: `folder_tests NAME [QtTest's options]` runs NAME_test.cpp.
#include <QtTest>
#ifdef WARPSCOPE_TEST_WIDGETS
#include <QApplication>
#include <QStandardPaths>
#endif

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/test_case.h"

#if defined(__SANITIZE_THREAD__)
// QtTest runs a watchdog thread whose end Qt synchronizes with futexes that the thread sanitizer
// cannot see; depending on timing it then reports QtTest's own clean-up as a race. Memory that is
// touched by the C library on behalf of modules that were not instrumented is therefore left out;
// synchronization in them counts as before, and nothing of ours is left out.
extern "C" __attribute__((used, visibility("default"))) const char* __tsan_default_options();
const char* __tsan_default_options() {
    return "ignore_noninstrumented_modules=1";
}
#endif

#if defined(__SANITIZE_ADDRESS__)
// A sleeping thread of oneTBB holds the proxy of the last observer that it notified, in memory of
// TBB's own allocator, through which the leak checker cannot see. The proxy goes when the thread
// leaves the arena; a program that ends before that has it reported.
extern "C" __attribute__((used, visibility("default"))) const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() {
    // What libheif's codecs leave behind, of damaged files and as encoders, which only tests use.
    return "leak:tbb::detail::r1::observe\n"
           "leak:libheif.so\nleak:libaom.so\nleak:libdav1d.so\nleak:libx265.so\n";
}

// QThread::wait() returns before the thread has let go of its QThreadData. A program that ends in
// that moment, on a busy machine, has QtTest's watchdog reported as a leak. It is named so; Qt
// names a thread without a name of its own after its class.
static void waitForEndedThreads() {
    namespace fs = std::filesystem;
    const auto qtThreads = [] {
        int count = 0;
        std::error_code ignored;
        for (const auto& task : fs::directory_iterator("/proc/self/task", ignored)) {
            std::string name;
            std::getline(std::ifstream(task.path() / "comm"), name);
            count += name == "QtTest Watchdog" || name == "QThread";
        }
        return count;
    };
    for (int tries = 0; tries < 200 && qtThreads() > 0; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
#endif

namespace {

std::map<std::string, QObject* (*)()>& entries() {
    static std::map<std::string, QObject* (*)()> map;
    return map;
}

int usage(const char* program) {
    std::fprintf(stderr, "%s NAME [QtTest's options], where NAME is one of\n", program);
    for (const auto& [name, make] : entries()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}

}  // namespace

warpscope::test::Entry::Entry(const char* file, QObject* (*make)()) {
    std::string name(file);
    name.erase(0, name.rfind('/') + 1);
    name.erase(name.rfind("_test.cpp"));
    if (!entries().emplace(name, make).second) {
        std::fprintf(stderr, "two tests are named %s\n", name.c_str());
        std::abort();
    }
}

int main(int argc, char** argv) {
    const auto entry = argc < 2 ? entries().end() : entries().find(argv[1]);
    if (entry == entries().end()) return usage(argv[0]);
    // QtTest sees the options alone.
    std::vector<char*> arguments{argv[0]};
    arguments.insert(arguments.end(), argv + 2, argv + argc);
    int count = int(arguments.size());
    arguments.push_back(nullptr);
#ifdef WARPSCOPE_TEST_WIDGETS
    // Nothing is left where a person's files are.
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(count, arguments.data());
#else
    QCoreApplication application(count, arguments.data());
#endif
    application.setAttribute(Qt::AA_Use96Dpi, true);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    // Of the laws' 100 random cases; runs see all together.
    qputenv("RC_PARAMS", qgetenv("RC_PARAMS") + " max_success=25");
#endif
    // What a machine copies in a second is measured before each benchmark, with blocks four times
    // its cache: seconds, where only a test or two look at the rate.
    if (!qEnvironmentVariableIsSet("WARPSCOPE_COPY_MIB")) qputenv("WARPSCOPE_COPY_MIB", "16");
    // QtTest ends a function after five minutes, which a slow machine needs for what is not stuck.
    // Before CTest ends the program (tests/CMakeLists.txt) it still says where each thread is.
    if (!qEnvironmentVariableIsSet("QTEST_FUNCTION_TIMEOUT"))
        qputenv("QTEST_FUNCTION_TIMEOUT", kSlowdown > 1 ? "2600000" : "570000");
    const std::unique_ptr<QObject> test(entry->second());
    const int failed = QTest::qExec(test.get(), count, arguments.data());
#if defined(__SANITIZE_ADDRESS__)
    waitForEndedThreads();
#endif
    return failed;
}
