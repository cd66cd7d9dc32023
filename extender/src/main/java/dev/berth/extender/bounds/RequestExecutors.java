package dev.berth.extender.bounds;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Executors that run each task on a virtual thread of its own, so that it may wait.
public final class RequestExecutors {
  private RequestExecutors() {}

  /// @param name begins the names of the threads, which are numbered
  public static ExecutorService named(String name) {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory());
  }
}
