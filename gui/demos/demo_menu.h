// The Demo menu: an entry an experiment, grouped by the text it comes from.
#pragma once

#include <QMenu>
#include <vector>

#include "engine/measure/published.h"

namespace warpscope::gui {

class DemoMenu : public QMenu {
    Q_OBJECT
  public:
    explicit DemoMenu(const std::vector<PublishedExperiment>& experiments,
                      QWidget* parent = nullptr);

    // Those that can be chosen and those that cannot, which name the reason.
    const QList<QAction*>& entries() const { return m_entries; }

  signals:
    void chosen(const warpscope::PublishedExperiment& experiment);

  private:
    const std::vector<PublishedExperiment> m_experiments;
    QList<QAction*> m_entries;
};

}  // namespace warpscope::gui
