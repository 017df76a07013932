#include "gui/steps/step_bars.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <functional>

#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// The highest bar that is no peak of a few values: a black border must not flatten the rest.
std::uint64_t topOf(std::vector<std::uint64_t> bins) {
    std::ranges::sort(bins, std::greater<>());
    constexpr std::size_t kPeaks = 2;
    const std::uint64_t highest = bins.empty() ? 0 : bins.front();
    const std::uint64_t usual = bins.size() > kPeaks ? bins[kPeaks] : highest;
    return usual == 0 ? highest : std::min(highest, 2 * usual);
}

}  // namespace

StepBars::StepBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_TransparentForMouseEvents);  // the card is what is pressed
    describe();
}

void StepBars::setCounts(const std::optional<HistogramSet>& counts, bool current) {
    m_counts = counts;
    m_current = current;
    describe();
    update();
}

void StepBars::describe() {
    setAccessibleName(tr("Histogram of what the step gives"));
}

void StepBars::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) describe();
    QWidget::changeEvent(event);
}

void StepBars::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setPen(QPen(colors.border, 1));
    painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
    if (!m_counts) return;
    const bool color = m_counts->find(HistogramChannel::Red) != nullptr;
    painter.setPen(Qt::NoPen);
    painter.setCompositionMode(colors.window.lightness() < 128
                                   ? QPainter::CompositionMode_Plus
                                   : QPainter::CompositionMode_Multiply);
    for (const Histogram& histogram : m_counts->channels) {
        const bool shown = !color || histogram.channel != HistogramChannel::Luma;
        const std::uint64_t top = topOf(histogram.bins);
        if (!shown || top == 0) continue;
        QColor fill = Theme::instance().channelColor(histogram.channel);
        fill.setAlphaF(m_current ? 0.65f : 0.25f);
        painter.setBrush(fill);
        const double step = double(width()) / double(histogram.bins.size());
        for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
            if (histogram.bins[i] == 0) continue;
            const double part = std::min(1.0, double(histogram.bins[i]) / double(top));
            const double bar = std::max(1.0, part * (height() - 2));
            painter.drawRect(QRectF(double(i) * step, height() - 1 - bar, step, bar));
        }
    }
}

}  // namespace warpscope::gui
