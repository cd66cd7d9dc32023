package dev.berth.controllers.kube;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// All that Berth watches: one [Reflector] per kind.
public final class Watches implements Freshness, AutoCloseable {
  private final List<Reflector> reflectors;

  /// @param watcher called by one thread per kind
  public Watches(
      KubeCluster cluster,
      Collection<Kind> kinds,
      Watcher watcher,
      WatchSettings settings,
      WatchClock clock,
      WatchObserver observer) {
    this.reflectors =
        kinds.stream()
            .map(kind -> new Reflector(kind, cluster.watches(), watcher, settings, clock, observer))
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
