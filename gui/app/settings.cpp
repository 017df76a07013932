#include "gui/app/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace warpscope::gui {
namespace {

constexpr int kVersion = 1;
constexpr char kVersionKey[] = "warpscope/settings";
constexpr char kGeometry[] = "window/geometry";
constexpr char kLayout[] = "window/layout";
constexpr char kTheme[] = "window/theme";
constexpr char kBackend[] = "compute/backend";
constexpr char kLastFolder[] = "files/folder";
constexpr char kRecent[] = "files/recent";

// QSettings takes nearly anything for an INI file, so ours carries a mark.
bool isOurs(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists() || info.size() == 0) return true;
    if (!info.isFile() || info.size() > 4 * 1024 * 1024) return false;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.readAll().contains('\0')) return false;
    const QSettings settings(path, QSettings::IniFormat);
    return settings.status() == QSettings::NoError &&
           settings.value(QLatin1String(kVersionKey)).toInt() == kVersion;
}

}  // namespace

Settings::Settings(const QString& path) : m_path(path) {
    if (path.isEmpty()) return;
    QDir().mkpath(QFileInfo(path).absolutePath());
    if (!isOurs(path)) {
        m_setAside = path + QStringLiteral(".corrupt");
        QFile::remove(m_setAside);
        if (!QFile::rename(path, m_setAside)) {
            m_setAside.clear();
            return;  // cannot be moved: leave it alone and remember nothing this time
        }
    }
    open(path);
}

Settings::~Settings() {
    save();
}

void Settings::open(const QString& path) {
    m_store = std::make_unique<QSettings>(path, QSettings::IniFormat);
    m_store->setValue(QLatin1String(kVersionKey), kVersion);
}

QString Settings::defaultPath() {
    return QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) +
           QStringLiteral("/warpscope.ini");
}

void Settings::clear() {
    m_memory.clear();
    if (!m_store) return;
    m_store->clear();
    m_store->setValue(QLatin1String(kVersionKey), kVersion);
    m_store->sync();
}

void Settings::save() {
    if (m_store) m_store->sync();
}

QVariant Settings::read(const char* key) const {
    return m_store ? m_store->value(QLatin1String(key)) : m_memory.value(QLatin1String(key));
}

void Settings::write(const char* key, const QVariant& value) {
    if (m_store)
        m_store->setValue(QLatin1String(key), value);
    else
        m_memory.insert(QLatin1String(key), value);
}

QByteArray Settings::geometry() const {
    return read(kGeometry).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry) {
    write(kGeometry, geometry);
}

QByteArray Settings::layout() const {
    return read(kLayout).toByteArray();
}

void Settings::setLayout(const QByteArray& layout) {
    write(kLayout, layout);
}

ThemeChoice Settings::theme() const {
    return read(kTheme).toString() == QLatin1String("light") ? ThemeChoice::Light
                                                             : ThemeChoice::Dark;
}

void Settings::setTheme(ThemeChoice theme) {
    write(kTheme, theme == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark"));
}

BackendChoice Settings::backend() const {
    return choiceFromId(read(kBackend).toString().toStdString()).value_or(BackendChoice::Auto);
}

void Settings::setBackend(BackendChoice backend) {
    const std::string_view id = choiceId(backend);
    write(kBackend, QString::fromUtf8(id.data(), qsizetype(id.size())));
}

QString Settings::lastFolder() const {
    const QString folder = read(kLastFolder).toString();
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return folder;
    return QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
}

void Settings::setLastFolder(const QString& folder) {
    write(kLastFolder, folder);
}

QStringList Settings::recentFiles() const {
    QStringList files = read(kRecent).toStringList();
    files.removeAll(QString());
    files.removeDuplicates();
    return files.mid(0, kMaxRecentFiles);
}

void Settings::setRecentFiles(const QStringList& files) {
    write(kRecent, files.mid(0, kMaxRecentFiles));
}

}  // namespace warpscope::gui
