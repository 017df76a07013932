#include "gui/steps/add_step_popup.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/steps/operation_delegate.h"
#include "gui/steps/step_search.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {

constexpr int kWidth = 360;
constexpr int kHeight = 440;

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
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->setSpacing(8);
    all->addWidget(m_field);
    all->addWidget(m_nothing);
    all->addWidget(m_list, 1);
    connect(m_field, &QLineEdit::textChanged, this, &AddStepPopup::search);
    connect(m_list, &QListWidget::itemClicked, this, &AddStepPopup::accept);
}

void AddStepPopup::showAt(const QRect& globalAnchor, std::optional<PixelFormat> given) {
    m_given = given;
    const QScreen* screen = QGuiApplication::screenAt(globalAnchor.center());
    if (!screen) screen = QGuiApplication::primaryScreen();
    const QRect free = screen->availableGeometry();
    const QSize size(std::min(std::max(kWidth, globalAnchor.width()), free.width()),
                     std::min(kHeight, free.height()));
    QPoint at(globalAnchor.left(), globalAnchor.bottom() + 2);
    at.setX(std::clamp(at.x(), free.left(), free.right() + 1 - size.width()));
    at.setY(std::clamp(at.y(), free.top(), free.bottom() + 1 - size.height()));
    setGeometry(QRect(at, size));
    m_field->clear();
    show();
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
