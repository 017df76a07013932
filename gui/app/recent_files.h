// The files opened last, as a menu.
#pragma once

#include <QObject>
#include <QString>

class QMenu;

namespace warpscope::gui {

class Settings;

class RecentFiles : public QObject {
    Q_OBJECT
  public:
    RecentFiles(Settings& settings, QObject* parent = nullptr);
    ~RecentFiles() override;

    QMenu* menu() const { return m_menu; }
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

  signals:
    void chosen(const QString& path);

  private:
    void rebuild();

    Settings& m_settings;
    QMenu* m_menu = nullptr;
};

}  // namespace warpscope::gui
