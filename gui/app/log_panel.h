// The log as a dock: what the engine and the window report, newest at the end.
#pragma once

#include <QString>
#include <QWidget>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/base/log.h"

class QPlainTextEdit;

namespace warpscope::gui {

class LogPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LogPanel(QWidget* parent = nullptr);  // becomes the log sink
    ~LogPanel() override;

    QString text() const;

  private:
    Q_INVOKABLE void drain();
    void post(LogLevel level, std::string_view message);  // any thread

    QPlainTextEdit* m_view = nullptr;
    std::mutex m_mutex;
    std::vector<std::pair<LogLevel, QString>> m_mailbox;  // guarded by m_mutex
};

}  // namespace warpscope::gui
