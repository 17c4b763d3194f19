#include "app/cli/interrupt.h"

#include <csignal>

#include <pthread.h>
#include <unistd.h>

#include "app/cli/exit_codes.h"

namespace convscope::cli {
namespace {

sigset_t handled_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR2);  // ends the waiting thread
  return signals;
}

void wait_for_signals(const std::stop_source& stop) {
  const sigset_t signals = handled_signals();
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0 || signal == SIGUSR2) return;
    if (!stop.request_stop()) _exit(cancelled);
  }
}

}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = handled_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::thread(wait_for_signals, stop_);
}

Interrupt::~Interrupt() {
  pthread_kill(waiter_.native_handle(), SIGUSR2);
  waiter_.join();
}

}  // namespace convscope::cli
