package dev.berth.controllers.kube;

import dev.berth.controllers.client.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// Writes down what is delivered, as `seen a@101`, `gone a uid-a@105`, `synced`, and on request
/// `reached 105`.
final class Deliveries implements Watcher {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  final List<Boolean> readable = new CopyOnWriteArrayList<>();
  private final List<String> lines = new ArrayList<>();
  volatile boolean tellsVersions;

  @Override
  public synchronized void seen(Kind kind, Map<String, ?> object) {
    say("seen " + name(object));
  }

  @Override
  public synchronized void gone(Kind kind, Map<String, ?> object) {
    say("gone " + name(object) + " " + JsonBodies.at(object, "metadata", "uid"));
  }

  @Override
  public void readable(Kind kind, boolean isReadable) {
    readable.add(isReadable);
  }

  @Override
  public synchronized void synced(Kind kind) {
    say("synced");
  }

  @Override
  public synchronized void reached(Kind kind, String version) {
    if (tellsVersions) {
      say("reached " + version);
    }
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  synchronized void clear() {
    lines.clear();
  }

  /// Waits until this has been delivered, that often.
  synchronized void await(String line, int times) {
    long deadline = System.nanoTime() + PATIENCE;
    while (lines.stream().filter(line::equals).count() < times) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("waited for '" + line + "' × " + times + ", got " + lines);
      }
      try {
        wait(left);
      } catch (InterruptedException stopping) {
        throw new AssertionError(stopping);
      }
    }
  }

  void await(String line) {
    await(line, 1);
  }

  private void say(String line) {
    lines.add(line);
    notifyAll();
  }

  private static String name(Map<String, ?> object) {
    return JsonBodies.at(object, "metadata", "name");
  }
}
