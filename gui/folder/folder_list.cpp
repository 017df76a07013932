#include "gui/folder/folder_list.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "engine/io/image_reader.h"
#include "gui/base/file_name.h"
#include "gui/folder/natural_order.h"

namespace warpscope::gui {
namespace {

namespace fs = std::filesystem;

std::set<std::string> imageExtensions() {
    std::set<std::string> all;
    for (const FormatInfo& format : imageFormats())
        if (format.reads) all.insert(format.extensions.begin(), format.extensions.end());
    return all;
}

std::vector<NaturalKey> imageNames(const fs::path& folder) {
    const std::set<std::string> extensions = imageExtensions();
    std::vector<NaturalKey> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
         !error && it != fs::directory_iterator(); it.increment(error)) {
        const fs::path name = it->path().filename();
        std::error_code unknown;
        if (name.native().front() == '.' || !extensions.contains(lowerExtension(name)) ||
            !it->is_regular_file(unknown))
            continue;
        names.emplace_back(textOf(name));
    }
    return names;
}

QString folderOf(const QString& file) {
    return file.left(file.lastIndexOf(QLatin1Char('/')) + 1);
}

QStringList inOrder(const QString& folder, std::vector<NaturalKey> names) {
    std::ranges::sort(names, [](const auto& a, const auto& b) { return a < b; });
    QStringList paths;
    paths.reserve(qsizetype(names.size()));
    for (const NaturalKey& key : names) paths << folder + key.name();
    return paths;
}

}  // namespace

QStringList imagesOfFolder(const QString& folder) {
    const bool closed = folder.endsWith(QLatin1Char('/'));
    return inOrder(closed ? folder : folder + QLatin1Char('/'), imageNames(pathOf(folder)));
}

bool isFolder(const QString& path) {
    std::error_code error;
    return fs::is_directory(pathOf(path), error);
}

QStringList withFoldersOpened(const QStringList& paths) {
    QStringList images;
    for (const QString& path : paths) {
        if (isFolder(path))
            images += imagesOfFolder(path);
        else
            images << path;
    }
    images.removeDuplicates();
    return images;
}

QStringList imagesAround(const QString& file) {
    const QString folder = folderOf(file);
    std::vector<NaturalKey> names = imageNames(pathOf(folder));
    const QString name = file.mid(folder.size());
    if (std::ranges::none_of(names, [&](const auto& key) { return key.name() == name; }))
        names.emplace_back(name);
    return inOrder(folder, std::move(names));
}

}  // namespace warpscope::gui
