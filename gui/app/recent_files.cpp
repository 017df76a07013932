#include "gui/app/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "gui/document/settings_change.h"

namespace warpscope::gui {

RecentFiles::RecentFiles(Settings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_menu(new QMenu(tr("Open &recent"))) {
    m_menu->setObjectName(QStringLiteral("recentMenu"));
    m_menu->setToolTipsVisible(true);
    rebuild();
}

RecentFiles::~RecentFiles() {
    delete m_menu;
}

void RecentFiles::add(const QString& path) {
    const SettingsChange change(m_settings);
    QStringList files = m_settings.recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_settings.setRecentFiles(files);
    rebuild();
}

void RecentFiles::remove(const QString& path) {
    const SettingsChange change(m_settings);
    QStringList files = m_settings.recentFiles();
    if (files.removeAll(path) == 0) return;
    m_settings.setRecentFiles(files);
    rebuild();
}

void RecentFiles::clear() {
    m_settings.setRecentFiles({});
    rebuild();
}

void RecentFiles::rebuild() {
    m_menu->clear();
    const QStringList files = m_settings.recentFiles();
    int number = 1;
    for (const QString& path : files) {
        QString name = QFileInfo(path).fileName();
        name.replace(QLatin1Char('&'), QLatin1String("&&"));
        const QString mnemonic = number < 10 ? QStringLiteral("&%1  ").arg(number) : QString();
        QAction* action = m_menu->addAction(mnemonic + name);
        action->setToolTip(QDir::toNativeSeparators(path));
        connect(action, &QAction::triggered, this, [this, path] { emit chosen(path); });
        ++number;
    }
    m_menu->addSeparator();
    m_menu->addAction(tr("&Clear list"), this, &RecentFiles::clear);
    m_menu->setEnabled(!files.isEmpty());
}

}  // namespace warpscope::gui
