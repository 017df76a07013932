#include "gui/timings/timing_card_view.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/flow_layout.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

constexpr int kSwatch = 8;
constexpr int kGap = 4;
constexpr double kLarge = 1.7;
constexpr double kSmall = 0.9;
constexpr int kPadding = 12;
constexpr int kTileGap = 16;
constexpr int kLeastPicture = 480;  // its width

QFont sized(QFont font, double factor) {
    font.setPointSizeF(std::max(1.0, font.pointSizeF() * factor));
    return font;
}

QSize tileSize(const CardFigure& figure, const QFont& font) {
    const QFontMetrics name(font), large(sized(font, kLarge)), small(sized(font, kSmall));
    int width = std::max(
        kSwatch + kGap + name.horizontalAdvance(figure.name),
        large.horizontalAdvance(figure.value) + kGap + name.horizontalAdvance(figure.unit));
    for (const QString& note : figure.notes) width = std::max(width, small.horizontalAdvance(note));
    const int notes = std::max(2, int(figure.notes.size()));
    return {width + 2, name.height() + large.height() + notes * small.height()};
}

// One figure: its name over it, what belongs to it under it. Painted, so that value, unit and notes
// share their lines.
void paintTile(QPainter& painter, const CardFigure& figure, const QFont& font) {
    const Theme& theme = Theme::instance();
    const QFontMetrics name(font), large(sized(font, kLarge)), small(sized(font, kSmall));
    painter.fillRect(QRect(0, (name.height() - kSwatch) / 2, kSwatch, kSwatch),
                     theme.backendColor(figure.backend));
    painter.setPen(theme.colors().weakText);
    painter.setFont(font);
    painter.drawText(kSwatch + kGap, name.ascent(), figure.name);
    int y = name.height();
    painter.setPen(theme.colors().text);
    painter.setFont(sized(font, kLarge));
    painter.drawText(0, y + large.ascent(), figure.value);
    painter.setPen(theme.colors().weakText);
    painter.setFont(font);
    painter.drawText(large.horizontalAdvance(figure.value) + kGap, y + large.ascent(), figure.unit);
    y += large.height();
    painter.setFont(sized(font, kSmall));
    for (const QString& note : figure.notes) {
        painter.drawText(0, y + small.ascent(), note);
        y += small.height();
    }
}

// Height of the card at that width; painted where there is a painter.
int layOut(const TimingCard& card, QPainter* painter, int width) {
    const QFont font = Theme::instance().figureFont();
    const QFontMetrics metrics(font);
    const ThemeColors& colors = Theme::instance().colors();
    int y = kPadding;
    const auto say = [&](const QString& text, const QColor& color, bool strong) {
        QFont own = font;
        own.setBold(strong);
        const QRect room(kPadding, y, width - 2 * kPadding, 10000);
        const QRect box = QFontMetrics(own).boundingRect(room, Qt::TextWordWrap, text);
        if (painter) {
            painter->setFont(own);
            painter->setPen(color);
            painter->drawText(room, Qt::TextWordWrap, text);
        }
        y += box.height() + kGap;
    };
    say(card.title, colors.text, true);
    if (!card.details.isEmpty()) say(card.details, colors.weakText, false);
    for (const auto* figures : {&card.gains, &card.figures}) {
        int x = kPadding, tallest = 0;
        for (const CardFigure& figure : *figures) {
            const QSize tile = tileSize(figure, font);
            if (x > kPadding && x + tile.width() > width - kPadding) {
                x = kPadding;
                y += tallest + kGap;
                tallest = 0;
            }
            if (painter) {
                painter->save();
                painter->translate(x, y);
                paintTile(*painter, figure, font);
                painter->restore();
            }
            x += tile.width() + kTileGap;
            tallest = std::max(tallest, tile.height());
        }
        y += tallest + kGap;
    }
    for (const CardLine& line : card.lines)
        say(line.text,
            line.tone == TimingTone::Error  ? colors.error
            : line.tone == TimingTone::Weak ? colors.weakText
                                            : colors.text,
            false);
    return y + kPadding;
}

class FigureTile : public QWidget {
  public:
    FigureTile(const CardFigure& figure, QWidget* parent) : QWidget(parent), m_figure(figure) {
        setAccessibleName(QStringLiteral("%1 %2 %3 %4")
                              .arg(figure.name, figure.value, figure.unit,
                                   figure.notes.join(QStringLiteral(", "))));
        setToolTip(figure.notes.join(QLatin1Char('\n')));
    }

