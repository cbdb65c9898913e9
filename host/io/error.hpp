// What can go wrong with bytes: two exceptions, so that a command can tell a fault (exit status 3)
// from a reader of our output that has simply had enough (a quiet success).
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace cuarbiter {

// Input that cannot be read or decoded, or output that cannot be written. The message names the
// file, what failed and why (the system's text for an errno, or the decoder's reason), and for
// compressed input the byte offset in the compressed stream.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whoever read our output (a pipe) has closed it. Not a fault: the run ends quietly.
class ClosedPipe : public std::exception {
 public:
  const char* what() const noexcept override { return "the reader of the output closed it"; }
};

// An IoError for a failed system call: "NAME: cannot ACTION: the text of the errno".
IoError io_error_from_errno(const std::string& name, const char* action, int error_number);

}  // namespace cuarbiter
