// Takes one picture of the window, or of the one over it (demo, benchmark), when everything asked
// for is computed and painted, for the script that makes the pictures of the manual.
#pragma once

#include <QObject>
#include <QString>

namespace warpscope::gui {

class MainWindow;

class Screenshot : public QObject {
    Q_OBJECT
  public:
    // `wipe`: source and result in one picture, once there is an image.
    Screenshot(MainWindow& window, const QString& file, bool wipe);

  signals:
    void done(int exitCode);  // 0: the picture is written

  private:
    void look();
    void grab();

    MainWindow& m_window;
    QString m_file;
    bool m_wipe;
    int m_quietLooks = 0;
    int m_looks = 0;
};

}  // namespace warpscope::gui
