// Work for several devices at once.
#pragma once

#include <cstddef>
#include <functional>

namespace cuarbiter {

// Calls work(i, progress) for every i below `devices`, each on a thread of its own, and returns
// when all have ended. The work calls `progress` with how much it has done so far; when another one
// has failed, that call throws and so ends the work. Meanwhile the calling thread calls `report`
// with the sum of all, some times a second. Throws what the work that failed first threw.
void on_device_threads(
    std::size_t devices,
    const std::function<void(std::size_t, const std::function<void(double)>&)>& work,
    const std::function<void(double)>& report);

}  // namespace cuarbiter
