// Words that a widget paints itself, each with where it stands.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QTextItem>
#include <QWidget>
#include <vector>

namespace warpscope::test {

struct PaintedText {
    QString text;
    QRectF box;  // in the widget
};

// What the widget alone, without its children, paints now; words that it draws into a picture of
// its own first are not seen.
class PaintedTexts : public QPaintDevice {
  public:
    static std::vector<PaintedText> of(QWidget& widget) {
        PaintedTexts device(widget);
        widget.render(&device, {}, {}, {});
        return device.m_engine.texts;
    }

    QPaintEngine* paintEngine() const override { return &m_engine; }

  protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return m_widget.width();
            case PdmHeight:
                return m_widget.height();
            case PdmDpiX:
            case PdmPhysicalDpiX:
                return m_widget.logicalDpiX();
            case PdmDpiY:
            case PdmPhysicalDpiY:
                return m_widget.logicalDpiY();
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return int(devicePixelRatioFScale());
            case PdmDepth:
                return 32;
            default:
                return QPaintDevice::metric(metric);
        }
    }

  private:
    struct Engine : QPaintEngine {
        Engine() : QPaintEngine(QPaintEngine::AllFeatures) {}

        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        Type type() const override { return User; }
        void updateState(const QPaintEngineState& now) override {
            if (now.state() & DirtyTransform) transform = now.transform();
        }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const QRectF box(at.x(), at.y() - item.ascent(), item.width(),
                             item.ascent() + item.descent());
            texts.push_back({item.text(), transform.mapRect(box)});
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&,
                       Qt::ImageConversionFlags) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}

        QTransform transform;
        std::vector<PaintedText> texts;
    };

    explicit PaintedTexts(QWidget& widget) : m_widget(widget) {}

    QWidget& m_widget;
    mutable Engine m_engine;
};

}  // namespace warpscope::test
