// Small pictures and files for tests of the window.
#pragma once

#include <QDir>
#include <QFile>
#include <QString>

#include "engine/image/pyramid.h"
#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

inline Image sceneOf(Size size, std::uint32_t seed = 7, bool color = true) {
    return makeScene(size, color, seed, CpuContext{}).value();
}

inline PyramidPtr pyramidOf(const Image& image) {
    return std::make_shared<const Pyramid>(buildPyramid(image, CpuContext{}).value());
}

// Writes a PNG and gives its path.
inline QString writeScene(const QString& folder, const QString& name, Size size,
                          std::uint32_t seed = 7) {
    const QString path = QDir(folder).filePath(name);
    const auto saved = saveImage(sceneOf(size, seed), path.toStdString());
    return saved ? path : QString();
}

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline RenderWorker::BackendFactory cpuBackends() {
    return [] { return BackendSet::cpuOnly("no NVIDIA driver is installed"); };
}

}  // namespace warpscope::gui
