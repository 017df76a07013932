#include "gui/scopes/scopes_panel.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/base/task_runner.h"
#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui/display/region_words.h"
#include "gui/document/label_result.h"
#include "gui/histogram/range_counter.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/picture.h"
#include "gui/widgets/segmented_control.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

// Counting never takes more than a fifth of the time from a slider.
constexpr qint64 kMinUpdateMs = 30;
constexpr qint64 kShare = 5;
constexpr QSize kPictureSize(960, 540);
// Of the slider, in tenths of a stop.
constexpr int kDarkest = -40;
constexpr int kBrightest = 80;

// Of integers the levels that there are; of others what holds the picture, so that a single far
// value does not flatten it.
AxisWindow rangeOf(const Image& image) {
    if (bytesPerSample(image.format()) < 4) return {0, std::max(1.0, image.info().whiteLevel)};
    const DisplayRange natural = naturalRange(image);
    AxisWindow range{natural.low, natural.high};
    if (isFloat(image.format()) && beyondNatural(image)) range = crowdOf(image, range);
    if (!(range.low < range.high)) range.high = range.low + 1;
    return range;
}

}  // namespace

struct ScopesPanel::State {
    State(ScopesPanel& ownPanel, Document& ownDocument, EngineBridge& ownBridge)
        : panel(ownPanel), document(ownDocument), bridge(ownBridge) {}

    ScopesPanel& panel;
    Document& document;
    EngineBridge& bridge;
    SegmentedControl* kind = nullptr;
    SegmentedControl* side = nullptr;
    ColorToggle* logarithmic = nullptr;
    QSlider* brightness = nullptr;
    QToolButton* menuButton = nullptr;
    QStackedLayout* pages = nullptr;
    QLabel* empty = nullptr;
    QLabel* caption = nullptr;
    ScopeView* view = nullptr;

    bool inSight = true;
    bool dirty = true;     // something happened while nobody looked
    bool working = false;  // on the thread
    bool again = false;    // what it works on is out of date
    int number = 0;        // of what is wanted; older counts are dropped
    int counted = 0;
    qint64 lastMs = 0;
    QTimer later;
    QElapsedTimer sinceStart;
    std::stop_source stop;
    std::unique_ptr<TaskRunner> tasks;  // made when it is needed

    void build();
    void applyTheme();
    void applyLook();
    bool seen() const { return inSight && panel.isVisible(); }
    void updateSoon();
    void forget();
    void start();
    void take(const ScopePtr& scope, bool labels);
    void showEmpty(const QString& why);
    QString captionText() const;
    Picture picture() const;
};

