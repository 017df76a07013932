#include "gui/benchmark/run_strip.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/operations/registry.h"
#include "gui/benchmark/plan_summary.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

// "gaussian_blur, direct_2d 512 x 512, cpu, cold" as the window names such a row.
QString rowInWords(const std::string& what) {
    static const QRegularExpression form(
        QStringLiteral("^(\\w+)(?:, (\\w+))? (\\d+) x (\\d+), ([^,]+)(, cold)?$"));
    const auto found = form.match(QString::fromStdString(what));
    const Operation* operation = findOperation(found.captured(1).toStdString());
    if (!operation) return QString::fromStdString(what);
    const OperationDescription& description = operation->description();
    QStringList parts{engineText(description.label)};
    const std::string variant = found.captured(2).toStdString();
    if (const VariantSpec* spec = description.findVariant(variant))
        parts << engineText(spec->label);
    parts << sizeText({found.captured(3).toInt(), found.captured(4).toInt()});
    const QString place = found.captured(5);
    parts << (place == QLatin1String("cpu")          ? engineText("all cores")
              : place == QLatin1String("cpu-single") ? engineText("one thread")
              : place == QLatin1String("cuda")       ? RunStrip::tr("GPU")
                                                     : place);
    if (!found.captured(6).isEmpty()) parts << engineText("cold");
    return parts.join(QStringLiteral(", "));
}

}  // namespace

RunStrip::RunStrip(QWidget* parent) : QWidget(parent) {
    const auto button = [this](const char* name, const QString& text, const char* icon,
                               const QString& toolTip) {
        auto* b = new QPushButton(Theme::instance().icon(QLatin1String(icon)), text, this);
        b->setObjectName(QLatin1String(name));
        b->setToolTip(toolTip);
        b->setAutoDefault(false);
        return b;
    };
    m_start = button("startBenchmark", tr("S&tart"), "play", {});
    m_pause = button("pauseBenchmark", tr("&Pause"), "pause",
                     tr("After the sample at hand; the time of a pause is in no figure"));
    m_cancel = button("cancelBenchmark", tr("&Cancel"), "stop",
                      tr("Ends the run and keeps what is complete (Ctrl+.)"));
    m_bar = new QProgressBar(this);
    m_bar->setObjectName(QStringLiteral("benchmarkProgress"));
    m_bar->setAccessibleName(tr("Progress of the benchmark"));
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_text = new WrapLabel(this);
    m_text->setObjectName(QStringLiteral("benchmarkState"));
    m_text->setReservesLine(true);
    reserveLines();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    for (QPushButton* b : {m_start, m_pause, m_cancel}) row->addWidget(b, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addWidget(m_bar);
    column->addWidget(m_text, 1);
    row->addLayout(column, 1);
    m_tools = new QVBoxLayout;
    m_tools->setSpacing(2);
    row->addLayout(m_tools);
    connect(m_start, &QPushButton::clicked, this, &RunStrip::startRequested);
    connect(m_pause, &QPushButton::clicked, this, [this] { emit pauseRequested(!m_paused); });
    connect(m_cancel, &QPushButton::clicked, this, &RunStrip::cancelRequested);
    showIdle({});
}

void RunStrip::addTool(QWidget* tool) {
    m_tools->addWidget(tool);
}

// What runs is said in one line to three, as narrow as the window gets; the buttons beside it stay
// where they are.
void RunStrip::reserveLines() {
    m_text->setMinimumHeight(3 * QFontMetrics(m_text->font()).lineSpacing() + 1);
}

void RunStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_text) reserveLines();
}

void RunStrip::setState(bool running, bool paused) {
    m_paused = paused;
    // Focus stays on what stops and starts.
    const bool focusMoves =
        running ? m_start->hasFocus() : m_pause->hasFocus() || m_cancel->hasFocus();
    m_pause->setEnabled(running);
    m_cancel->setEnabled(running);
    m_start->setEnabled(!running && m_startable);
    if (focusMoves) (running ? m_cancel : m_start)->setFocus();
    m_pause->setText(paused ? tr("&Resume") : tr("&Pause"));
    m_pause->setIcon(
        Theme::instance().icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
}

void RunStrip::setStartable(bool startable, const QString& why) {
    m_startable = startable;
    m_start->setToolTip(startable ? tr("Begins to measure (Ctrl+Return)") : why);
    m_start->setEnabled(startable && !m_cancel->isEnabled());
}

void RunStrip::showIdle(const QString& text) {
    setState(false, false);
    m_bar->setRange(0, 1);
    m_bar->setValue(0);
    m_text->setText(text, Tone::Weak);
}

void RunStrip::showStarting() {
    setState(true, false);
    m_bar->setRange(0, 0);
    m_text->setText(tr("Preparing: backends, and how fast this machine copies its memory"));
}

void RunStrip::showComparing(const QString& what) {
    setState(true, false);
    m_pause->setEnabled(false);
    m_bar->setRange(0, 0);
    m_text->setText(tr("Computing both results again: %1").arg(what));
}

void RunStrip::showProgress(const BenchmarkProgress& progress, bool pauseWanted) {
    setState(true, pauseWanted);
    // How many rounds noisy ones will need is not known.
    m_bar->setRange(0, progress.onlyNoisy ? 0 : int(std::max<std::size_t>(progress.total, 1)));
    m_bar->setValue(int(progress.done));
    QString text = progressText(progress);
    if (progress.paused)
        text = tr("Paused. %1").arg(text);
    else if (pauseWanted)
        text = tr("Pausing after this sample. %1").arg(text);
    m_text->setText(text);
}

void RunStrip::showCancelling() {
    m_pause->setEnabled(false);
    m_text->setText(tr("Cancelling…"));
}

QString progressText(const BenchmarkProgress& progress) {
    // Rows come in rounds: what is counted are their bursts.
    const QString place = RunStrip::tr("%1 results, round %2, %3 of %4")
                              .arg(progress.rows)
                              .arg(progress.round)
                              .arg(std::min(progress.done + 1, progress.total))
                              .arg(progress.total);
    const QString what = rowInWords(progress.what);
    if (progress.onlyNoisy)
        return RunStrip::tr("%1 results, round %2 for the noisy ones, until they are steady: %3")
            .arg(progress.rows)
            .arg(progress.round)
            .arg(what);
    if (progress.secondsLeft < 0)
        return RunStrip::tr("%1, remaining time not known yet: %2").arg(place, what);
    return RunStrip::tr("%1, about %2 left: %3").arg(place, spanText(progress.secondsLeft), what);
}

}  // namespace warpscope::gui
