#include "gui/document/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include "engine/backend/gpu_choice.h"
#include "gui/document/memory_budget.h"

namespace warpscope::gui {
namespace {

constexpr int kVersion = 1;
constexpr char kVersionKey[] = "warpscope/settings";
constexpr char kGeometry[] = "window/geometry";
constexpr char kLayout[] = "window/layout";
constexpr char kTheme[] = "window/theme";
constexpr char kLanguage[] = "window/language";
constexpr char kBackend[] = "compute/backend";
constexpr char kGpu[] = "compute/gpu";
constexpr char kMemory[] = "compute/memory_mib";
constexpr char kWrongVariants[] = "steps/wrong_variants";
constexpr char kLastFolder[] = "files/folder";
constexpr char kRecent[] = "files/recent";
constexpr char kSwitches[] = "switches/";
constexpr char kChoices[] = "choices/";
constexpr char kKeys[] = "keys/";  // and the command's name
constexpr char kKeptSteps[] = "steps/kept";
constexpr char kPresets[] = "presets/";  // and the operation's id

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

QString Settings::folder() const {
    return m_store ? QFileInfo(m_path).absolutePath() : QString();
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

QVariant Settings::read(const QString& key) const {
    return m_store ? m_store->value(key) : m_memory.value(key);
}

void Settings::write(const QString& key, const QVariant& value) {
    if (m_store)
        m_store->setValue(key, value);
    else
        m_memory.insert(key, value);
}

QByteArray Settings::geometry() const {
    return read(QLatin1String(kGeometry)).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry) {
    write(QLatin1String(kGeometry), geometry);
}

QByteArray Settings::layout() const {
    return read(QLatin1String(kLayout)).toByteArray();
}

void Settings::setLayout(const QByteArray& layout) {
    write(QLatin1String(kLayout), layout);
}

ThemeChoice Settings::theme() const {
    return read(QLatin1String(kTheme)).toString() == QLatin1String("light") ? ThemeChoice::Light
                                                                            : ThemeChoice::Dark;
}

void Settings::setTheme(ThemeChoice theme) {
    write(QLatin1String(kTheme),
          theme == ThemeChoice::Light ? QStringLiteral("light") : QStringLiteral("dark"));
}

QString Settings::language() const {
    const QString id = read(QLatin1String(kLanguage)).toString();
    return id.isEmpty() ? QStringLiteral("system") : id;
}

void Settings::setLanguage(const QString& id) {
    write(QLatin1String(kLanguage), id);
}

BackendChoice Settings::backend() const {
    return choiceFromId(read(QLatin1String(kBackend)).toString().toStdString())
        .value_or(BackendChoice::Auto);
}

void Settings::setBackend(BackendChoice backend) {
    const std::string_view id = choiceId(backend);
    write(QLatin1String(kBackend), QString::fromUtf8(id.data(), qsizetype(id.size())));
}

QString Settings::gpu() const {
    const auto name = gpuNameFrom(read(QLatin1String(kGpu)).toString().toStdString());
    return name ? QString::fromStdString(*name) : QString();
}

void Settings::setGpu(const QString& name) {
    write(QLatin1String(kGpu), name);
}

std::optional<int> Settings::memoryMiB() const {
    bool number = false;
    const int mib = read(QLatin1String(kMemory)).toInt(&number);
    if (!number || mib < kLeastMemoryMiB || mib > kMostMemoryMiB) return std::nullopt;
    return mib;
}

bool Settings::wrongVariants() const {
    return read(QLatin1String(kWrongVariants)).toBool();
}

void Settings::setWrongVariants(bool shown) {
    write(QLatin1String(kWrongVariants), shown);
}

void Settings::setMemoryMiB(std::optional<int> mib) {
    write(QLatin1String(kMemory), mib ? QVariant(*mib) : QVariant(QString()));
}

std::optional<QString> Settings::keys(const QString& command) const {
    // Before an empty list stands a sign, too: nothing is not "no key".
    const QString value = read(QLatin1String(kKeys) + command).toString();
    if (!value.startsWith(QLatin1Char('='))) return std::nullopt;
    return value.mid(1);
}

void Settings::setKeys(const QString& command, const std::optional<QString>& keys) {
    write(QLatin1String(kKeys) + command, keys ? QLatin1Char('=') + *keys : QString());
}

std::optional<bool> Settings::switched(const QString& name) const {
    const QString value = read(QLatin1String(kSwitches) + name).toString();
    if (value != QLatin1String("true") && value != QLatin1String("false")) return std::nullopt;
    return value == QLatin1String("true");
}

void Settings::setSwitched(const QString& name, bool on) {
    write(QLatin1String(kSwitches) + name, on);
}

std::optional<int> Settings::chosen(const QString& name) const {
    bool number = false;
    const int index = read(QLatin1String(kChoices) + name).toString().toInt(&number);
    return number && index >= 0 ? std::optional(index) : std::nullopt;
}

void Settings::setChosen(const QString& name, int index) {
    write(QLatin1String(kChoices) + name, QString::number(index));
}

QString Settings::lastFolder() const {
    const QString folder = read(QLatin1String(kLastFolder)).toString();
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return folder;
    // A file dialog takes a folder that is not there for the name of a file.
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    return QFileInfo(pictures).isDir() ? pictures : QDir::homePath();
}

void Settings::setLastFolder(const QString& folder) {
    write(QLatin1String(kLastFolder), folder);
}

QStringList Settings::recentFiles() const {
    QStringList files = read(QLatin1String(kRecent)).toStringList();
    files.removeAll(QString());
    // No file has such a name, and what takes it for text may end the program.
    files.removeIf([](const QString& file) { return !file.isValidUtf16(); });
    files.removeDuplicates();
    return files.mid(0, kMaxRecentFiles);
}

QString Settings::keptSteps() const {
    return read(QLatin1String(kKeptSteps)).toString();
}

void Settings::setKeptSteps(const QString& json) {
    write(QLatin1String(kKeptSteps), json);
}

QString Settings::presets(const QString& operation) const {
    return read(QLatin1String(kPresets) + operation).toString();
}

void Settings::setPresets(const QString& operation, const QString& text) {
    write(QLatin1String(kPresets) + operation, text);
}

void Settings::setRecentFiles(const QStringList& files) {
    write(QLatin1String(kRecent), files.mid(0, kMaxRecentFiles));
}

}  // namespace warpscope::gui
