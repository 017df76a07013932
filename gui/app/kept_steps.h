// Steps that nobody has saved when the window closes: kept for the next start, which says so; or,
// where that is not wanted, asked about once.
#pragma once

#include <QObject>

class QAction;

namespace warpscope::gui {

class Document;
class MessageBar;
class Settings;

class KeptSteps : public QObject {
    Q_OBJECT
  public:
    // `keep` switches it and shows whether it is on.
    KeptSteps(Document& document, Settings& settings, MessageBar& messages, QAction& keep,
              QObject* parent);

    void restore();  // what the last run has left
    // Before the window closes. False: the person was asked, and closes again or does not.
    bool mayClose();

  private:
    bool unsaved() const;

    Document& m_document;
    Settings& m_settings;
    MessageBar& m_messages;
    QAction& m_keep;
    bool m_asked = false;
    QString m_taken;  // what restore() has found
};

}  // namespace warpscope::gui
