// Runs warpscope-cli as a process, as a person's script would.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QTemporaryDir>
#include <algorithm>

#include "support/test_case.h"

namespace warpscope::test {

struct CliRun {
    int exitCode = -1;
    bool crashed = false;
    QByteArray out;
    QByteArray err;
};

// The program beside the test unless WARPSCOPE_CLI names another (the bundle sets it).
inline QString cliProgram() {
    return qEnvironmentVariable("WARPSCOPE_CLI", QStringLiteral(WARPSCOPE_CLI));
}

// What an ended process said. A build with a sanitizer says once more, and rightly, that it has no
// filter on system calls (sandbox.cpp): that is left out here, where it stands for the usual build.
inline QByteArray errorsOf(QProcess& process) {
    QByteArray said = process.readAllStandardError();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QByteArrayList lines = said.split('\n');
    lines.removeIf([](const QByteArray& line) {
        return line.contains("without a filter on system calls: this build has a sanitizer");
    });
    said = lines.join('\n');
#endif
    return said;
}

// Whether the process listens for `signal`, which it blocks and waits for: before that, one ends it
// as any other program.
inline bool listensFor(const QProcess& process, int signal) {
    QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:"))
            return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1;
    return false;
}

// `input` comes through a pipe on standard input.
inline CliRun runCli(const QStringList& arguments, const QString& folder = {},
                     int timeoutMs = 60'000, const QByteArray& input = {}) {
    QProcess process;
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(cliProgram(), arguments);
    process.write(input);
    process.closeWriteChannel();
    CliRun run;
    if (!process.waitForFinished(timeoutMs * kSlowdown)) {
        process.kill();
        process.waitForFinished();
        run.err = "timed out";
        return run;
    }
    run.crashed = process.exitStatus() == QProcess::CrashExit;
    run.exitCode = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = errorsOf(process);
    return run;
}

inline CliRun runPiped(const QByteArray& input, const QStringList& arguments) {
    return runCli(arguments, {}, 60'000, input);
}

// Another program, a shell with a script, in a folder.
inline CliRun runProgram(const QString& program, const QStringList& arguments,
                         const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    process.closeWriteChannel();
    CliRun run;
    if (!process.waitForFinished(60'000)) return run;
    run.crashed = process.exitStatus() == QProcess::CrashExit;
    run.exitCode = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = errorsOf(process);
    return run;
}

// Lines of standard error, without the last empty one.
inline int errorLines(const CliRun& run) {
    return int(run.err.count('\n'));
}

inline QString writeFile(const QTemporaryDir& folder, const QString& name,
                         const QByteArray& bytes) {
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
    return path;
}

inline QByteArray readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The most memory that the program had, its own and what it shares with its decoder; -1: it failed.
// Kilobytes below the truth at most, of a child that has ended.
inline qint64 peakBytes(const QStringList& arguments, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(cliProgram(), arguments);
    if (!process.waitForStarted()) return -1;
    qint64 most = 0;
    do {
        const QByteArray status =
            readAll(QStringLiteral("/proc/%1/status").arg(process.processId()));
        for (const QByteArray& line : status.split('\n'))
            if (line.startsWith("VmHWM:"))
                most = std::max(most, line.mid(6).simplified().split(' ')[0].toLongLong());
    } while (!process.waitForFinished(2));
    return process.exitCode() == 0 ? most << 10 : -1;
}

// 3 x 2 pixels of colour, as text.
inline QByteArray smallPpm() {
    return "P3\n3 2\n255\n255 0 0  0 255 0  0 0 255\n10 20 30  200 100 50  255 255 255\n";
}

}  // namespace warpscope::test
