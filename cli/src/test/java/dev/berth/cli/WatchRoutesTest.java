package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.WatchRoutes.Route;
import dev.berth.controllers.client.Watcher.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WatchRoutesTest {
  private final List<String> heard = new ArrayList<>();

  private final WatchRoutes routes =
      new WatchRoutes(
          List.of(
              route("all", EnumSet.allOf(Kind.class)),
              Route.of(Kind.QUEUE, _ -> heard.add("queues: seen"), _ -> heard.add("queues: gone")),
              route("two", EnumSet.of(Kind.POD, Kind.QUEUE))),
          new WatchRoutes.Lists() {
            @Override
            public void readable(Kind kind, boolean isReadable) {
              heard.add(kind + " readable: " + isReadable);
            }

            @Override
            public void synced(Kind kind) {
              heard.add(kind + " synced");
            }
          },
          () -> heard.add("filled"));

  private Route route(String name, EnumSet<Kind> kinds) {
    return new Route(
        kinds,
        (kind, _) -> heard.add(name + ": seen " + kind),
        (kind, _) -> heard.add(name + ": gone " + kind));
  }

  @Test
  void anObjectReachesThePartsThatReadItsKindInTheOrderOfTheTable() {
    routes.seen(Kind.QUEUE, Map.of());
    assertThat(heard).containsExactly("all: seen QUEUE", "queues: seen", "two: seen QUEUE");
    heard.clear();
    routes.gone(Kind.QUEUE, Map.of());
    assertThat(heard).containsExactly("all: gone QUEUE", "queues: gone", "two: gone QUEUE");
  }

  @Test
  void aPartHearsOfNoOtherKind() {
    routes.seen(Kind.POD, Map.of());
    routes.gone(Kind.NODE, Map.of());
    assertThat(heard).containsExactly("all: seen POD", "two: seen POD", "all: gone NODE");
  }

  @Test
  void partsHearThatAListIsInTheLedgerAfterIt() {
    routes.readable(Kind.VOLUME, false);
    routes.synced(Kind.VOLUME);
    assertThat(heard).containsExactly("VOLUME readable: false", "VOLUME synced", "filled");
  }
}
