// Which sample values are black and white on the screen: automatic or typed, linear or logarithmic.
#pragma once

#include <QWidget>

#include "engine/image/image.h"
#include "gui/display/display_settings.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace warpscope::gui {

class LookControls;

class LevelsControls : public QWidget {
    Q_OBJECT
  public:
    explicit LevelsControls(QWidget* parent = nullptr);
    void setDisplay(DisplaySettings& display);
    // The image whose range is shown and typed: the result, or the source until there is one.
    void setImage(const Image& image);
    // Of an image that is outdated, but for sums, whose range must be looked for in them.
    void letGoOfSamples();
    void focusBlack();  // for typing

  signals:
    void refused(const QString& why);  // what was typed is no range

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void retranslate();
    void refresh();
    void take();  // what was typed

    DisplaySettings* m_display = nullptr;
    Image m_image;
    QLabel* m_title = nullptr;
    QComboBox* m_choice = nullptr;
    QLabel* m_blackLabel = nullptr;
    QLineEdit* m_black = nullptr;
    QLabel* m_whiteLabel = nullptr;
    QLineEdit* m_white = nullptr;
    QCheckBox* m_logarithmic = nullptr;
    LookControls* m_look = nullptr;
};

}  // namespace warpscope::gui
