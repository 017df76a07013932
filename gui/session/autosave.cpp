#include "gui/session/autosave.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <filesystem>

#include "engine/base/log.h"
#include "gui/session/session_file.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kLockSuffix = QStringLiteral(".lock");

// Never old: only the end of its process makes a lock stale.
std::unique_ptr<QLockFile> lockOf(const QString& file) {
    auto lock = std::make_unique<QLockFile>(file + kLockSuffix);
    lock->setStaleLockTime(0);
    return lock;
}

}  // namespace

Autosave::Autosave(const QString& folder) : m_folder(folder) {}

Autosave::~Autosave() {
    m_tasks.reset();
    if (!m_file.isEmpty()) QFile::remove(m_file);
}

bool Autosave::begin() {
    if (m_folder.isEmpty()) return false;
    if (m_lock) return true;
    QDir().mkpath(m_folder);
    const QString name = QUuid::createUuid().toString(QUuid::Id128);
    const QString file =
        QDir(m_folder).filePath(name + QLatin1Char('.') + QLatin1String(kSessionSuffix));
    auto lock = lockOf(file);
    if (!lock->tryLock(0)) {
        logMessage(LogLevel::Warning, tr("No autosave: %1 is locked").arg(m_folder).toStdString());
        m_folder.clear();
        return false;
    }
    m_lock = std::move(lock);
    m_file = file;
    m_tasks = std::make_unique<TaskRunner>();
    return true;
}

void Autosave::write(const Session& session) {
    if ((session.isEmpty() && m_file.isEmpty()) || !begin()) return;
    m_tasks->run([session, file = m_file]() -> TaskRunner::Finish {
        if (session.isEmpty()) {
            QFile::remove(file);
            return {};
        }
        if (const auto done = writeSession(session, file, false); !done)
            logMessage(LogLevel::Warning,
                       tr("Autosave: %1").arg(engineText(done.error().message)).toStdString());
        return {};
    });
}

QStringList Autosave::takeLost() {
    if (m_folder.isEmpty()) return {};
    const QDir folder(m_folder);
    const QString suffix = QLatin1Char('.') + QLatin1String(kSessionSuffix);
    QStringList found;
    for (const QFileInfo& info :
         folder.entryInfoList({QLatin1Char('*') + suffix}, QDir::Files, QDir::Time)) {
        const QString file = info.absoluteFilePath();
        auto lock = lockOf(file);
        // Its window may have ended just now, in good order.
        if (!lock->tryLock(0) || !QFileInfo::exists(file)) continue;
        found << file;
        m_lost.push_back({file, std::move(lock)});
    }
    // Of windows that ended before anything was written.
    for (const QString& name : folder.entryList({QLatin1Char('*') + suffix + kLockSuffix})) {
        const QString file = folder.absoluteFilePath(name.chopped(kLockSuffix.size()));
        if (!QFileInfo::exists(file)) (void)lockOf(file)->tryLock(0);
    }
    return found;
}

void Autosave::setAside(const QString& lost) {
    const QDir folder(QDir(m_folder).filePath(QStringLiteral("restored")));
    folder.mkpath(QStringLiteral("."));
    const QString aside = folder.filePath(QLatin1String("last.") + QLatin1String(kSessionSuffix));
    std::error_code failed;  // then it is offered once more
    std::filesystem::rename(QFile::encodeName(lost).toStdString(),
                            QFile::encodeName(aside).toStdString(), failed);
    std::erase_if(m_lost, [&](const Lost& one) { return one.file == lost; });
}

void Autosave::remove(const QString& lost) {
    QFile::remove(lost);
    std::erase_if(m_lost, [&](const Lost& one) { return one.file == lost; });
}

}  // namespace warpscope::gui
