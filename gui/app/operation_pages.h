// Help > Operations: a list of all of them and the page of one, made from its description, with
// what it does to a small picture, which `warpscope-cli manual --pictures` made with the program.
#pragma once

#include <QDialog>
#include <QString>
#include <string>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace warpscope::gui {

// Where the picture of that name (OperationPictures) lies; empty if it was not made.
QString operationPictureFile(const QString& name);

class OperationPages : public QDialog {
    Q_OBJECT
  public:
    explicit OperationPages(QWidget* parent);

    // The page of that operation; whatever was searched for is dropped if it hides it.
    void showOperation(const std::string& id);

    // The one window of `parent`, brought to the front; without id where it was, or the first page.
    static void open(QWidget* parent, const std::string& id = {});

  private:
    void fill();
    void filter(const QString& text);
    void writePage();

    QLineEdit* m_search;
    QListWidget* m_list;
    QTextBrowser* m_page;
};

}  // namespace warpscope::gui
