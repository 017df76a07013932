// A folder to save into, and what is looked at afterwards.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "engine/io/image_writer.h"

namespace io_test {

class SavingFolder {
  public:
    std::filesystem::path path(std::string_view name = {}) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    void put(std::string_view name, std::string_view text) const {
        std::ofstream(path(name), std::ios::binary)
            .write(text.data(), std::streamsize(text.size()));
    }
    std::string get(std::string_view name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    warpscope::Result<std::vector<std::string>> save(
        std::string_view name, std::string_view text,
        const warpscope::WriteOptions& options = {}) const {
        return warpscope::replaceFile(
            path(name), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, options);
    }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            found.insert(entry.path().filename().string());
        return found;
    }
    // What killed saves have left goes with one of the next saves.
    bool becomes(const std::set<std::string>& wanted) const {
        return QTest::qWaitFor([&] { return save("sweeper", "x") && names() == wanted; }, 20'000);
    }

  private:
    QTemporaryDir m_folder;
};

}  // namespace io_test
