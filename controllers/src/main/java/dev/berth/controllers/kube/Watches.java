package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/// All that Berth watches: one [Reflector] per kind.
public final class Watches implements Freshness, AutoCloseable {
  private final List<Reflector> reflectors;

  /// @param watcher called by one thread per kind
  /// @param chance 0 to below 1
  /// @param answered what writes of this process were answered
  /// @param wentBack hears that etcd was restored to an earlier state: what was read is not true
  ///   any more, and this process must end
  public Watches(
      KubeCluster cluster,
      Collection<Kind> kinds,
      Watcher watcher,
      WatchSettings settings,
      InstantSource time,
      DoubleSupplier chance,
      Metrics metrics,
      AnsweredWrites answered,
      Consumer<String> wentBack) {
    this.reflectors =
        kinds.stream()
            .map(kind ->
                new Reflector(
                    kind,
                    cluster.watches(),
                    watcher,
                    settings,
                    time,
                    chance,
                    metrics,
                    answered,
                    wentBack))
            .toList();
  }

  public void start() {
    reflectors.forEach(Reflector::start);
  }

  @Override
  public boolean isFresh() {
    for (Reflector reflector : reflectors) {
      if (!reflector.isFresh()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String whatIsMissing() {
    return reflectors.stream()
        .filter(reflector -> !reflector.isFresh())
        .map(reflector ->
            reflector.kind().plural() + (reflector.isSynced() ? " (stale)" : " (not listed)"))
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    reflectors.forEach(Reflector::close);
  }
}
