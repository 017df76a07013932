#include "gui/folder/folder_strip.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "gui/display/small_picture.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kPicture = 96;  // longer side, logical pixels
constexpr int kGap = 4;
constexpr int kMark = 16;

int nameHeight(const QFontMetrics& metrics) {
    return metrics.height() + kGap;
}

QSize tileSize(const QFontMetrics& metrics) {
    return {kPicture + 4 * kGap, kPicture * 3 / 4 + 3 * kGap + nameHeight(metrics)};
}

class TileDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return tileSize(option.fontMetrics);
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const QRect tile = option.rect.adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
        const bool current = option.state & QStyle::State_Selected;
        painter->save();
        painter->fillRect(tile, current ? colors.raised : colors.base);
        const QRect room = tile.adjusted(kGap, kGap, -kGap, -nameHeight(option.fontMetrics));
        const QImage picture = index.data(StripModel::PictureRole).value<QImage>();
        const bool problem = !index.data(StripModel::ProblemRole).toString().isEmpty();
        if (!picture.isNull()) {
            const QSize size = picture.size().scaled(room.size(), Qt::KeepAspectRatio);
            const QRect at(room.center() - QPoint(size.width() / 2, size.height() / 2), size);
            painter->setRenderHint(QPainter::SmoothPixmapTransform);
            painter->drawImage(at, picture);
        } else {
            const QString icon = problem ? QStringLiteral("warning") : QStringLiteral("image");
            QRect at(0, 0, 24, 24);
            at.moveCenter(room.center());
            Theme::instance().icon(icon).paint(painter, at, Qt::AlignCenter,
                                               problem ? QIcon::Normal : QIcon::Disabled);
        }
        const QRect name(tile.left() + kGap, room.bottom() + 1, tile.width() - 2 * kGap,
                         nameHeight(option.fontMetrics));
        painter->setPen(problem ? colors.weakText : colors.text);
        painter->drawText(
            name, Qt::AlignHCenter | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, name.width()));
        if (index.data(StripModel::KeptRole).toBool())
            drawMark(*painter, tile.topLeft(), QStringLiteral("check"));
        if (index.data(StripModel::ComparedRole).toBool())
            drawMark(*painter, tile.topRight() - QPoint(kMark + kGap, 0),
                     QStringLiteral("view-wipe"));
        const bool focused = option.state & QStyle::State_HasFocus;
        if (current || focused) {
            painter->setPen(QPen(colors.accent, focused ? 2 : 1));
            painter->drawRect(tile.adjusted(0, 0, -1, -1));
        }
        painter->restore();
    }

  private:
    static void drawMark(QPainter& painter, const QPoint& corner, const QString& icon) {
        const QRect at(corner + QPoint(kGap / 2, kGap / 2), QSize(kMark, kMark));
        painter.fillRect(at, Theme::instance().colors().window);
        Theme::instance().icon(icon).paint(&painter, at.adjusted(1, 1, -1, -1));
    }
};

}  // namespace

