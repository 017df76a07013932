// "About this operation": help, parameters, formula and source, folded away until asked for.
#pragma once

#include <QWidget>

#include "engine/operations/operation.h"

class QTextBrowser;
class QToolButton;

namespace warpscope::gui {

class AboutSection : public QWidget {
    Q_OBJECT
  public:
    explicit AboutSection(QWidget* parent = nullptr);

    void setOperation(const OperationDescription& description);
    bool isOpen() const { return m_open; }
    void setOpen(bool open);

  signals:
    void opened();

  private:
    void write();

    const OperationDescription* m_description = nullptr;  // lives as long as the program
    bool m_open = false;
    QToolButton* m_header;
    QTextBrowser* m_text;
};

}  // namespace warpscope::gui
