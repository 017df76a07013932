#include "gui/widgets/value_slider.h"

#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

constexpr double kHandleRadius = 6;
constexpr double kTrackHeight = 3;
constexpr int kSliderHeight = 24;
// A wheel that turns over the slider because the panel scrolled it under the cursor must not
// change the value: an unfocused slider listens only after the cursor has rested on it, a focused
// one after a shorter while.
constexpr int kHoverMs = 500;
constexpr int kFocusedHoverMs = 250;
constexpr int kBurstMs = 500;

double modifierFactor(Qt::KeyboardModifiers modifiers) {
    if (modifiers & Qt::ShiftModifier) return 10;
    if (modifiers & Qt::ControlModifier) return 0.1;
    return 1;
}

// What screen readers are told.
class SliderAccessible final : public QAccessibleWidget, public QAccessibleValueInterface {
  public:
    explicit SliderAccessible(ValueSlider* slider)
        : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface)
            return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? slider()->valueText() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return slider()->scale().shown(slider()->value()); }
    void setCurrentValue(const QVariant& value) override {
        const ParamScale& scale = slider()->scale();
        const double wanted = scale.valueAt(scale.position(value.toDouble()));
        emit slider()->gestureStarted();
        slider()->setValue(wanted);
        emit slider()->moved(wanted);
        emit slider()->gestureEnded();
    }
    QVariant maximumValue() const override { return slider()->scale().high(); }
    QVariant minimumValue() const override { return slider()->scale().low(); }
    QVariant minimumStepSize() const override { return slider()->scale().step(); }

  private:
    ValueSlider* slider() const { return static_cast<ValueSlider*>(object()); }
};

QAccessibleInterface* makeSliderInterface(const QString&, QObject* object) {
    auto* slider = qobject_cast<ValueSlider*>(object);
    return slider ? new SliderAccessible(slider) : nullptr;
}

void installAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeSliderInterface);
        return true;
    }();
    (void)installed;
}

}  // namespace

ValueSlider::ValueSlider(const ParamSpec& spec, QWidget* parent)
    : QWidget(parent), m_scale(spec), m_unit(QString::fromStdString(spec.unit)) {
    installAccessibility();
    m_value = m_scale.defaultValue();
    setFocusPolicy(Qt::StrongFocus);  // not by the wheel
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_burstEnd.setSingleShot(true);
    m_burstEnd.setInterval(kBurstMs);
    connect(&m_burstEnd, &QTimer::timeout, this, &ValueSlider::end);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

ValueSlider::~ValueSlider() = default;

QSize ValueSlider::sizeHint() const {
    return {160, kSliderHeight};
}

QSize ValueSlider::minimumSizeHint() const {
    return {64, kSliderHeight};
}

void ValueSlider::setValue(double value) {
    if (value == m_value) return;
    m_value = value;
    update();
    QAccessibleValueChangeEvent changed(this, value);
    QAccessible::updateAccessibility(&changed);
}

void ValueSlider::setRange(double low, double high) {
    m_scale.setRange(low, high);
    update();
}

void ValueSlider::setZeroIsMost(bool on) {
    m_scale.setZeroIsMost(on);
    update();
}

QString ValueSlider::valueText() const {
    if (m_value == 0 && !m_automatic.isEmpty()) return m_automatic;
    const QString figure = QString::fromStdString(toText(m_scale.param(m_value)));
    return m_unit.isEmpty() ? figure : figure + QLatin1Char(' ') + m_unit;
}

double ValueSlider::xOf(double value) const {
    return kHandleRadius + 2 + (width() - 2 * (kHandleRadius + 2)) * m_scale.position(value);
}

void ValueSlider::begin(Gesture gesture) {
    if (m_gesture == gesture) return;
    end();
    m_gesture = gesture;
    emit gestureStarted();
}

void ValueSlider::end() {
    m_burstEnd.stop();
    if (m_gesture == Gesture::None) return;
    m_gesture = Gesture::None;
    update();
    emit gestureEnded();
}

void ValueSlider::move(double value) {
    if (value == m_value) return;
    setValue(value);
    emit moved(value);
}

void ValueSlider::moveToX(double x) {
    const double span = width() - 2 * (kHandleRadius + 2);
    if (span > 0) move(m_scale.valueAt((x - kHandleRadius - 2) / span));
}

void ValueSlider::changeBy(double steps) {
    begin(Gesture::Burst);
    m_burstEnd.start();
    move(m_scale.stepped(m_value, steps));
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    begin(Gesture::Drag);
    m_valueBeforeDrag = m_value;
    const double x = event->position().x();
    m_grabOffset = x - xOf(m_value);
    if (std::abs(m_grabOffset) > kHandleRadius) {
        m_grabOffset = 0;
        moveToX(x);
    }
    update();
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (m_gesture == Gesture::Drag) moveToX(event->position().x() - m_grabOffset);
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_gesture == Gesture::Drag) end();
}

void ValueSlider::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    begin(Gesture::Drag);
    move(m_scale.defaultValue());
    end();
}

