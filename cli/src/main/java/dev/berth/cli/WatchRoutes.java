package dev.berth.cli;

import dev.berth.controllers.client.Watcher;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// Hands what the watches deliver to the parts that read it, by a table: which kinds a part reads.
/// Parts hear an object in the order of the table.
final class WatchRoutes implements Watcher {
  /// A row of the table.
  ///
  /// @param kinds that the part reads
  record Route(
      Set<Kind> kinds,
      BiConsumer<Kind, Map<String, ?>> seen,
      BiConsumer<Kind, Map<String, ?>> gone) {
    /// To a part that reads objects of one kind.
    static Route of(Kind kind, Consumer<Map<String, ?>> seen, Consumer<Map<String, ?>> gone) {
      return new Route(
          EnumSet.of(kind), (_, object) -> seen.accept(object), (_, object) -> gone.accept(object));
    }
  }

  /// What hears of lists, not of objects.
  interface Lists {
    void readable(Kind kind, boolean isReadable);

    void synced(Kind kind);
  }

  private final Map<Kind, List<Route>> byKind = new EnumMap<>(Kind.class);
  private final Lists lists;
  private final Runnable filled;

  /// @param filled runs after every list
  WatchRoutes(List<Route> table, Lists lists, Runnable filled) {
    for (Kind kind : Kind.values()) {
      byKind.put(kind, table.stream().filter(route -> route.kinds().contains(kind)).toList());
    }
    this.lists = lists;
    this.filled = filled;
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    routes(kind).forEach(route -> route.seen().accept(kind, object));
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    routes(kind).forEach(route -> route.gone().accept(kind, object));
  }

  private List<Route> routes(Kind kind) {
    return byKind.getOrDefault(kind, Collections.emptyList());
  }

  @Override
  public void readable(Kind kind, boolean isReadable) {
    lists.readable(kind, isReadable);
  }

  @Override
  public void synced(Kind kind) {
    lists.synced(kind);
    filled.run();
  }
}
