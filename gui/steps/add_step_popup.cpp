#include "gui/steps/add_step_popup.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/steps/operation_delegate.h"
#include "gui/steps/operation_previews.h"
#include "gui/steps/step_search.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

constexpr int kWidth = 360;
constexpr int kHeight = 440;
// With previews.
constexpr int kWideWidth = 420;
constexpr int kTallHeight = 600;

bool isHeading(const QListWidgetItem* item) {
    return item->data(HeadingRole).toBool();
}

bool canBeChosen(const QListWidgetItem* item) {
    return item->flags() & Qt::ItemIsSelectable;
}

}  // namespace

AddStepPopup::AddStepPopup(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setObjectName(QStringLiteral("addStepPopup"));
    setAccessibleName(tr("Add step"));
    setFrameShape(QFrame::StyledPanel);
    m_field = new QLineEdit(this);
    m_field->setObjectName(QStringLiteral("addStepSearch"));
    m_field->setPlaceholderText(tr("Search operations"));
    m_field->setAccessibleName(tr("Search operations"));
    m_field->setClearButtonEnabled(true);
    m_field->addAction(Theme::instance().icon(QStringLiteral("search")),
                       QLineEdit::LeadingPosition);
    m_field->installEventFilter(this);
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("addStepList"));
    m_list->setAccessibleName(tr("Operations"));
    m_list->setItemDelegate(new OperationDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);  // the field keeps the focus and hands the arrow keys on
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setResizeMode(QListView::Adjust);
    m_nothing = new WrapLabel(this);
    m_nothing->setObjectName(QStringLiteral("addStepNothing"));
    m_nothing->setAlignment(Qt::AlignHCenter);
    m_nothing->hide();
    m_now = new QLabel(this);
    m_now->setObjectName(QStringLiteral("addStepNow"));
    m_now->setAccessibleName(tr("As it is now"));
    // Above the pictures of the list.
    m_now->setFixedSize(kPreviewSize + QSize(kPreviewSide, 0));
    m_now->setContentsMargins(kPreviewSide, 0, 0, 0);
    m_now->setAlignment(Qt::AlignCenter);
    m_part = new WrapLabel(this);
    m_part->setObjectName(QStringLiteral("addStepPart"));
    auto* beside = new QVBoxLayout;
    beside->setSpacing(4);
    beside->addWidget(m_field);
    beside->addWidget(m_part);
    beside->addStretch(1);
    auto* top = new QHBoxLayout;
    top->setSpacing(10);
    top->addWidget(m_now);
    top->addLayout(beside, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->setSpacing(8);
    all->addLayout(top);
    all->addWidget(m_nothing);
    all->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &AddStepPopup::search);
    connect(m_list, &QListWidget::itemClicked, this, &AddStepPopup::accept);
}

void AddStepPopup::setPreviews(OperationPreviews& previews) {
    m_previews = &previews;
    connect(&previews, &OperationPreviews::begun, this, &AddStepPopup::showPreviews);
    connect(&previews, &OperationPreviews::arrived, this, &AddStepPopup::showPreview);
    connect(&previews, &OperationPreviews::lookChanged, this, &AddStepPopup::showPreviews);
}

void AddStepPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    if (m_previews) m_previews->end();
}

// Behind what the popup itself needs to be there: the list opens at once.
void AddStepPopup::startPreviews() {
    if (isVisible() && m_previews && m_previews->possible())
        m_previews->begin(kPreviewSize * devicePixelRatioF());
}

void AddStepPopup::showPreview(const std::string& operation) {
    if (operation.empty()) return showNow();
    const QString id = QString::fromStdString(operation);
    for (int row = 0; row < m_list->count(); ++row)
        if (QListWidgetItem* item = m_list->item(row); item->data(OperationIdRole) == id)
            showPreviewOf(*item);
}

void AddStepPopup::showPreviews() {
    if (!isVisible()) return;
    showNow();
    for (int row = 0; row < m_list->count(); ++row) showPreviewOf(*m_list->item(row));
}

void AddStepPopup::showPreviewOf(QListWidgetItem& item) {
    if (isHeading(&item) || !m_previews || !m_previews->possible()) return;
    const auto* preview = m_previews->of(item.data(OperationIdRole).toString().toStdString());
    QImage picture;
    if (preview) picture = m_previews->drawn(*preview);
    picture.setDevicePixelRatio(devicePixelRatioF());
    if (!preview || !picture.isNull())
        item.setData(PictureRole, picture);
    else
        item.setData(PictureRole, preview->gaveUp ? tr("slow") : QStringLiteral("–"));
    if (preview && !preview->problem.isEmpty()) item.setToolTip(preview->problem);
}

