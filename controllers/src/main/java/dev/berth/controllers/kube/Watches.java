package dev.berth.controllers.kube;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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

  /// How long ago the server was heard of each kind, by the plural of the kind; those that were not
  /// heard yet are left out.
  public SortedMap<String, Duration> silences() {
    var silences = new TreeMap<String, Duration>();
    for (Reflector reflector : reflectors) {
      reflector
          .silence()
          .ifPresent(since -> silences.merge(reflector.kind().plural(), since, Watches::longer));
    }
    return silences;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  @Override
  public void close() {
    reflectors.forEach(Reflector::close);
  }
}
