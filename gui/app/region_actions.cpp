#include "gui/app/region_actions.h"

#include <QMenu>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"

namespace warpscope::gui {

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

void connectRegionShapes(const Actions& actions, Canvas& canvas) {
    const QList<QAction*> shapes = actions.regionShapeGroup->actions();
    for (int i = 0; i < int(shapes.size()); ++i)
        QObject::connect(shapes[i], &QAction::triggered, &canvas,
                         [&canvas, i] { canvas.setDrawnShape(RegionShape::Kind(i)); });
    QObject::connect(actions.nextRegionShape, &QAction::triggered, &canvas, [&canvas] {
        canvas.setDrawnShape(RegionShape::Kind((int(canvas.drawnShape()) + 1) % 3));
    });
    QObject::connect(&canvas, &Canvas::drawnShapeChanged, &canvas,
                     [&canvas, shapes] { shapes[int(canvas.drawnShape())]->setChecked(true); });
}

}  // namespace warpscope::gui
