// What the window says at its foot: the image, progress of long work with a way to stop it, zoom,
// where it is computed, how long the last edit took to reach the screen, and for a while what has
// just been done.
#pragma once

#include <QStatusBar>
#include <QString>
#include <cstdint>
#include <optional>

#include "engine/backend/backend_set.h"
#include "engine/image/image.h"

class QLabel;
class QMenu;
class QProgressBar;
class QTimer;
class QToolButton;

namespace warpscope::gui {

class StatusBar : public QStatusBar {
    Q_OBJECT
  public:
    explicit StatusBar(QWidget* parent = nullptr);

    void showImage(const Image& image, const QString& title);
    void showPlace(int index, int count);  // in the list of images; nothing for a single one
    void showPage(int page, int count);    // of the file; nothing for a single one
    void showResultSize(Size size);        // beside the image's where it differs; empty: no result
    void showMemory(std::uint64_t budgetBytes);  // in the tool tip of the image
    void showZoom(double zoom);
    // A choice that is not automatic is said in words: it holds until it is taken back.
    void showDevice(const BackendSet& backends, BackendChoice choice);
    // From an edit to the paint that showed it. Changes no more often than can be read.
    void showLatency(double ms);
    void setDeviceMenu(QMenu* menu);  // where to compute; opens above the device

    // Work shows itself only when it lasts over 300 ms. `fraction` below 0: unknown.
    void beginWork(const QString& what);
    void setProgress(double fraction, const QString& what);
    void endWork();
    bool showsProgress() const;

    // Over all of it but work and its cancelling, so that nothing moves; an empty text takes it
    // away. False: the bar is not seen, or the text has no room in its line.
    bool showNote(const QString& text);

    // What has no room is left out or shortened: the bar never keeps the window wide.
    QSize minimumSizeHint() const override;

  signals:
    void cancelRequested();
    void noteClicked();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void reveal();
    void showNewLatency();
    void updateImage();
    QRect noteRoom() const;
    void fit();
    void fitDevice(int most);

    QLabel* m_image = nullptr;
    QLabel* m_what = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    QLabel* m_zoom = nullptr;
    QToolButton* m_device = nullptr;
    QLabel* m_latency = nullptr;
    QTimer* m_delay = nullptr;
    QTimer* m_latencyRest = nullptr;    // until the figure may change again
    std::optional<double> m_latencyMs;  // not shown yet
    QLabel* m_note = nullptr;
    bool m_working = false;
    QString m_shownText;  // of the image
    QString m_deviceText;
    int m_deviceFrame = 0;  // what the button takes beside its text
    int m_place = -1;       // in a list of m_placeCount images
    int m_placeCount = 0;
    int m_page = 0;
    int m_pageCount = 1;
    Size m_shownSize;
    Size m_resultSize;
    QString m_shownFrom;  // format of the file
    std::uint64_t m_shownBytes = 0;
    std::uint64_t m_memoryBudget = 0;
};

// "1,920 x 1,280", "Rgba8" and the like for people.
QString describeImage(const Image& image);
QString describeZoom(double zoom);  // "100%", "66.7%"

}  // namespace warpscope::gui
