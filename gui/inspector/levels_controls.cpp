#include "gui/inspector/levels_controls.h"

#include <QCheckBox>
#include <QDoubleValidator>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "gui/display/display_levels.h"
#include "gui/inspector/look_controls.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// All digits that matter to a person; what is typed back gives the same range.
QString figure(double v) {
    return QString::number(v, 'g', 7);
}

}  // namespace

LevelsControls::LevelsControls(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_choice(new QuietComboBox(this)),
      m_blackLabel(new QLabel(this)),
      m_black(new QLineEdit(this)),
      m_whiteLabel(new QLabel(this)),
      m_white(new QLineEdit(this)),
      m_logarithmic(new QCheckBox(this)),
      m_look(new LookControls(this)) {
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_choice->setObjectName(QStringLiteral("levelsChoice"));
    m_black->setObjectName(QStringLiteral("levelsBlack"));
    m_white->setObjectName(QStringLiteral("levelsWhite"));
    m_logarithmic->setObjectName(QStringLiteral("levelsLogarithmic"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(12);
    for (int i = 0; i < 4; ++i) m_choice->addItem(QString());
    auto* validator = new QDoubleValidator(this);
    validator->setLocale(QLocale::c());
    for (QLineEdit* edit : {m_black, m_white}) {
        edit->setValidator(validator);
        edit->setFont(Theme::instance().figureFont());
        edit->setAlignment(Qt::AlignRight);
        edit->setMinimumWidth(48);
        connect(edit, &QLineEdit::editingFinished, this, &LevelsControls::take);
    }
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (!m_display) return;
        // By hand begins with the range that is there.
        if (RangeChoice(index) == RangeChoice::Manual && m_image.id() != 0)
            m_display->setManual(m_image,
                                 m_display->rangeFor(m_image).value_or(knownNaturalRange(m_image)));
        else
            m_display->setChoice(RangeChoice(index));
    });
    connect(m_logarithmic, &QCheckBox::toggled, this, [this](bool on) {
        if (m_display) m_display->setLogarithmic(on);
    });

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_title, 0, 0, 1, 4);
    grid->addWidget(m_choice, 1, 0, 1, 4);
    grid->addWidget(m_blackLabel, 2, 0);
    grid->addWidget(m_black, 2, 1);
    grid->addWidget(m_whiteLabel, 2, 2);
    grid->addWidget(m_white, 2, 3);
    grid->addWidget(m_logarithmic, 3, 0, 1, 4);
    grid->addWidget(m_look, 4, 0, 1, 4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    retranslate();
    refresh();
}

void LevelsControls::setDisplay(DisplaySettings& display) {
    m_display = &display;
    m_look->setDisplay(display);
    connect(&display, &DisplaySettings::changed, this, &LevelsControls::refresh);
    refresh();
}

void LevelsControls::setImage(const Image& image) {
    if (image.id() == m_image.id()) return;
    m_image = image;
    refresh();
}

void LevelsControls::letGoOfSamples() {
    if (bytesPerSample(m_image.format()) <= 2 || isFloat(m_image.format()))
        m_image = m_image.withoutSamples();
}

void LevelsControls::focusBlack() {
    m_black->setFocus(Qt::OtherFocusReason);
    m_black->selectAll();
}

void LevelsControls::refresh() {
    const bool ready = m_display && m_image.id() != 0;
    for (QWidget* widget : {static_cast<QWidget*>(m_choice), static_cast<QWidget*>(m_black),
                            static_cast<QWidget*>(m_white), static_cast<QWidget*>(m_logarithmic)})
        widget->setEnabled(ready);
    if (!ready) {
        m_black->clear();
        m_white->clear();
        return;
    }
    const QSignalBlocker blocker(m_logarithmic);
    m_logarithmic->setChecked(m_display->logarithmic());
    m_choice->setCurrentIndex(int(m_display->choice()));
    const DisplayRange range = m_display->rangeFor(m_image).value_or(knownNaturalRange(m_image));
    m_black->setText(figure(range.low));
    m_white->setText(figure(range.high));
}

void LevelsControls::take() {
    if (!m_display || m_image.id() == 0) return;
    if (!m_black->isModified() && !m_white->isModified()) return;
    bool lowIsNumber = false, highIsNumber = false;
    const double low = m_black->text().toDouble(&lowIsNumber);
    const double high = m_white->text().toDouble(&highIsNumber);
    m_black->setModified(false);
    m_white->setModified(false);
    if (lowIsNumber && highIsNumber && low < high) {
        m_display->setManual(m_image, {low, high});
        return;
    }
    refresh();  // what was there before comes back
    if (lowIsNumber && highIsNumber)
        emit refused(tr("Black must be below white: %1 is not below %2. Nothing was changed.")
                         .arg(figure(low), figure(high)));
}

void LevelsControls::retranslate() {
    m_title->setText(tr("Black and white on the screen"));
    m_choice->setItemText(int(RangeChoice::Natural), tr("Full range"));
    m_choice->setItemText(int(RangeChoice::MinMax), tr("Minimum to maximum"));
    m_choice->setItemText(int(RangeChoice::Percentiles), tr("Percentiles 0.1 to 99.9"));
    m_choice->setItemText(int(RangeChoice::Manual), tr("Set by hand"));
    m_choice->setAccessibleName(tr("Black and white on the screen"));
    m_choice->setToolTip(
        tr("Which samples are drawn black and white: found in the result where it is shown alone, "
           "else in the source, for both; samples themselves never change."));
    m_blackLabel->setText(tr("Black"));
    m_black->setAccessibleName(tr("Sample value that is drawn black"));
    m_whiteLabel->setText(tr("White"));
    m_white->setAccessibleName(tr("Sample value that is drawn white"));
    m_logarithmic->setText(tr("Logarithmic"));
    m_logarithmic->setToolTip(tr("More greys for dark values"));
}

void LevelsControls::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace warpscope::gui
