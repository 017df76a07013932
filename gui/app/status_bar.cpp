#include "gui/app/status_bar.h"

#include <QAccessible>
#include <QLabel>
#include <QLayoutItem>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/document/memory_budget.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kLatencyRestMs = 200;
constexpr int kRevealMs = 300;
constexpr int kProgressWidth = 160;
constexpr int kSteps = 1000;
constexpr int kNarrow = 900;
constexpr int kLeastWidth = 240;
// Of the line, for the image's name and size.
constexpr int kLeastImage = 160;
constexpr int kLeastDevice = 120;
constexpr int kPartGap = 6;

QString pixelKind(const Image& image) {
    const PixelFormat format = image.format();
    const QString channels = !isColor(format)        ? StatusBar::tr("gray")
                             : image.info().hasAlpha ? StatusBar::tr("RGB with alpha")
                                                     : StatusBar::tr("RGB");
    if (isFloat(format)) return StatusBar::tr("%1, 32-bit float").arg(channels);
    return StatusBar::tr("%1, %2 bits").arg(channels).arg(8 * bytesPerSample(format));
}

}  // namespace

QString describeImage(const Image& image) {
    if (image.isNull()) return StatusBar::tr("No image");
    const QLocale locale;
    return QStringLiteral("%1 × %2  ·  %3")
        .arg(locale.toString(image.width()), locale.toString(image.height()), pixelKind(image));
}

QString describeZoom(double zoom) {
    const double percent = zoom * 100;
    const int decimals = percent >= 100 || std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1;
    return QLocale().toString(percent, 'f', decimals) + QStringLiteral("%");
}

