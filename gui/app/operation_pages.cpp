#include "gui/app/operation_pages.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <map>

#include "engine/operations/registry.h"
#include "engine/report/operation_pictures.h"
#include "gui/app/help_windows.h"
#include "gui/app/qimage_convert.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr QLatin1String kScheme("picture");

// Gives a page its pictures when it asks for them. Those that were made with the program; without
// them (a build that is not installed, and has no command line) it makes them anew.
class PageView final : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;

    QImage pictureOf(const QString& name) {
        const auto known = m_pictures.find(name);
        if (known != m_pictures.end()) return known->second;
        QImage picture(operationPictureFile(name));
        if (picture.isNull()) {
            const auto made = m_maker.make(name.toStdString(), {});
            if (made) picture = toQImage(*made);
        }
        return m_pictures.emplace(name, std::move(picture)).first->second;
    }

  protected:
    QVariant loadResource(int type, const QUrl& name) override {
        if (type == QTextDocument::ImageResource && name.scheme() == kScheme)
            return pictureOf(name.path());
        return QTextBrowser::loadResource(type, name);
    }

  private:
    OperationPictureMaker m_maker;
    std::map<QString, QImage> m_pictures;
};

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

QString cell(const std::string& picture, const QString& caption) {
    return QStringLiteral("<td style='padding-right:16px'><img src='%1:%2'><br>%3</td>")
        .arg(kScheme, QString::fromStdString(picture), caption.toHtmlEscaped());
}

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
    split->setSizes({208, 712});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 8, 8, 8);
    all->addWidget(split, 1);
    all->addWidget(buttons);
    // Three pictures fit beside each other.
    resize(940, 640);
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
    if (const auto shown = picturesOf(*operation)) {
        const QString example = exampleText(d);
        QString after =
            example.isEmpty() ? tr("After, with the defaults") : tr("After: %1").arg(example);
        if (!shown->legend.empty()) after = tr("Found: %1").arg(engineText(shown->legend));
        if (shown->falseColours) after = tr("%1; in false colours").arg(after);
        pictures = QStringLiteral("<table><tr>") + cell(shown->before, tr("Before"));
        if (shown->second) pictures += cell(*shown->second, tr("Second image"));
        pictures += cell(shown->after, after) + QStringLiteral("</tr></table>");
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

QString operationPictureFile(const QString& name) {
    // Installed or in the bundle; in the folder of a build.
    for (const QLatin1String folder :
         {QLatin1String("/../share/warpscope/pictures/"), QLatin1String("/../cli/pictures/")}) {
        const QString file =
            QCoreApplication::applicationDirPath() + folder + name + QLatin1String(".png");
        if (QFile::exists(file)) return file;
    }
    return {};
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
