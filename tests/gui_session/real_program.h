// The window's program as a process of its own, with settings in a folder.
#pragma once

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

#include "gui/session/session_file.h"
#include "support/test_case.h"

namespace warpscope::gui {

struct RealProgram {
    QString folder;
    QProcess process;
    QElapsedTimer started;

    explicit RealProgram(const QString& itsFolder) : folder(itsFolder) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
        environment.insert(QStringLiteral("XDG_CACHE_HOME"),
                           QDir(folder).filePath(QStringLiteral("cache")));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString());
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedChannels);
    }

    QString settings() const {
        return QDir(folder).filePath(QStringLiteral("warpscope/warpscope.ini"));
    }
    QDir autosave() const {
        return QDir(QDir(folder).filePath(QStringLiteral("warpscope/autosave")));
    }
    std::optional<Session> written() const {
        const QStringList names =
            autosave().entryList({QStringLiteral("*.warpscope-session")}, QDir::Files);
        if (names.size() != 1) return std::nullopt;
        const auto found = readSession(autosave().filePath(names[0]));
        return found ? std::optional(found->session) : std::nullopt;
    }
    // With the image and the steps, until both are in its autosave.
    bool start(const QString& image, const Pipeline& chain) {
        const QString steps = QDir(folder).filePath(QStringLiteral("steps.json"));
        QFile file(steps);
        if (!file.open(QIODevice::WriteOnly)) return false;
        file.write(QByteArray::fromStdString(toJson(chain)));
        file.close();
        // Before: a busy machine may come back here long after the program has begun.
        started.start();
        process.start(QStringLiteral(WARPSCOPE_PROGRAM),
                      {image, QStringLiteral("--pipeline"), steps});
        return process.waitForStarted() && waitedFor(
                                               [&] {
                                                   const auto session = written();
                                                   return session && session->shown.path == image &&
                                                          session->pipeline == chain;
                                               },
                                               60000);
    }
};

}  // namespace warpscope::gui