StatusBar::StatusBar(QWidget* parent) : QStatusBar(parent) {
    setSizeGripEnabled(false);
    setContentsMargins(8, 0, 8, 0);
    const QFont figures = Theme::instance().figureFont();
    const auto prepare = [&](QLabel* l, const QString& name) {
        l->setFont(figures);
        l->setAccessibleName(name);
        l->setContentsMargins(8, 4, 8, 4);
        return l;
    };
    const auto label = [&](const QString& name) { return prepare(new QLabel(this), name); };
    m_image = prepare(new ElidedLabel(this), tr("Image"));
    m_image->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_shownText = tr("No image");
    m_image->setText(m_shownText);
    m_what = label(tr("Work"));
    m_progress = new QProgressBar(this);
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel = new QToolButton(this);
    m_cancel->setIcon(Theme::instance().icon(QStringLiteral("close")));
    m_cancel->setAutoRaise(true);
    m_cancel->setToolTip(tr("Cancel"));
    m_cancel->setAccessibleName(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("statusCancel"));
    m_zoom = label(tr("Zoom"));
    m_device = new QToolButton(this);
    m_device->setObjectName(QStringLiteral("statusDevice"));
    m_device->setAutoRaise(true);
    m_device->setFocusPolicy(Qt::TabFocus);
    m_device->setPopupMode(QToolButton::InstantPopup);
    m_device->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_device->setAccessibleName(tr("Device"));
    m_deviceText = tr("Looking for devices…");
    m_device->setText(m_deviceText);
    m_latency = label(tr("Latency"));
    m_latency->setObjectName(QStringLiteral("statusLatency"));
    m_latency->setToolTip(
        tr("Input to paint: from the last edit to the moment when the picture that shows it was "
           "painted. Neither the time of a step (on its card) nor that of the chain (above the "
           "steps)."));
    addWidget(m_image, 1);
    addPermanentWidget(m_what);
    addPermanentWidget(m_progress);
    addPermanentWidget(m_cancel);
    addPermanentWidget(m_zoom);
    addPermanentWidget(m_latency);
    addPermanentWidget(m_device);
    m_delay = new QTimer(this);
    m_delay->setSingleShot(true);
    m_delay->setInterval(kRevealMs);
    connect(m_delay, &QTimer::timeout, this, &StatusBar::reveal);
    m_latencyRest = new QTimer(this);
    m_latencyRest->setSingleShot(true);
    m_latencyRest->setInterval(kLatencyRestMs);
    connect(m_latencyRest, &QTimer::timeout, this, &StatusBar::showNewLatency);
    connect(m_cancel, &QToolButton::clicked, this, &StatusBar::cancelRequested);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("statusNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->hide();
    for (QLabel* watched : {m_note, m_what}) watched->installEventFilter(this);
    endWork();
}

QRect StatusBar::noteRoom() const {
    return showsProgress() ? rect().adjusted(0, 0, m_what->x() - width(), 0) : rect();
}

bool StatusBar::showNote(const QString& text) {
    m_note->hide();
    m_note->setText(text);
    if (text.isEmpty() || !isVisible()) return false;
    const ThemeColors& colors = Theme::instance().colors();
    m_note->setStyleSheet(
        QStringLiteral("background: %1; color: %2; border: 0; border-left: 4px "
                       "solid %3; padding-left: 8px; padding-right: 8px;")
            .arg(colors.raised.name(), colors.text.name(), colors.weakText.name()));
    const QSize needed = m_note->sizeHint();
    if (needed.width() > noteRoom().width() || needed.height() > height()) return false;
    m_note->setGeometry(noteRoom());
    m_note->show();
    m_note->raise();
    QAccessibleEvent alert(m_note, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    return true;
}

QSize StatusBar::minimumSizeHint() const {
    return {kLeastWidth, QStatusBar::minimumSizeHint().height()};
}

// The text is set once: each other one would ask for the layout again, and so for this.
void StatusBar::fitDevice(int most) {
    const QFontMetrics metrics(m_device->font());
    if (m_device->text() == m_deviceText)
        m_deviceFrame = m_device->sizeHint().width() - metrics.horizontalAdvance(m_deviceText);
    const int room = most - m_deviceFrame;
    m_device->setText(metrics.horizontalAdvance(m_deviceText) <= room
                          ? m_deviceText
                          : metrics.elidedText(m_deviceText, Qt::ElideRight, room));
}

// The device's name is cut before the image's place, its name and size would go; figures go before
// work does that can be cancelled, and before what others have put here is shortened.
void StatusBar::fit() {
    m_progress->setFixedWidth(width() < kNarrow ? kProgressWidth / 2 : kProgressWidth);
    const std::array<const QWidget*, 5> own{m_image, m_zoom, m_latency, m_device, m_note};
    int wanted = 0, least = 0;  // by all others
    for (QWidget* part : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const QWidgetItem item(part);
        if (std::ranges::find(own, part) != own.end() || item.isEmpty()) continue;
        wanted += item.sizeHint().width() + kPartGap;
        least += item.minimumSize().width() + kPartGap;
    }
    const int room = contentsRect().width() - kPartGap;
    const int mostDevice = std::max(width() / 3, kLeastDevice);
    fitDevice(std::clamp(room - kLeastImage - least - kPartGap, kLeastDevice, mostDevice));
    int figures = m_device->sizeHint().width() + kPartGap;
    for (QLabel* part : {m_zoom, m_latency}) {
        const int needed = part->sizeHint().width() + kPartGap;
        const bool fits = figures + needed <= room - kLeastImage - wanted;
        part->setVisible(fits);
        if (fits) figures += needed;
    }
    m_image->setMinimumWidth(std::clamp(room - least - figures, 0, kLeastImage));
}

// Also when something was put here, or changes its size.
bool StatusBar::event(QEvent* event) {
    const bool handled = QStatusBar::event(event);
    if (event->type() == QEvent::LayoutRequest) fit();
    return handled;
}

void StatusBar::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    fit();
    m_note->setGeometry(noteRoom());
}

bool StatusBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_note && event->type() == QEvent::MouseButtonPress) emit noteClicked();
    const bool placed = event->type() == QEvent::Move || event->type() == QEvent::Show;
    if (watched == m_what && placed) m_note->setGeometry(noteRoom());
    return QStatusBar::eventFilter(watched, event);
}

void StatusBar::showImage(const Image& image, const QString& title) {
    m_shownText =
        image.isNull() ? tr("No image") : title + QStringLiteral("  ·  ") + describeImage(image);
    m_shownSize = image.size();
    m_resultSize = {};
    m_shownFrom = enginePartsText(image.isNull() ? "" : image.info().sourceFormat);
    m_shownBytes = image.isNull() ? 0 : std::uint64_t(image.byteCount());
    updateImage();
}

void StatusBar::showPlace(int index, int count) {
    m_place = index;
    m_placeCount = count;
    updateImage();
}

void StatusBar::showPage(int page, int count) {
    m_page = page;
    m_pageCount = count;
    updateImage();
}

void StatusBar::showResultSize(Size size) {
    if (size == m_resultSize) return;
    m_resultSize = size;
    updateImage();
}

void StatusBar::showMemory(std::uint64_t budgetBytes) {
    m_memoryBudget = budgetBytes;
    updateImage();
}

