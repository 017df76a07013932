// Opening, saving, copying and pasting: images and pipelines. Talks to the person through the
// message bar only.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "gui/app/recent_files.h"
#include "gui/base/task_runner.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/document/settings.h"
#include "gui/widgets/message_bar.h"

class QMenu;
class QMimeData;
class QWidget;

namespace warpscope::gui {

class Actions;
class DisplaySettings;

class FileController : public QObject {
    Q_OBJECT
  public:
    FileController(QWidget& window, Document& document, EngineBridge& bridge, Settings& settings,
                   MessageBar& messages);
    ~FileController() override;  // finishes saves that have begun and were not cancelled

    // The first is opened, the others wait for "next image"; a folder stands for its images, and
    // of a single file the images of its folder wait. Pipelines (*.json) are opened as such. The
    // list that was there stays until an image of the new one is open; files that cannot be opened
    // are named and passed over. See gui/base/file_name.h for names that are no text.
    void openFiles(const QStringList& paths);
    // One of a list, and of it that page; a list of one stands for its folder.
    void openAt(const QStringList& images, int index, int page);
    void openPath(const QString& path);  // within or outside the list
    void openNeighbour(int by);          // +1 next, -1 previous; past those that fail
    void openPage(int by);               // of the open file, where it holds several images
    int page() const { return m_page; }
    int pageCount() const { return m_pageCount; }  // 1 until the file has told
    // For steps that take a second input.
    void openSecond(const QString& path);
    const QStringList& images() const { return m_images; }
    // -1: none of images() is open, or was open last.
    int imageIndex() const { return m_index; }
    // The open image is no file: pasted, or a scene. It stands before images()[imageIndex()].
    bool isBesideImages() const { return m_beside; }
    // images() are those of a folder, and are looked for again when it changes.
    bool walksFolder() const { return m_walksFolder; }
    int direction() const { return m_direction; }  // of the last walk, 1 or -1
    void refreshFolder();                          // something in it came or went
    // What this program writes into a folder that is walked is no image to walk to, until it, or
    // the folder, is opened. To be said before it is there.
    void leaveOut(const QString& path);
    // The open image's file has another content: view, region and steps stay. One that cannot be
    // read is tried again for a few seconds, since somebody may be writing it.
    void reload();
    bool busy() const { return m_tasks.busy(); }
    // A save waits for the exact result, or is being written.
    bool savesUnfinished() const { return m_pendingSave || m_tasks.busy(); }
    // The files stay as they were, which is said. Saves that have begun end within a second.
    void cancelSaves();
    void cancelWaitingSave();  // only what waits for the exact result
    RecentFiles& recent() { return m_recent; }
    QMenu* imagesMenu() { return m_imagesMenu; }  // of images(); the window owns it
    void connectActions(const Actions& actions);  // they must outlive this
    // What is copied looks as on the screen; must outlive this. Without: over the natural range.
    void setDisplay(const DisplaySettings& display) { m_display = &display; }

    // What is dropped or pasted: files or a picture. False if there is neither.
    enum class TakeAs { Images, Second };
    static bool canTake(const QMimeData* data);
    bool take(const QMimeData* data, TakeAs as = TakeAs::Images);

    // Waits for the exact result if it is not there yet. Never replaces the source without being
    // told to.
    struct SaveAs {
        bool regionOnly = false;  // what the region holds of the result
        bool asSeen = false;      // in 8 bits, with black and white as on the screen; else exact
    };
    void saveResultTo(const QString& path, bool replaceSource = false, SaveAs as = {false, false});
    void openPipelineFrom(const QString& path);
    void savePipelineTo(const QString& path);

    // Asks for an image, then calls this with its path.
    void askForImage(const QString& title, std::function<void(const QString&)> onPath);
    void askForSession(bool toSave, std::function<void(const QString&)> onPath);
    std::vector<std::filesystem::path> protectedFiles() const;  // the open images

  public slots:
    void openDialog();
    void openSecondDialog();
    void paste();
    void saveDialog();
    void saveAsSeenDialog();
    void saveRegionDialog();
    void copyResult();
    void copyRegion();
    void openPipelineDialog();
    void savePipelineDialog();

