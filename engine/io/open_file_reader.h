// Reading what somebody else has opened: a regular file, or memory that looks like one.
#pragma once

#include <string>
#include <vector>

#include "engine/io/file_bytes.h"
#include "engine/io/image_reader.h"

namespace warpscope::io {

// As readImage, readReducedImage and listPages; `name` stands for the file in messages.
Result<Image> readOpenImage(int descriptor, const std::string& name, const ReadOptions& options);
Result<Image> readOpenReduced(int descriptor, const std::string& name, int side,
                              const ReadOptions& options);
Result<std::vector<PageInfo>> listOpenPages(int descriptor, const std::string& name,
                                            const ReadOptions& options);

// As decodeImage, but see reduced_reader.h.
Result<Image> decodeReduced(Bytes bytes, const std::string& name, int side,
                            const ReadOptions& options);

// The bytes that readImageFrom decodes, within the limits and with its errors.
Result<FileBytes> readStream(int descriptor, const std::string& name, const ReadOptions& options);

}  // namespace warpscope::io
