// Colours, icons and fonts of the window, in one place. Neutral greys; the image is the only
// colourful thing.
#pragma once

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QString>

#include "engine/backend/backend.h"
#include "engine/image/histogram.h"

namespace warpscope::gui {

enum class ThemeChoice { Dark, Light };

struct ThemeColors {
    QColor window;  // docks and bars
    QColor base;    // lists, edits
    QColor raised;  // headers, buttons
    QColor border;
    QColor text;
    QColor weakText;  // units, hints
    QColor disabledText;
    QColor accent;                     // selection and focus, nothing else
    QColor accentText;                 // on the accent
    QColor canvas;                     // around the image
    QColor checkerLight, checkerDark;  // under transparency
    QColor chartGrid;
    QColor warning, error;
    QColor cpuSingle, cpu, gpu;     // one colour a backend in every table and chart
    QColor red, green, blue, luma;  // histogram channels
};

class Theme : public QObject {
    Q_OBJECT
  public:
    static Theme& instance();  // window thread only

    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);  // applies Fusion style and palette to the application
    const ThemeColors& colors() const { return m_colors; }

    // A single-colour icon from resources (":/icons/NAME.svg", drawn with currentColor), in the
    // text colour, dimmed when disabled, sharp at every scale.
    QIcon icon(const QString& name) const;
    QColor channelColor(HistogramChannel channel) const;
    QColor backendColor(BackendKind backend) const;
    // The application font with tabular figures, for numbers that change.
    QFont figureFont() const;

  signals:
    void changed();

  private:
    friend class PictureColors;
    Theme();
    ThemeChoice m_choice = ThemeChoice::Dark;
    ThemeColors m_colors;
    bool m_styled = false;  // the application has our style
};

// While it lives, what is painted has the colours of `choice`; style and palette of the windows
// stay and nobody is told. For pictures that leave the program: what is printed or projected is
// light.
class PictureColors {
  public:
    explicit PictureColors(ThemeChoice choice);
    ~PictureColors();
    PictureColors(const PictureColors&) = delete;
    PictureColors& operator=(const PictureColors&) = delete;

  private:
    ThemeColors m_before;
};

}  // namespace warpscope::gui
