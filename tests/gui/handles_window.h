// A window whose steps are edited in the histogram, by mouse and keys.
#pragma once

#include <QLabel>
#include <cmath>

#include "engine/pipeline/executor.h"
#include "gui/histogram/histogram_view.h"
#include "gui/histogram/value_handles.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui_steps/panel_fixture.h"
#include "support/images.h"
#include "window_fixture.h"

Q_DECLARE_METATYPE(warpscope::PixelFormat)

namespace warpscope::gui {

struct HandlesWindow : WindowFixture {
    using Look = ValueHandle::Look;

    HistogramView& view = *window.findChild<HistogramView*>(QStringLiteral("histogramView"));
    ValueHandles& steps = *view.findChild<ValueHandles*>();
    std::mt19937 random{test::freshSeed()};

    bool openPicture(PixelFormat format, Size size = {163, 117}) {
        Image image = test::makePhotograph(format, size, random());
        if (isFloat(format)) {
            // All of 0 to 1, which the axis shows then.
            std::vector<double> samples(std::size_t(size.pixels()) * (isColor(format) ? 4 : 1));
            for (double& sample : samples) sample = std::pow(double(random() % 1001) / 1000, 2);
            for (std::size_t i = 0; i < 8; ++i) samples[i] = i < 4 ? 0 : 1;
            image = test::makeImage(format, size, samples);
        }
        bridge().openImage(image, QStringLiteral("picture"));
        return waitedFor([&] { return document().image().id() == image.id() && settled(); });
    }
    bool settled() {
        return bridge().resultIsCurrent() && bridge().histogramsAreCurrent() &&
               bridge().histograms() && view.plotArea().width() > 50;
    }
    // Words below the chart come and go with results, and make it lower.
    bool isStill() {
        QRectF last;
        int times = 0;
        return waitedFor([&] {
            times = settled() && view.plotArea() == last ? times + 1 : 0;
            last = view.plotArea();
            return times >= 12;
        });
    }
    bool add(const char* id) { return addStep(id) && isStill(); }
    bool follows() {  // the picture, exactly
        if (!isStill()) return false;
        Executor executor(BackendSet::cpuOnly(""), 512u << 20);
        ExecuteRequest wanted;
        wanted.source = document().image();
        wanted.pipeline = document().pipeline();
        wanted.backend = BackendChoice::CpuSingle;
        const Image exact = executor.run(wanted, {}).value().image;
        test::compareSamples(exact, bridge().result()->levels.front(), "the result");
        return !QTest::currentTestFailed();
    }
    const ParamSet& given(int step = 0) {
        return document().pipeline().steps[std::size_t(step)].parameters;
    }
    int undoCount() { return document().undoStack().index(); }
    double fullValue() { return fullScale(document().image().format()); }

    std::vector<ValueHandle*> shown() const {
        std::vector<ValueHandle*> visible;
        for (ValueHandle* handle : steps.handles())
            if (handle->isVisible()) visible.push_back(handle);
        return visible;
    }
    ValueHandle* handle(Look look, int which = 0) const {
        for (ValueHandle* one : shown())
            if (one->look() == look && which-- == 0) return one;
        return nullptr;
    }
    static QPoint centre(const ValueHandle& handle) { return handle.geometry().center(); }
    QWidget& ground() { return *view.viewport(); }
    // Held at the end where it is not let go.
    void drag(ValueHandle& handle, const QPoint& by, bool letGo = true) {
        const QPoint from = centre(handle);
        PanelFixture::press(ground(), from);
        PanelFixture::move(ground(), from + by / 2);
        PanelFixture::move(ground(), from + by);
        if (letGo) PanelFixture::release(ground(), from + by);
    }
    // Levels of 0 to 255 that so many pixels are.
    double levelsIn(int pixels) {
        const double full = fullValue();
        return 255 * (view.axisValueAt(100 + pixels) - view.axisValueAt(100)) / full;
    }
    QPoint at(double level, double height) {
        const QRectF plot = view.plotArea();
        return {qRound(view.pixelX(level / 255 * fullValue())),
                qRound(plot.bottom() - height / 255 * plot.height())};
    }
    QString caption() {
        return window.findChild<QLabel*>(QStringLiteral("histogramCaption"))->text();
    }
    StepCard& card(int index) { return *window.findChild<StepList*>()->card(index); }
    void click(const char* button) {
        QTest::mouseClick(window.findChild<QAbstractButton*>(QLatin1String(button)),
                          Qt::LeftButton);
    }
    void zoomIn() {
        view.setFocus();
        for (int i = 0; i < 7; ++i) press(Qt::Key_Up);
    }
};

// Rows of a test: which pictures, and whether counts are logarithmic.
inline void pictureFormats() {
    QTest::addColumn<PixelFormat>("format");
    QTest::addColumn<bool>("logarithmic");
    QTest::newRow("colour, 8 bits, log") << PixelFormat::Rgba8 << true;
    QTest::newRow("gray, 16 bits, log") << PixelFormat::Gray16 << true;
    QTest::newRow("colour, 16 bits") << PixelFormat::Rgba16 << false;
    QTest::newRow("gray, float") << PixelFormat::GrayF32 << false;
}

}  // namespace warpscope::gui