  signals:
    void imagesChanged();  // or the place in them
    void pageChanged();    // or the number of pages
    void reloaded(const QString& path);
    void listOpened();  // of several images that were asked for: files or a folder
    void saved(const QString& path);
    void sessionChosen(const QString& path);  // a session is to be opened
    void taskBusyChanged(bool busy);

  private:
    void showImages(const Actions& actions);
    void fillImagesMenu();
    void countPages(int page);
    void openFolders(const QStringList& paths);
    void listAround(const QString& path);
    void takeBack(const QString& path);
    void takeFolder();
    void reportUnopened(const QString& text, const QString& path);
    struct PendingOpen;
    void open(PendingOpen pending);
    void onImageOpened();
    void onOpenFailed(const QString& path, const QString& message);
    void onSecondChanged();
    void tellNotices(const ImageInfo& info, const QString& title, QStringList& told);
    void onOpenSecondFailed(const QString& path, const QString& message);
    void onFullReady();
    // Of the result that is there; null, and said, where the region has nothing of it.
    Image resultOf(const std::optional<Rect>& region);
    void saveNow(const QString& path, bool replaceSource, SaveAs as,
                 const std::optional<Rect>& region);
    void save(const Image& image, const QString& path, bool replaceSource, const QString& remark,
              const std::stop_token& stop);
    void run(TaskRunner::Work work);  // what it throws is told as an error
    void reportCancelled(const QString& path);
    void saveAsSeen(const Image& image, const QString& path, bool replaceSource);
    void copy(const Image& image, const QString& what);
    void report(MessageBar::Level level, const QString& text, const QString& details = {});
    void rememberFolder(const QString& path);
    QString suggestedName(const QString& ending, const QString& kind) const;
    template <class OnPath>
    void ask(bool toSave, const QString& title, const QString& filter, const QString& suffix,
             OnPath onPath, const QString& kind = {});

    QWidget& m_window;
    Document& m_document;
    EngineBridge& m_bridge;
    Settings& m_settings;
    MessageBar& m_messages;
    const DisplaySettings* m_display = nullptr;
    RecentFiles m_recent;
    QMenu* m_imagesMenu = nullptr;
    std::stop_source m_saveStop;  // of saves that were asked for since the last cancel
    TaskRunner m_tasks;
    QStringList m_images;
    int m_index = -1;
    bool m_beside = false;
    bool m_walksFolder = false;
    int m_direction = 1;
    int m_page = 0;
    int m_pageCount = 1;
    int m_pendingPage = -1;
    QString m_pagedPath;  // whose pages these are
    QString m_reloading;  // tried again when it cannot be read
    int m_reloads = 0;
    QTimer m_reloadTimer;
    QStringList m_around;  // found around a file that is being opened
    QSet<QString> m_leftOut;
    int m_listNumber = 0;  // of the newest look into a folder
    TaskRunner m_lister;
    int m_tried = -1;  // in m_images: failed to open after m_index had been open
    // What is being opened; takes the place of the list once it is.
    struct PendingOpen {
        QStringList images;
        int index = 0;
        int by = 0;            // where this cannot be opened, try the next one in that direction
        bool newList = false;  // takes the place of the list, without those that cannot be opened
        bool folder = false;   // the list is that of a folder
        int page = 0;
    };
    std::optional<PendingOpen> m_pendingOpen;
    QStringList m_openErrors;    // messages that the next opened image makes old
    QStringList m_imageNotices;  // in the bar, about the image that is shown
    QStringList m_secondNotices;
    QString m_secondError;     // the message about a second image that was not opened
    QStringList m_passedOver;  // of the list that is being opened: stay beside its first good image
    // Asked for before the exact result was there; holds for that image and those steps only.
    struct PendingSave {
        QString path;
        bool replaceSource = false;
        SaveAs as;
        std::optional<Rect> region;
        std::uint64_t imageId = 0;
        PyramidPtr second;
        Pipeline pipeline;
    };
    std::optional<PendingSave> m_pendingSave;
};

}  // namespace warpscope::gui
