// zstd data of many frames decoded by several threads, as one stream in order.
//
// One thread reads the compressed bytes and cuts them at borders of frames into jobs, each decoder
// decodes one job after the other, and the reader gets their text in order. The first job not
// handed out yet is the head. It may always go on, a little ahead of the reader; the others as long
// as all text that waits stays within a budget. So nothing depends on how large frames are or
// whether they say so: a single frame without end is decoded by one thread in the memory of a few
// blocks.
//
// Decoding frames side by side costs more than one by one: their windows share the caches, and
// their text is cold when its turn comes. So decoders are put to work only as far as the reader has
// to wait for them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/io/coded_source.hpp"
#include "host/io/source.hpp"

namespace cuarbiter {

// Text and faults are those of make_zstd_source() for any number of threads. Memory: 4 MiB of text
// and as much of compressed bytes, and for the second and third decoder at work 36 and 8 MiB each;
// the windows of the frames being decoded come on top. Frames that need more than 16 MiB for that
// are decoded one by one. The threads start with the first read. Destroying it interrupts the inner
// source.
class FrameParallelSource : public ByteSource {
 public:
  // The input stands at a frame's first byte. Up to `threads` (at least 1) decode, `at_once` (1 to
  // threads) of them from the start.
  FrameParallelSource(CodedInput input, unsigned threads, unsigned at_once = 1);
  FrameParallelSource(const FrameParallelSource&) = delete;
  FrameParallelSource& operator=(const FrameParallelSource&) = delete;
  ~FrameParallelSource() override;

  std::size_t read(std::span<char> into) override;
  const std::string& name() const override { return name_; }
  std::optional<std::uint64_t> size_bytes() const override { return size_; }
  std::uint64_t consumed_bytes() const override { return consumed_.load(); }
  void interrupt() noexcept override { input_.inner().interrupt(); }

 private:
  class JobInput;
  struct Block {
    std::vector<char> bytes;
    std::size_t size = 0;
  };
  // A run of whole frames.
  struct Job {
    std::uint64_t begin = 0;        // offset of its first byte in the compressed stream
    std::deque<std::string> coded;  // read and not taken by its decoder yet
    bool read = false;              // no more compressed bytes follow
    std::exception_ptr read_fault;  // what follows instead
    std::deque<Block> text;
    bool decoded = false;  // no more text follows
    std::exception_ptr fault;
  };

  void start();
  void read_coded();
  bool publish_coded(std::string piece, bool last, bool wide);
  void open_job();
  void decode_jobs();
  void decode(Job& job, const std::shared_ptr<ZstdContext>& context);
  bool take_coded(Job& job, std::string& piece);
  bool coded_waits(const Job& job);
  bool take_block(const Job& job, Block& block);
  void publish_text(Job& job, Block block);
  void put_back(Block block);
  bool next_block();
  void balance(std::chrono::nanoseconds waited);
  unsigned allowed() const { return wide_ ? 1 : wanted_; }
  std::size_t text_budget() const;
  std::size_t coded_budget() const;

  CodedInput input_;  // the reading thread's
  const std::string name_;
  const std::optional<std::uint64_t> size_;
  const unsigned threads_;
  std::atomic<std::uint64_t> consumed_;

  std::mutex mutex_;
  std::condition_variable coded_room_;     // the reading thread waits for it
  std::condition_variable coded_ready_;    // decoders: bytes of their job, or a job
  std::condition_variable text_room_;      // decoders
  std::condition_variable text_ready_;     // the reader
  std::deque<std::unique_ptr<Job>> jobs_;  // in order; the first is the head
  std::size_t started_ = 0;                // of them have a decoder
  bool open_job_ = false;                  // the last of them is being read
  bool all_read_ = false;                  // no more jobs follow
  bool wide_ = false;                      // there are frames of large windows
  bool faulty_ = false;                    // a job has a fault: those behind it are not wanted
  bool stopped_ = false;
  unsigned busy_ = 0;           // decoders at work
  unsigned wanted_;             // decoders that there is work for, 1 to threads_
  std::size_t text_held_ = 0;   // bytes in blocks that are filled or being filled
  std::size_t coded_held_ = 0;  // bytes read and not taken by decoders
  std::vector<Block> spare_;

  // The reader's own.
  std::vector<std::thread> crew_;                       // the reading thread, then decoders
  std::chrono::steady_clock::time_point window_begin_;  // blocks counted together by balance()
  std::chrono::nanoseconds window_waited_{0};
  unsigned window_blocks_ = 0;
  bool waited_before_ = false;  // half of the time of the window before
  unsigned calm_windows_ = 0;
  Block block_;  // being handed out
  std::size_t at_ = 0;
  std::uint64_t text_of_jobs_ = 0;  // handed out of the jobs that are done
  std::uint64_t text_of_head_ = 0;
  std::exception_ptr fault_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace cuarbiter
