#include "gui/canvas/color_bar.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/operations/tone/false_colour.h"
#include "engine/pipeline/chain_shape.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr double kBarGap = 8;    // logical pixels, as all here
constexpr double kBarRise = 32;  // above the captions in the corners
constexpr double kBarWidth = 14;
constexpr double kBarHeight = 160;
constexpr double kBarSide = 6;

struct ColorBarLayout {
    QRectF box;
    QRectF bar;
    QRectF name;
    QStringList labels;
};

ColorBarLayout colorBarLayout(QSizeF widget, const ColorScale& scale) {
    const QFontMetricsF figures(Theme::instance().figureFont());
    ColorBarLayout layout;
    double widest = 0;
    layout.labels = labelsOf(scale);
    for (const QString& label : layout.labels)
        widest = std::max(widest, figures.horizontalAdvance(label));
    const double tall = std::min(kBarHeight, widget.height() / 2.5);
    const double line = scale.name.isEmpty() ? 0 : figures.height() + 2;
    const double wide = std::max(kBarWidth + widest + 3 * kBarSide,
                                 figures.horizontalAdvance(scale.name) + 2 * kBarSide);
    layout.box = QRectF(0, 0, wide, tall + figures.height() + 4 + line);
    layout.box.moveBottomRight(
        QPointF(widget.width() - kBarGap, widget.height() - kBarGap - kBarRise));
    layout.name = QRectF(layout.box.left(), layout.box.top() + 2, wide - kBarSide, line);
    layout.bar = QRectF(layout.box.right() - kBarWidth - kBarSide,
                        layout.box.top() + line + figures.height() / 2 + 2, kBarWidth, tall);
    return layout;
}

QString mapLabel(const Step& step) {
    const ParamSpec* spec = findOperation(step.operation)->description().findParameter("map");
    for (const ChoiceSpec& choice : spec->choices)
        if (choice.id == step.parameters.choice("map")) return engineText(choice.label);
    return {};
}

}  // namespace

std::optional<ColorScale> colorScaleOf(const Pipeline& pipeline, PixelFormat source, Size size) {
    // Each picture of a dragged slider asks, and plans may be long tables.
    const std::string& coloured = false_colour_operation().description().id;
    if (std::ranges::none_of(pipeline.steps, [&](const Step& step) {
            return step.enabled && step.operation == coloured;
        }))
        return std::nullopt;
    const ComputablePart part = computablePart(pipeline, source, warpscope::Placement::all(size));
    const FalseColourPlan* last = nullptr;
    std::size_t index = 0;
    for (const ShapedStep& step : part.shape.steps) {
        const auto* plan = dynamic_cast<const FalseColourPlan*>(step.plan.get());
        if (plan)
            last = plan, index = step.index;
        else if (step.plan && step.plan->operation->description().category != "Geometry")
            last = nullptr;
    }
    if (!last || last->index.labels) return std::nullopt;
    ColorScale scale;
    for (std::size_t i = 0; i < scale.colors.size(); ++i)
        scale.colors[i] = {std::uint8_t(last->colors[i]), std::uint8_t(last->colors[i] >> 8),
                           std::uint8_t(last->colors[i] >> 16)};
    for (std::size_t i = 0; i < scale.values.size(); ++i)
        scale.values[i] = last->index.low + double(i) / 4 * (last->index.high - last->index.low);
    scale.name = mapLabel(part.pipeline.steps[index]);
    scale.whole = !isFloat(last->input);
    return scale;
}

QStringList labelsOf(const ColorScale& scale) {
    // Of fewer values than figures two would be the same.
    const double wide = std::abs(scale.values.back() - scale.values.front());
    const bool whole = scale.whole && wide >= double(scale.values.size());
    QStringList labels;
    for (const double value : scale.values)
        labels << (whole ? QString::number(std::round(value), 'f', 0)
                         : QString::number(value, 'g', 5));
    return labels;
}

QRectF colorBarPlace(QSizeF widget, const ColorScale& scale) {
    return colorBarLayout(widget, scale).bar;
}

void drawColorBar(QPainter& painter, QSizeF widget, const ColorScale& scale) {
    const ThemeColors& colors = Theme::instance().colors();
    const auto [box, bar, name, labels] = colorBarLayout(widget, scale);
    painter.save();
    painter.setFont(Theme::instance().figureFont());
    const double line = QFontMetricsF(painter.font()).height();
    QColor ground = colors.window;
    ground.setAlpha(215);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 3, 3);
    QImage strip(1, int(scale.colors.size()), QImage::Format_RGB32);
    for (int i = 0; i < strip.height(); ++i) {
        const ScreenColor c = scale.colors[std::size_t(strip.height() - 1 - i)];
        strip.setPixel(0, i, qRgb(c.r, c.g, c.b));
    }
    painter.drawImage(bar, strip);
    painter.setPen(colors.text);
    painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter, scale.name);
    for (int i = 0; i < labels.size(); ++i) {
        const double y = bar.bottom() - bar.height() * i / (labels.size() - 1.0);
        painter.drawLine(QPointF(bar.left() - 3, y), QPointF(bar.left(), y));
        painter.drawText(QRectF(box.left(), y - line / 2, bar.left() - box.left() - kBarSide, line),
                         Qt::AlignRight | Qt::AlignVCenter, labels[i]);
    }
    painter.restore();
}

}  // namespace warpscope::gui