    QSize sizeHint() const override { return tileSize(m_figure, font()); }
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintTile(painter, m_figure, font());
    }

  private:
    CardFigure m_figure;
};

}  // namespace

TimingCardView::TimingCardView(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::TabFocus);  // arrow keys scroll it
    setAccessibleName(tr("Timings of the selected step"));
    connect(&Theme::instance(), &Theme::changed, this, &TimingCardView::applyTheme);
    applyTheme();
}

void TimingCardView::applyTheme() {
    QPalette base = palette();
    base.setColor(QPalette::Window, Theme::instance().colors().base);
    viewport()->setPalette(base);
    viewport()->setAutoFillBackground(true);
    rebuild();
}

void TimingCardView::setCard(const TimingCard& card) {
    if (card == m_card && m_notice.isEmpty()) return;
    m_card = card;
    m_notice.clear();
    rebuild();
}

void TimingCardView::setNotice(const QString& text) {
    if (m_card.empty() && m_notice == text) return;
    m_card = {};
    m_notice = text;
    rebuild();
}

QStringList TimingCardView::texts() const {
    return m_shown;
}

Picture TimingCardView::picture() const {
    const int width = std::max(kLeastPicture, viewport()->width());
    return {m_card.title.simplified(), m_card.title, m_shown.join(QStringLiteral("; ")),
            m_card.empty() ? QSize() : QSize(width, layOut(m_card, nullptr, width)),
            [card = m_card, width](QPainter& painter) { layOut(card, &painter, width); }};
}

void TimingCardView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_card.empty()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("cardMenu"));
    addPictureActions(*menu, this, [this] { return picture(); });
    emit menuWanted(menu);
    menu->popup(event->globalPos());
}

void TimingCardView::rebuild() {
    auto* page = new QWidget;
    page->setAutoFillBackground(false);
    auto* all = new QVBoxLayout(page);
    all->setContentsMargins(12, 6, 12, 8);
    all->setSpacing(4);
    m_shown.clear();
    const QFont figures = Theme::instance().figureFont();
    const auto addText = [&](const QVector<TextPiece>& pieces) {
        auto* label = new WrapLabel(page);
        label->setFont(figures);
        label->setPieces(pieces);
        m_shown << label->text();
        return label;
    };
    if (m_card.empty()) {
        if (!m_notice.isEmpty()) all->addWidget(addText({{m_notice, Tone::Weak, {}}}));
    } else {
        QVector<TextPiece> title{{m_card.title, Tone::Text, {}}};
        if (!m_card.details.isEmpty())
            title.append({QStringLiteral("  ·  ") + m_card.details, Tone::Weak, {}});
        all->addWidget(addText(title));
        for (const auto* shown : {&m_card.gains, &m_card.figures}) {
            if (shown->empty()) continue;
            auto* tiles = new QWidget(page);
            auto* flow = new FlowLayout(16, tiles);
            QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
            policy.setHeightForWidth(true);
            tiles->setSizePolicy(policy);
            tiles->setFont(figures);
            for (const CardFigure& figure : *shown) {
                flow->addWidget(new FigureTile(figure, tiles));
                m_shown << figure.name + QLatin1Char('\t') + figure.value;
                m_shown << figure.notes;
            }
            all->addWidget(tiles);
        }
        for (const CardLine& line : m_card.lines) {
            const Tone tone = line.tone == TimingTone::Error  ? Tone::Error
                              : line.tone == TimingTone::Weak ? Tone::Weak
                                                              : Tone::Text;
            auto* label = addText({{line.text, tone, {}}});
            if (!line.differsOn) {
                all->addWidget(label);
                continue;
            }
            auto* row = new QHBoxLayout;
            row->addWidget(label, 1);
            auto* show = new QPushButton(tr("Show difference"), page);
            show->setObjectName(QStringLiteral("showDifference"));
            show->setAutoDefault(false);
            connect(show, &QPushButton::clicked, this,
                    [this, step = m_card.stepIndex, backend = *line.differsOn] {
                        emit differenceRequested(step, backend);
                    });
            row->addWidget(show);
            all->addLayout(row);
        }
    }
    all->addStretch(1);
    // Not while a button of the old page is being clicked.
    if (QWidget* old = takeWidget()) old->deleteLater();
    m_page = page;
    setWidget(page);
    setAccessibleDescription(m_shown.join(QStringLiteral(", ")));
}

}  // namespace warpscope::gui
