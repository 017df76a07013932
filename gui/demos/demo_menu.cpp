#include "gui/demos/demo_menu.h"

#include <QStringList>
#include <algorithm>

#include "gui/demos/demo_runner.h"
#include "gui/widgets/engine_text.h"

namespace warpscope::gui {
namespace {

constexpr int kHeadingMargin = 8;

QString sizesText(const PublishedExperiment& experiment) {
    QStringList sizes;
    for (const PublishedRow& row : experiment.rows) {
        const QString size = row.size.width == row.size.height ? QString::number(row.size.width)
                                                               : sizeText(row.size);
        if (!sizes.contains(size)) sizes << size;
    }
    return sizes.join(QStringLiteral(", "));
}

}  // namespace

DemoMenu::DemoMenu(const std::vector<PublishedExperiment>& experiments, QWidget* parent)
    : QMenu(tr("&Demo"), parent), m_experiments(experiments) {
    setObjectName(QStringLiteral("demoMenu"));
    ensurePolished();
    int widest = 0;  // of the headings, which styles leave out of a menu's width
    std::string source;
    for (const PublishedExperiment& experiment : m_experiments) {
        if (experiment.source != source) {
            source = experiment.source;
            const QString heading = engineText(source);
            addSection(heading);
            widest = std::max(widest, fontMetrics().horizontalAdvance(heading));
        }
        QString text = tr("%1 (%2)").arg(engineText(experiment.title), sizesText(experiment));
        const QString reason = DemoRunner::unavailable(experiment);
        if (!reason.isEmpty()) text = tr("%1: not available, %2").arg(text, reason);
        QAction* entry = addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")));
        entry->setObjectName(QStringLiteral("demo/") + QString::fromStdString(experiment.id));
        entry->setEnabled(reason.isEmpty());
        entry->setStatusTip(engineText(experiment.summary));
        connect(entry, &QAction::triggered, this, [this, &experiment] { emit chosen(experiment); });
        m_entries << entry;
    }
    setMinimumWidth(widest + 2 * kHeadingMargin);
}

}  // namespace warpscope::gui
