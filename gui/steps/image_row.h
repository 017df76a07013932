// Which image is the second input of a step: the source, what an earlier step gives, or the other
// image that is open. What is chosen and missing is said and stays chosen.
#pragma once

#include <QWidget>

#include "gui/document/document.h"

namespace warpscope::gui {

class QuietComboBox;

class ImageRow : public QWidget {
    Q_OBJECT
  public:
    // The row edits the parameter in the document.
    ImageRow(Document& document, const ParamSpec& spec, QWidget* parent = nullptr);

    void show(int step);  // of the document's steps

    // A drag or drop over what stands around it, as over itself.
    void takeDrag(QEvent& event);

  signals:
    // An image file was dropped on the row, which names the second image now: open it as that.
    void secondDropped(const QString& path);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void setUnderDrag(bool under);

    bool m_underDrag = false;
    Document& m_document;
    std::string m_id;
    int m_step = -1;
    QuietComboBox* m_combo;
};

// "Gaussian blur", "Gaussian blur · soft"
QString stepTitle(const Step& step);

}  // namespace warpscope::gui