void StatusBar::updateImage() {
    const QLocale locale;
    QString text = m_shownText;
    if (m_placeCount > 1 && m_place >= 0)
        text = tr("%1 of %2").arg(locale.toString(m_place + 1), locale.toString(m_placeCount)) +
               QStringLiteral("  ·  ") + text;
    if (!m_resultSize.empty() && m_resultSize != m_shownSize)
        text += tr("  ·  result %1 × %2")
                    .arg(locale.toString(m_resultSize.width), locale.toString(m_resultSize.height));
    if (m_pageCount > 1)
        text +=
            tr("  ·  page %1 of %2").arg(locale.toString(m_page + 1), locale.toString(m_pageCount));
    m_image->setText(text);
    QStringList tip{text};
    if (!m_shownFrom.isEmpty()) tip << m_shownFrom;
    if (m_memoryBudget > 0) {
        const QString budget = memoryText(m_memoryBudget);
        tip << (m_shownBytes > 0
                    ? tr("In memory: %1, of a budget of %2").arg(memoryText(m_shownBytes), budget)
                    : tr("Memory budget: %1").arg(budget));
        tip << howToRaiseMemory();
    }
    m_image->setToolTip(tip.join(QLatin1Char('\n')));
}

void StatusBar::showZoom(double zoom) {
    const QSize before = m_zoom->sizeHint();
    m_zoom->setText(zoom > 0 ? describeZoom(zoom) : QString());
    if (m_zoom->sizeHint() != before) fit();
}

void StatusBar::showDevice(const BackendSet& backends, BackendChoice choice) {
    const BackendSet::Pick pick = backends.pick(choice);
    const BackendInfo& info = pick.backend->info();
    const QString label = engineText(info.label);
    const bool chosen = choice != BackendChoice::Auto;
    m_deviceText = !chosen                       ? label
                   : pick.fallbackReason.empty() ? tr("chosen: %1").arg(label)
                                                 : tr("chosen: GPU, not there; %1").arg(label);
    m_device->setText(m_deviceText);
    QFont font = this->font();
    font.setBold(chosen);
    m_device->setFont(font);
    m_device->setIcon(Theme::instance().icon(
        info.kind == BackendKind::Cuda ? QStringLiteral("gpu") : QStringLiteral("cpu")));
    QStringList tip;
    tip << (chosen ? tr("Computes on %1 because that was chosen. It stays so, also when the "
                        "program starts again, until Automatic is chosen here.")
                   : tr("Computes on %1, chosen automatically. Click for another."))
               .arg(label);
    if (!info.device.empty()) tip << QString::fromStdString(info.device);
    if (!info.detail.empty()) tip << QString::fromStdString(info.detail);
    if (!backends.cuda) tip << tr("No GPU: %1").arg(engineText(backends.cudaUnavailable));
    m_device->setToolTip(tip.join(QLatin1Char('\n')));
    m_device->setAccessibleName(tr("Device: %1").arg(m_deviceText));
    fit();
}

void StatusBar::showLatency(double ms) {
    m_latencyMs = ms;
    if (!m_latencyRest->isActive()) showNewLatency();
}

void StatusBar::showNewLatency() {
    if (!m_latencyMs) return;
    const double ms = *std::exchange(m_latencyMs, std::nullopt);
    const QSize before = m_latency->sizeHint();
    m_latency->setText(
        tr("input to paint %1 ms").arg(QLocale().toString(ms, 'f', ms < 10 ? 1 : 0)));
    if (m_latency->sizeHint() != before) fit();
    m_latencyRest->start();
}

void StatusBar::setDeviceMenu(QMenu* menu) {
    m_device->setMenu(menu);
}

void StatusBar::beginWork(const QString& what) {
    m_what->setText(what);
    m_progress->setRange(0, 0);
    if (m_working) return;
    m_working = true;
    m_delay->start();
}

void StatusBar::setProgress(double fraction, const QString& what) {
    if (!m_working) return;
    m_what->setText(what);
    m_progress->setRange(0, fraction < 0 ? 0 : kSteps);
    if (fraction >= 0) m_progress->setValue(int(std::lround(fraction * kSteps)));
}

void StatusBar::endWork() {
    m_working = false;
    m_delay->stop();
    m_what->hide();
    m_progress->hide();
    m_cancel->hide();
    fit();
    m_note->setGeometry(noteRoom());
}

bool StatusBar::showsProgress() const {
    return !m_progress->isHidden();
}

void StatusBar::reveal() {
    m_what->show();
    m_progress->show();
    m_cancel->show();
    fit();
}

}  // namespace warpscope::gui
