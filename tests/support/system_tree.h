// A /proc and a /sys of a test's own.
#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/base/system_files.h"

struct SystemTree {
    QTemporaryDir folder;
    warpscope::SystemFolders folders{std::filesystem::path(folder.path().toStdString()) / "proc",
                                     std::filesystem::path(folder.path().toStdString()) / "sys"};

    // `name`: "proc/stat", "sys/devices/...".
    void put(const std::string& name, const std::string& text) const {
        const auto file = std::filesystem::path(folder.path().toStdString()) / name;
        std::filesystem::create_directories(file.parent_path());
        // A file that is cut and written anew goes to the disk at once, on some file systems.
        std::filesystem::remove(file);
        std::ofstream(file, std::ios::binary) << text;
    }
    void cpu(int number, const std::string& name, const std::string& text) const {
        put("sys/devices/system/cpu/cpu" + std::to_string(number) + "/" + name, text + "\n");
    }
    void remove(const std::string& name) const {
        std::filesystem::remove_all(std::filesystem::path(folder.path().toStdString()) / name);
    }
};
