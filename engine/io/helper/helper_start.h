// Starting the decoding process from a program of many threads and large mappings.
#pragma once

#include <sys/types.h>

#include "engine/io/file_handle.h"
#include "engine/io/isolated_reader.h"

namespace warpscope::io {

struct StartedHelper {
    FileHandle socket;
    pid_t process = -1;
};

// With nothing open but its socket (3) and /dev/null, in a process group of its own, so that Ctrl-C
// is heard by the program alone. Errors: NotFound, Io, OutOfMemory (of processes or descriptors).
Result<StartedHelper> startHelper(const DecodeHelper& program);

// Where the program lies: beside this library or the running program, or in a neighbouring folder
// of programs. Empty: nowhere.
std::filesystem::path findHelper();

}  // namespace warpscope::io
