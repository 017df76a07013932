#include "gui/canvas/picture_maker.h"

#include <exception>

#include "engine/base/log.h"
#include "gui/base/queued_call.h"

namespace warpscope::gui {
namespace {

PicturePtr drawnBy(const SideRenderer::Drawing& draw) {
    try {
        return draw();
    } catch (const std::exception& e) {
        logMessage(LogLevel::Error, std::string("unexpected error: ") + e.what());
        return nullptr;
    }
}

}  // namespace

PictureMaker::PictureMaker(QObject* parent)
    : QObject(parent), m_made(queuedCall(this, "drain")), m_thread([this](std::stop_token stop) {
          while (const auto job = m_waiting.wait(stop)) {
              if (stop.stop_requested()) return;
              Made made{job->number, {}};
              for (const Wanted& one : job->wanted)
                  made.pictures.push_back({one.slot, drawnBy(one.draw)});
              m_made.post(std::move(made));
          }
      }) {}

std::uint64_t PictureMaker::make(std::vector<Wanted> wanted) {
    m_waiting.post({++m_number, std::move(wanted)});
    return m_number;
}

void PictureMaker::drain() {
    for (const Made& pictures : m_made.take()) emit made(pictures);
}

}  // namespace warpscope::gui
