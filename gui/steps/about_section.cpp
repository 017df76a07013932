#include "gui/steps/about_section.h"

#include <QPainter>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <cmath>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {

namespace {

// As high as its text, so that the panel scrolls and not a box within it.
class FullHeightText final : public QTextBrowser {
  public:
    explicit FullHeightText(QWidget* parent) : QTextBrowser(parent) {
        setFrameShape(QFrame::NoFrame);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        setOpenExternalLinks(true);
        setTabChangesFocus(true);
        viewport()->setAutoFillBackground(false);
        document()->setDocumentMargin(0);
    }
    void fit() {
        document()->setTextWidth(viewport()->width());
        setFixedHeight(int(std::ceil(document()->size().height())) + 2);
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QTextBrowser::resizeEvent(event);
        fit();
    }
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

// Plain text of a description as HTML, with its addresses as links.
QString paragraph(const QString& text) {
    QString html = text.toHtmlEscaped();
    static const QRegularExpression address(QStringLiteral("https?://[^\\s<>()]*[^\\s<>().,;]"));
    html.replace(address, QStringLiteral("<a href=\"\\0\">\\0</a>"));
    return html.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
}

}  // namespace

AboutSection::AboutSection(QWidget* parent) : QWidget(parent) {
    m_header = new QToolButton(this);
    m_header->setObjectName(QStringLiteral("aboutHeader"));
    m_header->setText(tr("About this operation"));
    m_header->setAutoRaise(true);
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setIcon(Theme::instance().icon(QStringLiteral("chevron-right")));
    m_header->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_header->setFocusPolicy(Qt::StrongFocus);
    m_text = new FullHeightText(this);
    m_text->setObjectName(QStringLiteral("aboutText"));
    m_text->setAccessibleName(tr("About this operation"));
    m_text->hide();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(m_header);
    all->addWidget(m_text);
    connect(m_header, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(&Theme::instance(), &Theme::changed, this, &AboutSection::write);
}

void AboutSection::setOperation(const OperationDescription& description) {
    if (m_description == &description) return;
    m_description = &description;
    write();
}

void AboutSection::setOpen(bool open) {
    m_open = open;
    m_header->setAccessibleDescription(open ? tr("Shown") : tr("Hidden"));
    m_header->setIcon(Theme::instance().icon(open ? QStringLiteral("chevron-down")
                                                  : QStringLiteral("chevron-right")));
    m_text->setVisible(open);
    if (open) emit opened();
}

void AboutSection::write() {
    if (!m_description) return;
    const QString weak = Theme::instance().colors().weakText.name();
    const auto heading = [&weak](const QString& text) {
        return QStringLiteral("<p style='margin:10px 0 2px 0;color:%1'>%2</p>")
            .arg(weak, text.toHtmlEscaped());
    };
    const auto body = [](const QString& text) {
        return QStringLiteral("<p style='margin:0'>%1</p>").arg(paragraph(text));
    };
    QString html = body(engineText(m_description->help));
    for (const ParamSpec& spec : m_description->parameters)
        html += heading(engineText(spec.label)) + body(engineText(spec.help));
    if (!m_description->formula.empty())
        html += heading(tr("Formula")) + body(engineText(m_description->formula));
    if (!m_description->source.empty())
        html +=
            heading(tr("Source", "where it comes from")) + body(engineText(m_description->source));
    m_text->setHtml(html);
    static_cast<FullHeightText*>(m_text)->fit();
}

}  // namespace warpscope::gui
