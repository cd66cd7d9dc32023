package dev.berth.engine.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ValueFormatTest {
  enum Colour {
    RED,
    GREEN
  }

  record Name(String value) {}

  sealed interface Tree {
    record Leaf(
        boolean flag, int small, long large, double real, Instant at, Duration lasts, Colour colour)
        implements Tree {}

    record Inner(List<Tree> children, Optional<Name> name, Amounts amounts) implements Tree {
      public Inner {
        children = List.copyOf(children);
      }
    }

    record Table(SortedMap<Name, Long> sorted, Map<String, Integer> map, Set<Colour> set)
        implements Tree {}
  }

  record Positive(int value, int other, int third) {
    Positive {
      if (value < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  record Object2(Object anything) {}

  private static final ValueFormat<Tree> TREES = new ValueFormat<>(Tree.class);

  private static Tree.Leaf leaf(long number) {
    return new Tree.Leaf(
        number % 2 == 0,
        (int) number,
        number * Integer.MAX_VALUE,
        number / 3.0,
        Instant.ofEpochSecond(number, 999_999_999),
        Duration.ofNanos(number * 7),
        Colour.GREEN);
  }

  @Test
  void whatIsWrittenIsRead() throws FormatException {
    var sorted = new TreeMap<Name, Long>((a, b) -> a.value().compareTo(b.value()));
    var inner =
        new Tree.Inner(
            List.of(
                leaf(-5),
                new Tree.Inner(List.of(), Optional.empty(), Amounts.NONE),
                new Tree.Table(
                    sorted, Map.of("z", -1, "ä", Integer.MIN_VALUE), Set.of(Colour.RED))),
            Optional.of(new Name("a \u0000 name, \uD83D\uDE80")),
            Amounts.of(Resource.CPU, Long.MIN_VALUE));
    var far = new Tree.Leaf(true, 0, Long.MAX_VALUE, -0.0, Instant.MIN, Duration.ZERO, Colour.RED);
    for (Tree each : List.of(inner, far, leaf(Integer.MAX_VALUE))) {
      assertThat(TREES.read(TREES.bytes(each))).isEqualTo(each);
    }
  }

  @Test
  void equalValuesOfOtherObjectsGiveEqualBytes() {
    var one = leaf(3);
    var shared = new Tree.Inner(List.of(one, one), Optional.empty(), Amounts.NONE);
    var apart = new Tree.Inner(List.of(one, leaf(3)), Optional.empty(), Amounts.NONE);
    assertThat(TREES.bytes(shared)).isEqualTo(TREES.bytes(apart));
    assertThat(TREES.bytes(leaf(4))).isNotEqualTo(TREES.bytes(one));
  }

  @Test
  void mapsAndSetsWithoutAnOrderAreWrittenInOne() {
    var forth = new java.util.LinkedHashMap<String, Integer>();
    var back = new java.util.LinkedHashMap<String, Integer>();
    for (int i = 0; i < 20; i++) {
      forth.put("key" + i, i);
      back.put("key" + (19 - i), 19 - i);
    }
    assertThat(TREES.bytes(new Tree.Table(new TreeMap<>(), forth, Set.of())))
        .isEqualTo(TREES.bytes(new Tree.Table(new TreeMap<>(), back, Set.of())));
  }

  @Test
  void whatIsOneObjectIsOneObjectAgain() throws FormatException {
    var shared = leaf(1);
    var alike = leaf(1);
    var writer = TREES.new Writer();
    var reader = TREES.new Reader();
    var first = (Tree.Leaf) reader.read(writer.write(shared));
    var again =
        (Tree.Inner)
            reader.read(
                writer.write(
                    new Tree.Inner(List.of(shared, alike), Optional.empty(), Amounts.NONE)));
    assertThat(again.children().getFirst()).isSameAs(first);
    assertThat(again.children().getLast()).isEqualTo(first).isNotSameAs(first);
    assertThat(writer.written()).isEqualTo(4); // with the inner one and its amounts
  }

  /// Of lists that change in any way: equal, and of the same objects wherever they were.
  @Test
  void aLongListIsWrittenAsItsChanges() throws FormatException {
    var random = new Random(7);
    var writer = TREES.new Writer();
    var reader = TREES.new Reader();
    List<Tree> list = new ArrayList<>();
    List<Tree> before = List.of();
    List<Tree> readBefore = List.of();
    for (int i = 0; i < 400; i++) {
      list.add(leaf(i));
    }
    for (int step = 0; step < 300; step++) {
      var now = step % 10 == 9 ? before : List.copyOf(list);
      var bytes = writer.write(new Tree.Inner(now, Optional.empty(), Amounts.NONE));
      var read = ((Tree.Inner) reader.read(bytes)).children();
      assertThat(read).isEqualTo(now);
      for (int i = 0; i < now.size(); i++) {
        int was = indexOf(before, now.get(i));
        if (was >= 0) {
          assertThat(read.get(i)).as("step %s, element %s", step, i).isSameAs(readBefore.get(was));
        }
      }
      if (now == before) {
        assertThat(read).isSameAs(readBefore);
        assertThat(bytes.length).isLessThan(8);
      }
      before = now;
      readBefore = read;
      change(list, random, step);
    }
  }

  private static int indexOf(List<Tree> list, Tree one) {
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) == one) {
        return i;
      }
    }
    return -1;
  }

  private static void change(List<Tree> list, Random random, int step) {
    int most = step % 50 == 49 ? 100 : 4;
    for (int i = random.nextInt(most); i >= 0 && !list.isEmpty(); i--) {
      int at = random.nextInt(list.size());
      switch (random.nextInt(4)) {
        case 0 -> list.remove(at);
        case 1 -> list.add(at, leaf(1000L * step + i));
        case 2 -> list.set(at, leaf(1000L * step + i));
        default -> list.add(random.nextInt(list.size()), list.remove(at));
      }
    }
  }

  @Test
  void bytesThatWereNotWrittenAreRefused() {
    var whole = TREES.bytes(new Tree.Inner(List.of(leaf(1)), Optional.empty(), Amounts.NONE));
    for (int length = 0; length < whole.length; length++) {
      var part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> TREES.read(part))
          .as("%s bytes of %s", length, whole.length)
          .isInstanceOf(FormatException.class);
    }
    assertThatThrownBy(() -> TREES.read(Arrays.copyOf(whole, whole.length + 1)))
        .hasMessage("1 bytes follow the end of a value");
    assertThatThrownBy(() -> TREES.read(new byte[] {9})).hasMessage("there is no value 9 of 3");
  }

  @Test
  void aValueThatItsTypeRefusesIsNone() {
    var format = new ValueFormat<>(Positive.class);
    assertThatThrownBy(() -> format.read(new byte[] {0, 1, 0, 0}))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("there is no such ");
  }

  /// Whatever is done to bytes, they are a value or refused.
  @Test
  void brokenBytesBreakNothing() {
    var random = new Random(1);
    var whole =
        TREES.bytes(
            new Tree.Inner(
                List.of(leaf(1), leaf(1), leaf(2)),
                Optional.of(new Name("x")),
                Amounts.of(Resource.PODS, 3)));
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      var broken = whole.clone();
      broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      try {
        var _ = TREES.read(broken);
      } catch (FormatException expected) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1_000, 19_999);
  }

  @Test
  void theFingerprintIsThatOfAllTypes() {
    assertThat(TREES.fingerprint())
        .hasSize(16)
        .isEqualTo(new ValueFormat<>(Tree.class).fingerprint());
    assertThat(new ValueFormat<>(Tree.Leaf.class).fingerprint()).isNotEqualTo(TREES.fingerprint());
  }

  @Test
  void aTypeThatIsNotWrittenIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ValueFormat<>(Object2.class))
        .withMessage("it is not known how to write java.lang.Object");
  }
}
