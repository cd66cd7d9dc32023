package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// Farewells to objects that a watch has not shown leaving.
final class KnownTest {
  private final Known known = new Known();

  /// Were it as late as its successor, that would count as seen before.
  @Test
  void theFarewellOfAPredecessorIsEarlierThanItsSuccessor() {
    known.listBegins();
    assertThat(known.note(object("a", "uid-1", "5"))).isEmpty();
    assertThat(known.note(object("a", "uid-1", "6"))).as("the same").isEmpty();
    var farewell = known.note(object("a", "uid-2", "9")).orElseThrow();
    assertThat(Json.at(farewell, "metadata", "uid")).isEqualTo("uid-1");
    assertThat(Long.parseLong(Known.version(farewell))).isBetween(6L, 8L);
  }

  @Test
  void whatALaterListDoesNotShowIsGoneByItsVersion() {
    known.listBegins();
    known.note(object("a", "uid-1", "5"));
    known.note(object("b", "uid-2", "6"));
    known.listBegins();
    known.note(object("b", "uid-2", "6"));
    var gone = known.vanished("20");
    assertThat(gone).hasSize(1);
    assertThat(Json.at(gone.getFirst(), "metadata", "name")).isEqualTo("a");
    assertThat(Known.version(gone.getFirst())).isEqualTo("20");
    assertThat(known.vanished("21")).as("told once").isEmpty();
  }

  private static Map<String, Object> object(String name, String uid, String version) {
    return Json.object(
        "metadata", Json.object("name", name, "uid", uid, "resourceVersion", version));
  }
}
