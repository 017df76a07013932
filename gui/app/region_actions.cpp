#include "gui/app/region_actions.h"

#include <QMenu>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"
#include "gui/document/settings.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kShape = QStringLiteral("regionShape");
constexpr int kShapes = 3;

QString saidOf(RegionShape::Kind kind) {
    switch (kind) {
        case RegionShape::Kind::Rectangle:
            return tr("Regions are rectangles: Shift and drag, or R");
        case RegionShape::Kind::Ellipse:
            return tr("Regions are ellipses: Shift and drag, or R");
        case RegionShape::Kind::Polygon:
            break;
    }
    return tr("Regions are drawn freehand: Shift and drag, or R and drag");
}

}  // namespace

void Actions::makeRegionShapes() {
    regionShapeGroup = group(
        {make("regionRectangle", tr("&Rectangle"), nullptr, {}, tr("Shift and drag draws one")),
         make("regionEllipse", tr("&Ellipse"), nullptr, {},
              tr("Shift and drag draws one; exactly its pixels count")),
         make("regionFreehand", tr("&Freehand"), nullptr, {},
              tr("Shift and drag draws its outline; exactly its pixels count"))});
    regionShapeGroup->actions().front()->setChecked(true);
    nextRegionShape = makeOnCanvas("nextRegionShape", tr("&Next shape of regions"), nullptr,
                                   {Qt::Key_O}, tr("rectangle, ellipse, freehand"));
}

QMenu* Actions::regionShapeMenu(QWidget* parent) {
    auto* shapes = new QMenu(tr("Sh&ape of regions"), parent);
    shapes->addActions(regionShapeGroup->actions());
    shapes->addSeparator();
    shapes->addAction(nextRegionShape);
    for (Entry& entry : m_entries)
        if (shapes->actions().contains(entry.action)) entry.menu = plainText(shapes->menuAction());
    return shapes;
}

void connectRegionShapes(const Actions& actions, Canvas& canvas, Settings& settings) {
    const QList<QAction*> shapes = actions.regionShapeGroup->actions();
    const auto choose = [&canvas](int index) {
        const auto kind = RegionShape::Kind(index % kShapes);
        canvas.setDrawnShape(kind);
        canvas.say(saidOf(kind));
    };
    for (int i = 0; i < int(shapes.size()); ++i)
        QObject::connect(shapes[i], &QAction::triggered, &canvas, [choose, i] { choose(i); });
    QObject::connect(actions.nextRegionShape, &QAction::triggered, &canvas,
                     [choose, &canvas] { choose(int(canvas.drawnShape()) + 1); });
    canvas.setDrawnShape(RegionShape::Kind(settings.chosen(kShape).value_or(0) % kShapes));
    shapes[int(canvas.drawnShape())]->setChecked(true);
    QObject::connect(&canvas, &Canvas::drawnShapeChanged, &canvas, [&canvas, &settings, shapes] {
        shapes[int(canvas.drawnShape())]->setChecked(true);
        settings.setChosen(kShape, int(canvas.drawnShape()));
    });
}

}  // namespace warpscope::gui
