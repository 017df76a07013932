// The log as a dock: what the engine and the window report, newest at the end.
#pragma once

#include <QString>
#include <QWidget>
#include <string>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/mailbox.h"

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

    QPlainTextEdit* m_view = nullptr;
    Mailbox<std::pair<LogLevel, std::string>> m_lines;  // from any thread
};

}  // namespace warpscope::gui