FolderStrip::FolderStrip(QWidget* parent) : QListView(parent), m_model(m_store) {
    setObjectName(QStringLiteral("folderStrip"));
    setAccessibleName(tr("Images of the folder"));
    setModel(&m_model);
    setItemDelegate(new TileDelegate(this));
    setUniformItemSizes(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setWrapping(false);
    setDragDropMode(QAbstractItemView::DragOnly);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_wanting.setSingleShot(true);
    m_wanting.setInterval(0);
    connect(&m_wanting, &QTimer::timeout, this, &FolderStrip::wantSeen);
    const auto moved = [this] { m_wanting.start(); };
    for (QScrollBar* bar : {horizontalScrollBar(), verticalScrollBar()}) {
        connect(bar, &QScrollBar::valueChanged, this, moved);
        connect(bar, &QScrollBar::rangeChanged, this, moved);
    }
    connect(&m_store, &ThumbnailStore::ready, &m_model, &StripModel::refresh);
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    arrange();
}

void FolderStrip::setImages(const QStringList& paths, const QString& open) {
    m_model.setPaths(paths);
    m_open = open;
    if (const int row = m_model.rowOf(open); row >= 0) {
        const QModelIndex index = m_model.index(row);
        setCurrentIndex(index);
        scrollTo(index);
    }
    m_wanting.start();
}

void FolderStrip::setImages(QStringList paths, const QString& before, const QString& title,
                            const Image& image) {
    const int side = int(std::ceil(kPicture * devicePixelRatioF()));
    m_model.setNoFile(title, smallPicture(image, sizeIn({side, side}, image.size()), {}));
    paths.insert(std::max<qsizetype>(0, paths.indexOf(before)), QString());
    setImages(paths, QString());
}

void FolderStrip::fileChanged(const QString& path) {
    m_store.forget(path);
    m_model.refresh({path});
    m_wanting.start();
}

QSize FolderStrip::sizeHint() const {
    const QSize tile = tileSize(fontMetrics());
    return {tile.width() * 4, tile.height() + horizontalScrollBar()->sizeHint().height()};
}

QSize FolderStrip::minimumSizeHint() const {
    return tileSize(fontMetrics());
}

// --- what is seen ---

void FolderStrip::arrange() {
    const bool upright = height() > width();
    setFlow(upright ? QListView::TopToBottom : QListView::LeftToRight);
    setHorizontalScrollBarPolicy(upright ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    setVerticalScrollBarPolicy(upright ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

std::pair<int, int> FolderStrip::seenRows() const {
    const int rows = m_model.rowCount();
    const QSize tile = tileSize(fontMetrics());
    const bool upright = flow() == QListView::TopToBottom;
    const QScrollBar* bar = upright ? verticalScrollBar() : horizontalScrollBar();
    const int pitch = upright ? tile.height() : tile.width();
    const int length = upright ? viewport()->height() : viewport()->width();
    const int first = std::clamp(bar->value() / pitch, 0, rows);
    const int end = std::clamp((bar->value() + length + pitch - 1) / pitch, first, rows);
    return {first, end};
}

void FolderStrip::wantSeen() {
    if (!isVisible()) return;
    m_store.setSide(int(std::ceil(kPicture * devicePixelRatioF())));
    const auto [first, end] = seenRows();
    const int page = std::max(1, end - first);
    QStringList wanted;
    const auto add = [&](int row) {
        if (row >= 0 && row < m_model.rowCount() && !m_model.paths()[row].isEmpty())
            wanted << m_model.paths()[row];
    };
    for (int row = first; row < end; ++row) add(row);
    for (int row = end; row < end + page; ++row) add(row);
    for (int row = first - 1; row >= first - page; --row) add(row);
    m_store.want(wanted);
}

bool FolderStrip::complete() const {
    const auto [first, end] = seenRows();
    for (int row = first; row < end; ++row)
        if (!m_model.paths()[row].isEmpty() && !m_store.find(m_model.paths()[row])) return false;
    return true;
}

void FolderStrip::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    arrange();
    m_wanting.start();
}

void FolderStrip::showEvent(QShowEvent* event) {
    QListView::showEvent(event);
    if (currentIndex().isValid()) scrollTo(currentIndex());
    m_wanting.start();
}

// --- input ---

QString FolderStrip::pathAt(const QModelIndex& index) const {
    return index.data(StripModel::PathRole).toString();
}

void FolderStrip::keyPressEvent(QKeyEvent* event) {
    const QString path = pathAt(currentIndex());
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            if (path.isEmpty()) return;
            if (event->modifiers() & Qt::ControlModifier)
                emit compareRequested(path);
            else
                emit openRequested(path);
            return;
        case Qt::Key_PageDown:
        case Qt::Key_PageUp:
            emit neighbourRequested(event->key() == Qt::Key_PageDown ? 1 : -1);
            return;
        default:
            QListView::keyPressEvent(event);
    }
}

void FolderStrip::mousePressEvent(QMouseEvent* event) {
    m_pressed = pathAt(indexAt(event->position().toPoint()));
    QListView::mousePressEvent(event);
}

void FolderStrip::startDrag(Qt::DropActions actions) {
    m_pressed.clear();  // its release opens nothing
    QListView::startDrag(actions);
}

void FolderStrip::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    const QString path = pathAt(indexAt(event->position().toPoint()));
    if (event->button() != Qt::LeftButton || path.isEmpty() || path != m_pressed) return;
    if (event->modifiers() & Qt::ControlModifier)
        emit compareRequested(path);
    else
        emit openRequested(path);
}

// A wheel turns the strip whichever way it lies.
void FolderStrip::wheelEvent(QWheelEvent* event) {
    if (flow() == QListView::TopToBottom || event->angleDelta().y() == 0)
        return QListView::wheelEvent(event);
    QScrollBar* bar = horizontalScrollBar();
    bar->setValue(bar->value() - event->angleDelta().y() * tileSize(fontMetrics()).width() / 120);
    event->accept();
}

// Letters are commands of the window.
void FolderStrip::keyboardSearch(const QString&) {}

void FolderStrip::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Mouse ? indexAt(event->pos()) : currentIndex();
    const QString path = pathAt(index);
    if (path.isEmpty()) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("stripMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("&Open")), &QAction::triggered, this,
            [this, path] { emit openRequested(path); });
    connect(menu->addAction(tr("&Compare with the open image")), &QAction::triggered, this,
            [this, path] { emit compareRequested(path); });
    connect(menu->addAction(tr("Open as second ima&ge")), &QAction::triggered, this,
            [this, path] { emit secondRequested(path); });
    QAction* keep = menu->addAction(tr("&Keep open"));
    keep->setCheckable(true);
    keep->setChecked(index.data(StripModel::KeptRole).toBool());
    connect(keep, &QAction::triggered, this,
            [this, path](bool on) { emit keepRequested(path, on); });
    menu->popup(event->globalPos());
}

}  // namespace warpscope::gui
