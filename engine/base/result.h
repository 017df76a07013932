// Errors as values. Every function that can fail for a reason outside the program returns
// Result<T>.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace warpscope {

enum class ErrorCode {
    InvalidArgument,  // a value that the caller gave is outside what is allowed
    NotFound,         // no such file, operation, parameter, device
    Unsupported,      // well-formed, but nothing here can do it
    Damaged,          // a file that is cut or corrupt
    LimitExceeded,    // refused by a limit; the message names the limit
    OutOfMemory,      // host or device
    Cancelled,        // somebody asked to stop; never shown as a failure
    DeviceFault,      // the GPU reported an error
    Io,               // the operating system refused to read or write
    Internal          // a broken promise of ours
};

// `message` is one sentence for a person: what failed, on what, why, and the limit if one was hit.
// It has no trailing full stop and no line break.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

inline tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::Cancelled, "cancelled");
}

}  // namespace warpscope