void ValueSlider::contextMenuEvent(QContextMenuEvent* event) {
    end();
    emit editRequested({});
    event->accept();
}

bool ValueSlider::takesWheel() const {
    if (m_gesture == Gesture::Burst) return true;
    if (hasFocus()) return !m_hovered || m_sinceEntered.elapsed() >= kFocusedHoverMs;
    return m_hovered && m_sinceEntered.elapsed() >= kHoverMs;
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (m_gesture == Gesture::Drag) {
        event->accept();
        return;
    }
    if (!takesWheel() || event->phase() == Qt::ScrollMomentum) {
        m_sinceEntered.start();  // still scrolling: the rest begins anew
        event->ignore();
        return;
    }
    const QPoint delta = event->angleDelta();
    m_wheelRest += delta.y() != 0 ? delta.y() : delta.x();  // some systems turn it with a modifier
    const int notches = m_wheelRest / QWheelEvent::DefaultDeltasPerStep;
    m_wheelRest -= notches * QWheelEvent::DefaultDeltasPerStep;
    if (notches != 0) changeBy(notches * modifierFactor(event->modifiers()));
    event->accept();
}

// A sign only where values have one: else it is a key of the window.
bool ValueSlider::beginsNumber(const QKeyEvent& event) const {
    const auto others = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    if (others != 0 || event.text().size() != 1 || m_gesture == Gesture::Drag) return false;
    const QChar c = event.text().front();
    if (c == QLatin1Char('-')) return m_scale.low() < 0;
    return (c >= QLatin1Char('0') && c <= QLatin1Char('9')) || c == QLatin1Char('.') ||
           c == QLatin1Char(',');
}

bool ValueSlider::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        beginsNumber(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    const double factor = modifierFactor(event->modifiers());
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Down:
            changeBy(-factor);
            return;
        case Qt::Key_Right:
        case Qt::Key_Up:
            changeBy(factor);
            return;
        case Qt::Key_PageUp:
            changeBy(10);
            return;
        case Qt::Key_PageDown:
            changeBy(-10);
            return;
        case Qt::Key_Home:
        case Qt::Key_End:
            begin(Gesture::Burst);
            m_burstEnd.start();
            move(m_scale.valueAt(event->key() == Qt::Key_Home ? 0 : 1));
            return;
        case Qt::Key_Escape:
            if (m_gesture == Gesture::Drag) {
                move(m_valueBeforeDrag);
                end();
                return;
            }
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            end();
            emit editRequested({});
            return;
        default:
            break;
    }
    if (beginsNumber(*event)) {
        end();
        emit editRequested(event->text());
        return;
    }
    QWidget::keyPressEvent(event);
}

void ValueSlider::enterEvent(QEnterEvent*) {
    m_hovered = true;
    m_sinceEntered.start();
    update();
}

void ValueSlider::leaveEvent(QEvent*) {
    m_hovered = false;
    m_wheelRest = 0;
    if (m_gesture == Gesture::Burst) end();
    update();
}

void ValueSlider::focusInEvent(QFocusEvent*) {
    update();
}

void ValueSlider::focusOutEvent(QFocusEvent*) {
    end();
    update();
}

void ValueSlider::hideEvent(QHideEvent*) {
    end();
    m_hovered = false;
}

void ValueSlider::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    const double left = xOf(m_scale.low());
    const double right = xOf(m_scale.high());
    const double at = xOf(m_value);
    const auto bar = [&](double from, double to, const QColor& color) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(from, middle - kTrackHeight / 2, to - from, kTrackHeight),
                                kTrackHeight / 2, kTrackHeight / 2);
    };
    QColor filled = colors.text;
    filled.setAlphaF(isEnabled() ? 0.62f : 0.25f);
    bar(left - 2, right + 2, colors.border);
    bar(left - 2, at, filled);

    // The default, as a tick under the track.
    const double tick = std::round(xOf(m_scale.defaultValue())) + 0.5;
    if (m_scale.onSlider(m_scale.defaultValue())) {
        painter.setPen(QPen(colors.weakText, 1));
        painter.drawLine(QPointF(tick, middle + 5), QPointF(tick, middle + 9));
    }

    const bool active = m_gesture == Gesture::Drag || m_hovered;
    const bool outside = !m_scale.onSlider(m_value);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(at, middle), kHandleRadius + 1, kHandleRadius + 1);
    }
    // A value typed beyond the range of the slider leaves the handle hollow at its end.
    QColor handle = isEnabled() ? colors.text : colors.weakText;
    if (!active && isEnabled()) handle.setAlphaF(0.9f);
    painter.setPen(QPen(outside ? handle : colors.window, 1.5));
    painter.setBrush(outside ? colors.window : handle);
    const double radius = m_gesture == Gesture::Drag ? kHandleRadius : kHandleRadius - 0.5;
    painter.drawEllipse(QPointF(at, middle), radius, radius);
}

}  // namespace warpscope::gui
