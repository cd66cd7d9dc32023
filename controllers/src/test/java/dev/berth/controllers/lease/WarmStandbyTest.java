package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WarmStandbyTest {
  private final List<String> heard = new ArrayList<>();
  private final Map<Kind, Boolean> readable = new EnumMap<>(Kind.class);
  private final WarmStandby standby = new WarmStandby(new Product());

  @Test
  void theProductHearsNothingBeforeItIsHandedOn() {
    standby.seen(Kind.POD, pod("a", 1));
    standby.synced(Kind.POD);
    standby.reached(Kind.POD, "1");
    assertThat(heard).isEmpty();
  }

  @Test
  void theProductGetsWhatIsThereAsItWasLastAndThenEverything() {
    standby.seen(Kind.POD, pod("a", 1));
    standby.seen(Kind.POD, pod("b", 2));
    standby.synced(Kind.POD);
    standby.seen(Kind.POD, pod("a", 3));
    standby.gone(Kind.POD, pod("b", 4));
    standby.seen(Kind.NODE, pod("n", 5));
    standby.handOn();
    assertThat(heard).containsExactly("NODE seen n@5", "POD seen a@3", "POD synced");
    heard.clear();

    standby.synced(Kind.NODE);
    standby.gone(Kind.POD, pod("a", 6));
    assertThat(heard).containsExactly("NODE synced", "POD gone a@6");
  }

  @Test
  void theProductHearsWhetherAKindMayBeRead() {
    standby.readable(Kind.VOLUME, true);
    standby.synced(Kind.VOLUME);
    standby.readable(Kind.VOLUME_CLAIM, false);
    standby.synced(Kind.VOLUME_CLAIM);
    standby.synced(Kind.POD);
    standby.handOn();
    assertThat(readable).isEqualTo(Map.of(Kind.VOLUME, true, Kind.VOLUME_CLAIM, false));
    standby.readable(Kind.VOLUME, false);
    assertThat(readable).containsEntry(Kind.VOLUME, false);
  }

  /// A list from which it is missing is told with an empty namespace.
  @Test
  void anObjectWithoutANamespaceThatVanishedIsNotHandedOn() {
    standby.seen(Kind.NODE, Map.of("metadata", Map.of("name", "n", "resourceVersion", "5")));
    standby.gone(
        Kind.NODE,
        Map.of("metadata", Map.of("namespace", "", "name", "n", "resourceVersion", "6")));
    standby.handOn();
    assertThat(heard).isEmpty();
  }

  @Test
  void itTellsHowFarAKindIsDelivered() {
    assertThat(standby.hasReached(Kind.POD, "7")).as("nothing is listed").isFalse();
    standby.reached(Kind.POD, "6");
    assertThat(standby.hasReached(Kind.POD, "7")).isFalse();
    standby.reached(Kind.NODE, "9");
    assertThat(standby.hasReached(Kind.POD, "7")).as("another kind").isFalse();
    standby.reached(Kind.POD, "10");
    assertThat(standby.hasReached(Kind.POD, "7")).as("as numbers").isTrue();
  }

  @Test
  void itNamesTheKindsThatAreNotListed() {
    var watched = List.of(Kind.NODE, Kind.POD);
    assertThat(standby.missing(watched)).contains("not yet delivered: nodes, pods");
    standby.synced(Kind.NODE);
    assertThat(standby.missing(watched)).contains("not yet delivered: pods");
    standby.synced(Kind.POD);
    assertThat(standby.missing(watched)).isEmpty();
  }

  private static Map<String, Object> pod(String name, int version) {
    return Map.of(
        "metadata",
        Map.of("namespace", "default", "name", name, "resourceVersion", String.valueOf(version)));
  }

  private final class Product implements Watcher {
    @Override
    public void seen(Kind kind, Map<String, ?> object) {
      heard.add(kind.name() + " seen " + shown(object));
    }

    @Override
    public void gone(Kind kind, Map<String, ?> object) {
      heard.add(kind.name() + " gone " + shown(object));
    }

    @Override
    public void readable(Kind kind, boolean isReadable) {
      readable.put(kind, isReadable);
    }

    @Override
    public void synced(Kind kind) {
      heard.add(kind.name() + " synced");
    }

    private static String shown(Map<String, ?> object) {
      return object.get("metadata") instanceof Map<?, ?> metadata
          ? metadata.get("name") + "@" + metadata.get("resourceVersion")
          : "";
    }
  }
}
