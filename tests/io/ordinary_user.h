// Permissions do not bind the superuser, who becomes somebody else for a while.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace io_test {

class OrdinaryUser {
  public:
    // `folder` is one that this user has to reach.
    explicit OrdinaryUser(const std::filesystem::path& folder) {
        if (::geteuid() != 0) return;
        std::filesystem::permissions(folder, std::filesystem::perms(0755));
        m_changed = ::seteuid(65534) == 0;
    }
    ~OrdinaryUser() {
        if (m_changed && ::seteuid(0) != 0) std::abort();
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;

  private:
    bool m_changed = false;
};

}  // namespace io_test
