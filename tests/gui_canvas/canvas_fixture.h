// A canvas with the keyboard, and the mouse without the platform's cursor, which is shared with
// whoever looks at the screen.
#pragma once

#include <QApplication>
#include <QDir>
#include <QMouseEvent>
#include <QtTest>
#include <cmath>

#include "gui/canvas/canvas.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"

namespace warpscope::gui {

struct CanvasFixture {
    Canvas canvas;

    explicit CanvasFixture(QSize size = {400, 300}) {
        canvas.resize(size);
        canvas.show();
        canvas.activateWindow();
        (void)QTest::qWaitForWindowActive(&canvas);
        canvas.setFocus();
        // The platform's cursor may rest on it.
        QCursor::setPos(canvas.mapToGlobal(QPoint(-8, -8)));
        QEvent left(QEvent::Leave);
        QApplication::sendEvent(&canvas, &left);
    }
    void show(const PyramidPtr& source, const PyramidPtr& result) {
        canvas.setSource(source);
        canvas.setResult(result);
        canvas.setFocus();
    }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&canvas, Qt::Key(key), modifiers);
    }
    void move(const QPoint& to, Qt::MouseButtons held, Qt::KeyboardModifiers modifiers) {
        QMouseEvent event(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, held,
                          modifiers);
        QApplication::sendEvent(&canvas, &event);
    }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(&canvas, Qt::LeftButton, modifiers, from);
        move((from + to) / 2, Qt::LeftButton, modifiers);
        move(to, Qt::LeftButton, modifiers);
        QTest::mouseRelease(&canvas, Qt::LeftButton, modifiers, to);
    }
    // What is drawn, kept where a person asked for pictures.
    QImage shot(const char* name = nullptr) {
        const QImage picture = canvas.grab().toImage();
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (name && !folder.isEmpty())
            picture.save(QDir(folder).filePath(QStringLiteral("%1.png").arg(QLatin1String(name))));
        return picture;
    }
    // The middle of an image pixel as it is drawn.
    QColor colorOf(const QPoint& pixel) { return colorIn(shot(), pixel); }
    QColor colorIn(const QImage& picture, const QPoint& pixel) const {
        const QPointF at = canvas.widgetPosition(QPointF(pixel) + QPointF(0.5, 0.5));
        const QPointF device = at * canvas.devicePixelRatioF();
        return picture.pixelColor(int(std::floor(device.x())), int(std::floor(device.y())));
    }
    QPoint place(const QPointF& imagePosition) const {
        return canvas.widgetPosition(imagePosition).toPoint();
    }
};

}  // namespace warpscope::gui
