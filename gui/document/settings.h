// What the window remembers between runs, in one INI file. Everything read back is checked; a file
// that is not ours or is corrupt is set aside and defaults are used.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

#include "engine/backend/backend_set.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

class Settings {
  public:
    // An empty path keeps everything in memory only.
    explicit Settings(const QString& path);
    ~Settings();

    static QString defaultPath();
    // Where a corrupt file was moved to; empty if there was none.
    QString setAsidePath() const { return m_setAside; }
    bool isKept() const { return m_store != nullptr; }  // in a file
    QString folder() const;  // of that file; empty if it is kept in memory only
    void clear();
    void save();  // to the file, now

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    QByteArray layout() const;  // docks and toolbars
    void setLayout(const QByteArray& layout);
    ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    // "system", or the id of a language, which need not be one that there is.
    QString language() const;
    void setLanguage(const QString& id);
    BackendChoice backend() const;
    void setBackend(BackendChoice backend);
    // As gpuNameFrom() gives it; empty: none in particular.
    QString gpu() const;
    void setGpu(const QString& name);
    // Nothing: the default, which follows the machine. See memory_budget.h for the limits.
    std::optional<int> memoryMiB() const;
    void setMemoryMiB(std::optional<int> mib);
    // Variants that are wrong on purpose are offered.
    bool wrongVariants() const;
    void setWrongVariants(bool shown);
    QString lastFolder() const;  // exists, or the pictures folder
    void setLastFolder(const QString& folder);
    // Newest first; without entries that are no valid UTF-16.
    QStringList recentFiles() const;
    void setRecentFiles(const QStringList& files);

    // Steps that were not saved when the program was closed, as JSON; empty: none.
    QString keptSteps() const;
    void setKeptSteps(const QString& json);

    // Of one operation, as PresetStore writes them; empty if there are none.
    QString presets(const QString& operation) const;
    void setPresets(const QString& operation, const QString& text);

    // Of a command, as QKeySequence writes lists of them, empty: no key; nothing where nobody has
    // changed them.
    std::optional<QString> keys(const QString& command) const;
    void setKeys(const QString& command, const std::optional<QString>& keys);

    // Switches of windows, by a name of their own; nothing where nobody has switched yet.
    std::optional<bool> switched(const QString& name) const;
    void setSwitched(const QString& name, bool on);
    // One of several, from 0; nothing where nobody has chosen yet, or what is there is no number.
    std::optional<int> chosen(const QString& name) const;
    void setChosen(const QString& name, int index);

    static constexpr int kMaxRecentFiles = 10;

  private:
    void open(const QString& path);

    QString m_path;
    QString m_setAside;
    std::unique_ptr<QSettings> m_store;  // null: in memory
    QVariantMap m_memory;
    QVariant read(const QString& key) const;
    void write(const QString& key, const QVariant& value);
};

}  // namespace warpscope::gui
