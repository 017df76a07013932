#include "gui/inspector/look_controls.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <iterator>
#include <utility>

#include "gui/widgets/flow_layout.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

LookControls::LookControls(QWidget* parent) : QWidget(parent) {
    const auto spin = [this](const char* name, double low, double high, double step) {
        auto* made = new QDoubleSpinBox(this);
        made->setObjectName(QLatin1String(name));
        made->setLocale(QLocale::c());
        made->setRange(low, high);
        made->setSingleStep(step);
        made->setDecimals(2);
        made->setKeyboardTracking(false);
        made->setFont(Theme::instance().figureFont());
        made->setFocusPolicy(Qt::StrongFocus);
        made->setMinimumWidth(48);
        made->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(made, &QDoubleSpinBox::valueChanged, this, &LookControls::take);
        return made;
    };
    const auto combo = [this](const char* name, int count) {
        auto* made = new QuietComboBox(this);
        made->setObjectName(QLatin1String(name));
        made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made->setMinimumContentsLength(6);
        for (int i = 0; i < count; ++i) made->addItem(QString());
        connect(made, &QComboBox::activated, this, &LookControls::take);
        return made;
    };
    m_stopsLabel = new QLabel(this);
    m_stops = spin("lookExposure", -kMostStops, kMostStops, 0.5);
    m_gammaLabel = new QLabel(this);
    m_gamma = spin("lookGamma", kLeastGamma, kMostGamma, 0.1);
    m_channel = combo("lookChannel", int(std::size(kAllViewChannels)));
    m_map = combo("lookMap", int(std::size(kAllColorMaps)));
    m_zebra = new QCheckBox(this);
    m_zebra->setObjectName(QStringLiteral("lookZebra"));
    connect(m_zebra, &QCheckBox::toggled, this, &LookControls::take);
    m_reset = new QPushButton(this);
    m_reset->setObjectName(QStringLiteral("lookReset"));
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (m_display) m_display->resetLook();
    });
    const auto pair = [this](QWidget* first, QWidget* second) {
        auto* both = new QWidget(this);
        auto* row = new QHBoxLayout(both);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        row->addWidget(first);
        row->addWidget(second, 1);
        both->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        return both;
    };
    for (QWidget* wide : {static_cast<QWidget*>(m_channel), static_cast<QWidget*>(m_map),
                          static_cast<QWidget*>(m_zebra), static_cast<QWidget*>(m_reset)})
        wide->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    // In a narrow panel below each other.
    for (const auto& [first, second] :
         {std::pair{pair(m_stopsLabel, m_stops), pair(m_gammaLabel, m_gamma)},
          std::pair{static_cast<QWidget*>(m_channel), static_cast<QWidget*>(m_map)},
          std::pair{static_cast<QWidget*>(m_zebra), static_cast<QWidget*>(m_reset)}}) {
        auto* row = new FlowLayout(8, nullptr, FlowLayout::Widths::Own);
        row->addWidget(first);
        row->addWidget(second);
        rows->addLayout(row);
    }
    retranslate();
    refresh();
}

void LookControls::setDisplay(DisplaySettings& display) {
    m_display = &display;
    connect(&display, &DisplaySettings::changed, this, &LookControls::refresh);
    refresh();
}

void LookControls::refresh() {
    setEnabled(m_display != nullptr);
    if (!m_display) return;
    const ViewLook& view = m_display->view();
    const QSignalBlocker stops(m_stops), gamma(m_gamma), zebra(m_zebra);
    m_stops->setValue(view.stops);
    m_gamma->setValue(view.gamma);
    // Of gray images there is one channel, whatever was chosen for the image before.
    m_channel->setEnabled(m_display->hasChannels());
    m_channel->setCurrentIndex(m_display->hasChannels() ? int(view.channel)
                                                        : int(ViewChannel::All));
    m_map->setCurrentIndex(int(view.map));
    m_zebra->setChecked(view.zebra);
    m_reset->setEnabled(!m_display->isNatural());
}

void LookControls::take() {
    if (!m_display) return;
    ViewLook view = m_display->view();
    // What is finer than two digits stays as it is until it is changed here.
    if (sender() == m_stops) view.stops = m_stops->value();
    if (sender() == m_gamma) view.gamma = m_gamma->value();
    if (sender() == m_channel) view.channel = ViewChannel(m_channel->currentIndex());
    view.map = ColorMap(m_map->currentIndex());
    view.zebra = m_zebra->isChecked();
    m_display->setView(view);
}

void LookControls::retranslate() {
    m_stopsLabel->setText(tr("Exposure"));
    m_stops->setAccessibleName(tr("Exposure of the view, in stops"));
    m_stops->setToolTip(tr("Stops: each doubles what lies above black"));
    m_gammaLabel->setText(tr("Gamma"));
    m_gamma->setAccessibleName(tr("Gamma of the view"));
    m_gamma->setToolTip(tr("Above 1 brightens the middle, below 1 darkens it"));
    for (const ViewChannel channel : kAllViewChannels)
        m_channel->setItemText(int(channel), nameOf(channel));
    m_channel->setAccessibleName(tr("Channel that is shown"));
    for (const ColorMap map : kAllColorMaps) m_map->setItemText(int(map), nameOf(map));
    m_map->setAccessibleName(tr("False colours"));
    m_zebra->setText(tr("Mark clipping"));
    m_zebra->setToolTip(tr("Red stripes: at white or beyond; blue stripes: at black or below"));
    m_reset->setText(tr("Reset look"));
    m_reset->setToolTip(tr("Full range, linear, natural colours"));
}

void LookControls::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace warpscope::gui