void ScopesPanel::State::build() {
    kind = new SegmentedControl(
        {tr("Waveform"), tr("Parade"), tr("Vector")},
        {tr("Luminance (0.299 R + 0.587 G + 0.114 B) by columns of the image"),
         tr("Red, green and blue by columns of the image"),
         tr("Cr over Cb (BT.601): which colours there are, with those of a test at 75%, and the "
            "line of skin")},
        &panel);
    kind->setObjectName(QStringLiteral("scopeKind"));
    kind->setAccessibleName(tr("Kind of scope"));
    kind->setCurrent(0);
    connect(kind, &SegmentedControl::chosen, &panel, [this] { forget(); });
    side =
        new SegmentedControl({tr("Source"), tr("Result")},
                             {tr("The image as it was opened"), tr("What the steps give")}, &panel);
    side->setObjectName(QStringLiteral("scopeSide"));
    side->setAccessibleName(tr("Image of the scope"));
    side->setCurrent(1);
    connect(side, &SegmentedControl::chosen, &panel, [this] { forget(); });
    logarithmic = new ColorToggle(tr("Log", "logarithmic"), tr("Logarithmic counts"),
                                  tr("Logarithmic counts: rare values become visible"), &panel);
    logarithmic->setObjectName(QStringLiteral("scopeLog"));
    logarithmic->setChecked(true);
    connect(logarithmic, &QToolButton::toggled, &panel, [this] { applyLook(); });
    brightness = new QSlider(Qt::Horizontal, &panel);
    brightness->setObjectName(QStringLiteral("scopeBrightness"));
    brightness->setRange(kDarkest, kBrightest);
    brightness->setPageStep(10);
    brightness->setMinimumWidth(48);
    brightness->setAccessibleName(tr("Brightness of the scope"));
    brightness->setToolTip(tr("Brightness of the scope"));
    connect(brightness, &QSlider::valueChanged, &panel, [this] { applyLook(); });
    menuButton = new QToolButton(&panel);
    menuButton->setObjectName(QStringLiteral("scopeMenu"));
    menuButton->setAutoRaise(true);
    menuButton->setFocusPolicy(Qt::TabFocus);
    menuButton->setPopupMode(QToolButton::InstantPopup);
    menuButton->setAccessibleName(tr("Scope menu"));
    menuButton->setToolTip(tr("Copy and save"));
    menuButton->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    auto* menu = new QMenu(&panel);
    addPictureActions(*menu, &panel, [this] { return picture(); });
    connect(menu, &QMenu::aboutToShow, &panel, [this, menu] {
        for (QAction* action : menu->actions()) action->setEnabled(view->scope() != nullptr);
    });
    menuButton->setMenu(menu);

    view = new ScopeView(&panel);
    view->setObjectName(QStringLiteral("scopeView"));
    caption = new QLabel(&panel);
    caption->setObjectName(QStringLiteral("scopeCaption"));
    caption->setWordWrap(true);
    caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    caption->setContentsMargins(8, 0, 8, 4);
    empty = new QLabel(&panel);
    empty->setObjectName(QStringLiteral("scopeEmpty"));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setMargin(16);

    auto* first = new QHBoxLayout;
    first->setContentsMargins(8, 4, 8, 0);
    first->addWidget(kind, 1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(8, 0, 4, 0);
    second->addWidget(side);
    second->addWidget(logarithmic);
    second->addWidget(brightness, 1);
    second->addWidget(menuButton);
    auto* content = new QWidget(&panel);
    auto* below = new QVBoxLayout(content);
    below->setContentsMargins(0, 0, 0, 0);
    below->setSpacing(0);
    below->addWidget(view, 1);
    below->addWidget(caption);
    pages = new QStackedLayout;
    pages->addWidget(empty);
    pages->addWidget(content);
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(first);
    column->addLayout(second);
    column->addLayout(pages, 1);

    later.setSingleShot(true);
    connect(&later, &QTimer::timeout, &panel, [this] { start(); });
    connect(&bridge, &EngineBridge::fullReady, &panel, [this] { updateSoon(); });
    connect(&document, &Document::regionChanged, &panel, [this] { updateSoon(); });
    connect(&document, &Document::sourceChanged, &panel, [this] { forget(); });
    connect(&Theme::instance(), &Theme::changed, &panel, [this] { applyTheme(); });
    applyTheme();
    applyLook();
    showEmpty({});
}

void ScopesPanel::State::applyTheme() {
    const Theme& theme = Theme::instance();
    QPalette weak = panel.palette();
    weak.setColor(QPalette::WindowText, theme.colors().weakText);
    empty->setPalette(weak);
    caption->setPalette(weak);
    caption->setFont(theme.figureFont());
    menuButton->setIcon(theme.icon(QStringLiteral("more")));
}

void ScopesPanel::State::applyLook() {
    view->setLook({logarithmic->isChecked(), std::exp2(brightness->value() / 10.0)});
    emit panel.switched();
}

void ScopesPanel::State::showEmpty(const QString& why) {
    view->setScope(nullptr);
    empty->setText(why.isEmpty() ? tr("Open an image, or drop one on the window, to see its scopes")
                                 : why);
    pages->setCurrentIndex(0);
}

// Of another image or kind: what is counted now is of no use.
void ScopesPanel::State::forget() {
    stop.request_stop();
    ++number;
    updateSoon();
    emit panel.switched();
}

void ScopesPanel::State::updateSoon() {
    if (!seen()) {
        dirty = true;
        return;
    }
    if (working) {
        again = true;
        return;
    }
    if (later.isActive()) return;
    const qint64 wait = std::max(kMinUpdateMs, kShare * lastMs);
    const qint64 since = sinceStart.isValid() ? sinceStart.elapsed() : wait;
    later.start(int(std::max<qint64>(0, wait - since)));
}

void ScopesPanel::State::start() {
    if (!seen()) {
        dirty = true;
        return;
    }
    dirty = again = false;
    const bool ofResult = side->current() == 1;
    const Image image = ofResult ? exactImage(bridge.result()) : document.image();
    // The samples of an older result, which are gone: the new one is on its way.
    if (image.isNull() && image.id() != 0) {
        dirty = true;
        return;
    }
    if (image.isNull())
        return showEmpty(document.image().isNull() ? QString() : tr("There is no result yet"));
    ScopeRequest request;
    request.kind = ScopeKind(kind->current());
    if (std::optional<RegionShape> region = document.regionShape()) {
        if (ofResult) region = mapped(inverse(bridge.sourceFromResult()), *region);
        const Rect part = intersect(region->box(), {0, 0, image.width(), image.height()});
        if (part.empty() || !holdsPixels(*region, part))
            return showEmpty(tr("The region lies outside of this image"));
        request.region = region->isRectangle() ? RegionShape(part) : *region;
    }
    const bool labels =
        ofResult && image.format() == PixelFormat::Gray32 && givesLabels(bridge.renderedPipeline());
    if (!tasks) tasks = std::make_unique<TaskRunner>();
    stop = std::stop_source();
    working = true;
    sinceStart.start();
    ++counted;
    tasks->run([this, image, request, labels, mine = ++number,
                token = stop.get_token()]() mutable -> TaskRunner::Finish {
        const AxisWindow range = rangeOf(image);
        request.low = range.low;
        request.high = range.high;
        auto found = countScope(image, request, {Threading::AllCores, token, {}});
        ScopePtr scope;
        if (found) scope = std::make_shared<ScopeCounts>(std::move(*found));
        return [this, scope, labels, mine] {
            working = false;
            lastMs = sinceStart.elapsed();
            if (scope && mine == number) take(scope, labels);
            if (again) updateSoon();
        };
    });
}

void ScopesPanel::State::take(const ScopePtr& scope, bool labels) {
    view->setScope(scope, labels);
    caption->setText(captionText());
    pages->setCurrentIndex(1);
    emit panel.shown();
}

QString ScopesPanel::State::captionText() const {
    const ScopePtr& scope = view->scope();
    if (!scope) return {};
    const QLocale locale;
    const QString of = side->current() == 1 ? tr("Result") : tr("Source");
    QString text = tr("%1, %2 × %3 pixels").arg(of).arg(scope->size.width).arg(scope->size.height);
    if (const auto& region = scope->request.region; region && !region->isRectangle())
        text = tr("%1 %2").arg(of, regionInWords(*region, scope->pixels));
    else if (region)
        text += tr(" at %1, %2").arg(scope->part.x).arg(scope->part.y);
    if (scope->request.kind == ScopeKind::Vectorscope)
        text += tr("; Cr over Cb");
    else if (scope->grids.size() > 1)
        text += tr("; red, green, blue over columns");
    else
        text += view->showsLabels()      ? tr("; number of the object over columns")
                : isColor(scope->format) ? tr("; luminance over columns")
                                         : tr("; value over columns");
    std::uint64_t beside = 0;
    for (const std::uint64_t count : scope->beside) beside = std::max(beside, count);
    if (beside > 0) text += tr("; beside the range: %1").arg(locale.toString(qulonglong(beside)));
    if (scope->notFinite > 0)
        text += tr("; NaN or infinite: %1").arg(locale.toString(qulonglong(scope->notFinite)));
    return text;
}

Picture ScopesPanel::State::picture() const {
    const QString title = kind->button(kind->current())->text();
    return {title, title, captionText(), kPictureSize,
            [scope = view->scope(), labels = view->showsLabels(), look = view->look(),
             text = captionText()](QPainter& painter) {
                ScopeView drawn;
                drawn.setLook(look);
                drawn.setScope(scope, labels);
                drawn.paintTo(painter, kPictureSize, text);
            }};
}

ScopesPanel::ScopesPanel(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent), m_state(std::make_unique<State>(*this, document, bridge)) {
    m_state->build();
}

ScopesPanel::~ScopesPanel() {
    m_state->stop.request_stop();
}

const ScopeView& ScopesPanel::view() const {
    return *m_state->view;
}

ScopeSwitches ScopesPanel::switches() const {
    return {ScopeKind(m_state->kind->current()), m_state->side->current() == 1,
            m_state->logarithmic->isChecked(), m_state->brightness->value()};
}

void ScopesPanel::setSwitches(const ScopeSwitches& switches) {
    m_state->kind->setCurrent(int(switches.kind));
    m_state->side->setCurrent(switches.ofResult ? 1 : 0);
    m_state->logarithmic->setChecked(switches.logarithmic);
    m_state->brightness->setValue(switches.brightness);
    m_state->forget();
}

int ScopesPanel::countings() const {
    return m_state->counted;
}

void ScopesPanel::setInSight(bool inSight) {
    m_state->inSight = inSight;
    if (m_state->dirty) m_state->updateSoon();
}

void ScopesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_state->dirty) m_state->updateSoon();
}

}  // namespace warpscope::gui
