package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Farewells to objects that a watch has not shown leaving.
final class ObjectIndexTest {
  private final ObjectIndex known = new ObjectIndex();

  /// Were it as late as its successor, that would count as seen before.
  @Test
  void theFarewellOfAPredecessorIsEarlierThanItsSuccessor() {
    known.listBegins();
    assertThat(known.note(object("a", "uid-1", "5"))).isEmpty();
    assertThat(known.note(object("a", "uid-1", "6"))).as("the same").isEmpty();
    var farewell = known.note(object("a", "uid-2", "9")).orElseThrow();
    assertThat(JsonBodies.at(farewell, "metadata", "uid")).isEqualTo("uid-1");
    assertThat(Long.parseLong(ObjectIndex.version(farewell))).isBetween(6L, 8L);
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
    assertThat(JsonBodies.at(gone.getFirst(), "metadata", "name")).isEqualTo("a");
    assertThat(ObjectIndex.version(gone.getFirst())).isEqualTo("20");
    assertThat(known.vanished("21")).as("told once").isEmpty();
  }

  /// Since versions may have grown beyond those that were read.
  @Test
  void anObjectThatIsAsItWasEarlierTellsThatEtcdWentBack() {
    known.listBegins();
    known.note(object("a", "uid-1", "5"));
    known.note(object("b", "uid-2", "9"));
    known.listBegins();
    assertThat(known.wasLater(object("a", "uid-1", "5"))).as("as it was").isFalse();
    assertThat(known.wasLater(object("b", "uid-2", "12"))).as("later").isFalse();
    assertThat(known.wasLater(object("b", "uid-2", "7"))).as("earlier").isTrue();
    assertThat(known.wasLater(object("b", "uid-3", "12"))).as("another, later").isFalse();
    assertThat(known.wasLater(object("b", "uid-3", "7")))
        .as("another of before what was read: would be taken for late news for ever")
        .isTrue();
  }

  @Test
  void goneObjectThatIsShownAgainTellsThatEtcdWentBack() {
    known.listBegins();
    known.note(object("a", "uid-1", "5"));
    known.note(object("b", "uid-2", "6"));
    known.note(object("c", "uid-3", "7"));
    known.forget(object("a", "uid-1", "8"));
    known.note(object("b", "uid-4", "9"));
    known.listBegins();
    known.note(object("b", "uid-4", "9"));
    known.vanished("10");
    for (String uid : List.of("uid-1", "uid-2", "uid-3")) {
      assertThat(known.wasLater(object("x", uid, "20"))).as(uid).isTrue();
    }
    assertThat(known.wasLater(object("b", "uid-4", "9"))).as("a later version was known").isFalse();
  }

  @Test
  void whatMayNotBeReadForAWhileMayBeShownAgain() {
    known.listBegins();
    known.note(object("a", "uid-1", "5"));
    assertThat(known.hidden("6")).hasSize(1);
    known.listBegins();
    assertThat(known.wasLater(object("a", "uid-1", "5"))).as("a later version was known").isFalse();
    known.forget(JsonBodies.object("metadata", JsonBodies.object("name", "x")));
    assertThat(known.wasLater(JsonBodies.object("metadata", JsonBodies.object("name", "y"))))
        .as("without UID")
        .isFalse();
  }

  private static Map<String, Object> object(String name, String uid, String version) {
    return JsonBodies.object(
        "metadata", JsonBodies.object("name", name, "uid", uid, "resourceVersion", version));
  }
}