void AddStepPopup::showNow() {
    const bool offered = m_previews && m_previews->possible();
    m_now->setVisible(offered);
    m_part->setVisible(offered);
    if (!offered) return;
    const Rect& part = m_previews->part();
    m_part->setText(tr("The pictures show %1 × %2 pixels at (%3, %4); at the left as they are now")
                        .arg(part.width)
                        .arg(part.height)
                        .arg(part.x)
                        .arg(part.y),
                    Tone::Weak);
    QImage picture;
    if (const auto* now = m_previews->of({})) picture = m_previews->drawn(*now);
    picture.setDevicePixelRatio(devicePixelRatioF());
    m_now->setPixmap(QPixmap::fromImage(picture));
}

void AddStepPopup::showAt(const QRect& globalAnchor, std::optional<PixelFormat> given) {
    m_given = given;
    const QScreen* screen = QGuiApplication::screenAt(globalAnchor.center());
    if (!screen) screen = QGuiApplication::primaryScreen();
    const QRect free = screen->availableGeometry();
    const bool pictures = m_previews && m_previews->possible();
    const QSize size(
        std::min(std::max(pictures ? kWideWidth : kWidth, globalAnchor.width()), free.width()),
        std::min(pictures ? kTallHeight : kHeight, free.height()));
    QPoint at(globalAnchor.left(), globalAnchor.bottom() + 2);
    at.setX(std::clamp(at.x(), free.left(), free.right() + 1 - size.width()));
    at.setY(std::clamp(at.y(), free.top(), free.bottom() + 1 - size.height()));
    setGeometry(QRect(at, size));
    m_field->clear();
    m_now->clear();
    m_now->setVisible(pictures);
    m_part->setVisible(pictures);
    show();
    startPreviews();
    search();  // row heights depend on the width, which is known now
    int rows = 2 * m_list->frameWidth();
    for (int row = 0; row < m_list->count(); ++row) rows += m_list->sizeHintForRow(row);
    resize(size.width(), std::min(size.height(), height() - m_list->height() + rows));
    m_field->setFocus(Qt::PopupFocusReason);
}

void AddStepPopup::search() {
    const QString query = m_field->text().trimmed();
    m_list->clear();
    QString heading;
    int first = -1;
    int found = 0;
    for (const Operation* operation : searchFilters(query)) {
        const OperationDescription& description = operation->description();
        const QString category = engineText(description.category);
        if (query.isEmpty() && category != heading) {
            heading = category;
            auto* item = new QListWidgetItem(category, m_list);
            item->setData(HeadingRole, true);
            item->setFlags(Qt::ItemIsEnabled);
        }
        auto* item = new QListWidgetItem(engineText(description.label), m_list);
        item->setData(OperationIdRole, QString::fromStdString(description.id));
        item->setData(SummaryRole, engineText(description.summary));
        if (!query.isEmpty()) item->setData(CategoryRole, category);
        item->setData(Qt::AccessibleDescriptionRole, engineText(description.summary));
        item->setToolTip(engineText(description.help));
        showPreviewOf(*item);
        ++found;
        const QString why = m_given ? refusal(description, *m_given) : QString();
        if (!why.isEmpty()) {
            item->setData(RefusalRole, why);
            item->setData(Qt::AccessibleDescriptionRole, why);
            item->setFlags(Qt::NoItemFlags);
        } else if (first < 0) {
            first = m_list->row(item);
        }
    }
    m_nothing->setText(tr("No operation matches \u201c%1\u201d").arg(query), Tone::Weak);
    m_nothing->setVisible(found == 0);
    m_list->setCurrentRow(first);
    m_list->scrollToTop();
}

void AddStepPopup::moveBy(int rows) {
    const int direction = rows < 0 ? -1 : 1;
    int row = m_list->currentRow();
    int best = row;
    for (int left = std::abs(rows); left > 0;) {
        row += direction;
        if (row < 0 || row >= m_list->count()) break;
        if (!canBeChosen(m_list->item(row))) continue;
        best = row;
        --left;
    }
    if (best < 0) return;
    m_list->setCurrentRow(best);
    // The heading above the first one comes into view with it.
    if (best > 0 && isHeading(m_list->item(best - 1))) m_list->scrollToItem(m_list->item(best - 1));
    m_list->scrollToItem(m_list->item(best));
}

void AddStepPopup::accept() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !canBeChosen(item)) return;
    const std::string id = item->data(OperationIdRole).toString().toStdString();
    close();
    emit chosen(id);
}

bool AddStepPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_field || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
            moveBy(-1);
            return true;
        case Qt::Key_Down:
            moveBy(1);
            return true;
        case Qt::Key_PageUp:
            moveBy(-5);
            return true;
        case Qt::Key_PageDown:
            moveBy(5);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            accept();
            return true;
        case Qt::Key_Escape:
            close();
            return true;
        default:
            return false;
    }
}

}  // namespace warpscope::gui
