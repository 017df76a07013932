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

  private:
    Document& m_document;
    std::string m_id;
    int m_step = -1;
    QuietComboBox* m_combo;
};

// "Gaussian blur", "Gaussian blur · soft"
QString stepTitle(const Step& step);

}  // namespace warpscope::gui
