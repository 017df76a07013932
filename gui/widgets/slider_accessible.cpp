#include "gui/widgets/slider_accessible.h"

#include <QAccessibleWidget>

#include "gui/widgets/value_slider.h"

namespace warpscope::gui {

namespace {

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
    QVariant currentValue() const override { return slider()->value(); }
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

}  // namespace

void installSliderAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeSliderInterface);
        return true;
    }();
    (void)installed;
}

}  // namespace warpscope::gui
