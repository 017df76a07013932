#include "gui/app/operation_pages.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <map>

#include "engine/backend/cpu_backend.h"
#include "engine/image/synthetic.h"
#include "engine/measure/single_run.h"
#include "engine/operations/registry.h"
#include "gui/app/help_windows.h"
#include "gui/app/qimage_convert.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr Size kPictureSize{208, 144};
constexpr int kIdRole = Qt::UserRole;

Image sceneForPages(bool color, std::uint32_t seed) {
    return makeScene(kPictureSize, color, seed, CpuContext{Threading::Single, {}, {}})
        .value_or(Image());
}

// What the operation makes of the scene; null where it makes no picture. A few milliseconds.
QImage pictureAfter(const Operation& operation, bool color) {
    const OperationDescription& d = operation.description();
    const Image scene = sceneForPages(color, 1);
    if (d.kind != OperationKind::Filter || scene.isNull()) return {};
    PlanRequest request;
    request.parameters = d.exampleParameters();
    request.format = scene.format();
    request.size = scene.size();
    const auto plan = operation.plan(request);
    if (!plan) return color ? pictureAfter(operation, false) : QImage();
    const auto backend = makeCpuBackend(Threading::Single);
    const Image second = (*plan)->takesSecond ? sceneForPages(color, 2) : Image();
    const auto done = runOnce(*backend, **plan, {scene, second}, {});
    return done && !done->output.isNull() ? toQImage(done->output) : QImage();
}

// Of parameters that are not at their defaults: "Angle 10".
QString exampleText(const OperationDescription& d) {
    QStringList parts;
    const ParamSet example = d.exampleParameters();
    for (const ParamSpec& spec : d.parameters) {
        const ParamValue* value = example.find(spec.id);
        if (value && *value != spec.defaultValue)
            parts << engineText(spec.label) + QLatin1Char(' ') +
                         QString::fromStdString(toText(*value));
    }
    return parts.join(QStringLiteral(", "));
}

// Gives a page its pictures when it asks for them, each computed once.
class PageView final : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;

    QImage pictureOf(const std::string& id) {
        const auto known = m_pictures.find(id);
        if (known != m_pictures.end()) return known->second;
        const Operation* operation = findOperation(id);
        QImage made = id.empty()  ? toQImage(sceneForPages(true, 1))
                      : operation ? pictureAfter(*operation, true)
                                  : QImage();
        return m_pictures.emplace(id, std::move(made)).first->second;
    }

  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        if (type == QTextDocument::ImageResource && name.scheme() == QLatin1String("picture"))
            return pictureOf(name.path().toStdString());
        return QTextBrowser::loadResource(type, name);
    }

  private:
    std::map<std::string, QImage> m_pictures;
};

}  // namespace

OperationPages::OperationPages(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("operationPages"));
    setWindowTitle(tr("Operations"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* left = new QWidget(this);
    m_search = new QLineEdit(left);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search the operations"));
    m_search->setClearButtonEnabled(true);
    m_list = new QListWidget(left);
    m_list->setAccessibleName(tr("Operations"));
    m_list->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_search);
    column->addWidget(m_list);
    m_page = new PageView(this);
    m_page->setAccessibleName(tr("Page of the operation"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setOpenExternalLinks(true);
    m_page->document()->setDocumentMargin(16);
    auto* split = new QSplitter(this);
    split->setChildrenCollapsible(false);
    split->addWidget(left);
    split->addWidget(m_page);
    split->setStretchFactor(1, 1);
    split->setSizes({208, 592});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->addWidget(split, 1);
    all->addWidget(buttons);
    resize(820, 640);
    fill();
    connect(m_search, &QLineEdit::textChanged, this, &OperationPages::filter);
    connect(m_list, &QListWidget::currentItemChanged, this, &OperationPages::writePage);
    connect(&Theme::instance(), &Theme::changed, this, &OperationPages::writePage);
    m_search->setFocus();
}

// By category, in the order of the registry.
void OperationPages::fill() {
    std::vector<std::string> categories;
    for (const Operation* operation : allOperations())
        if (const std::string& category = operation->description().category;
            std::find(categories.begin(), categories.end(), category) == categories.end())
            categories.push_back(category);
    for (const std::string& category : categories) {
        auto* heading = new QListWidgetItem(engineText(category), m_list);
        heading->setFlags(Qt::NoItemFlags);
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            if (d.category != category) continue;
            auto* item = new QListWidgetItem(QStringLiteral("    ") + engineText(d.label), m_list);
            item->setData(kIdRole, QString::fromStdString(d.id));
            item->setToolTip(engineText(d.summary));
        }
    }
}

void OperationPages::filter(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QListWidgetItem* heading = nullptr;
    QListWidgetItem* first = nullptr;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const QString id = item->data(kIdRole).toString();
        if (id.isEmpty()) {
            heading = item;
            heading->setHidden(true);
            continue;
        }
        const OperationDescription& d = findOperation(id.toStdString())->description();
        const QString all = heading->text() + QLatin1Char(' ') + item->text() + QLatin1Char(' ') +
                            id + QLatin1Char(' ') + engineText(d.summary);
        const bool fits = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return all.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!fits);
        if (!fits) continue;
        heading->setHidden(false);
        if (!first) first = item;
    }
    const QListWidgetItem* current = m_list->currentItem();
    if (first && (!current || current->isHidden())) m_list->setCurrentItem(first);
}

void OperationPages::writePage() {
    const QListWidgetItem* item = m_list->currentItem();
    const Operation* operation =
        item ? findOperation(item->data(kIdRole).toString().toStdString()) : nullptr;
    if (!operation) return;
    const OperationDescription& d = operation->description();
    QString pictures;
    if (!static_cast<PageView*>(m_page)->pictureOf(d.id).isNull()) {
        const QString id = QString::fromStdString(d.id);
        const QString example = exampleText(d);
        const QString after =
            example.isEmpty() ? tr("After, with the defaults") : tr("After: %1").arg(example);
        pictures = QStringLiteral(
                       "<table><tr><td style='padding-right:16px'><img src='picture:'><br>%1</td>"
                       "<td><img src='picture:%2'><br>%3</td></tr></table>")
                       .arg(tr("Before").toHtmlEscaped(), id, after.toHtmlEscaped());
    }
    m_page->setHtml(operationHtml(d, pictures));
}

void OperationPages::showOperation(const std::string& id) {
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        if (item->data(kIdRole).toString().toStdString() != id || id.empty()) continue;
        if (item->isHidden()) m_search->clear();
        m_list->setCurrentItem(item);
        m_list->scrollToItem(item);
    }
}

void OperationPages::open(QWidget* parent, const std::string& id) {
    auto* pages = parent->findChild<OperationPages*>(QStringLiteral("operationPages"),
                                                     Qt::FindDirectChildrenOnly);
    if (!pages) {
        pages = new OperationPages(parent);
        pages->showOperation(allOperations().front()->description().id);
    }
    pages->showOperation(id);
    pages->show();
    pages->raise();
    pages->activateWindow();
}

}  // namespace warpscope::gui
