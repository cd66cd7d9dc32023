package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Trees that others write, as they can be walked.
final class SubGroupTreeTest {
  private final List<String> faults = new ArrayList<>();

  @Test
  void aTreeWithoutFaultsStaysAsItIs() {
    var tree = List.of(sub("b", "a"), sub("a", ""), sub("c", "b"));
    assertThat(read(tree)).isEqualTo(tree);
    assertThat(faults).isEmpty();
  }

  @Test
  void theFirstOfEqualNamesStays() {
    var first = sub("a", "").withMinimum(3);
    assertThat(read(List.of(first, sub("a", "a"), sub("", "")))).containsExactly(first);
    assertThat(faults)
        .containsExactly(
            "1 name a another sub-group is called so. Rename one of them.",
            "2 name  a sub-group has a name; pods join it by label.");
  }

  @Test
  void aParentThatIsNotThereCountsAsNone() {
    assertThat(read(List.of(sub("a", "x"), sub("b", "a"))))
        .containsExactly(sub("a", ""), sub("b", "a"));
    assertThat(faults).containsExactly("0 parent x there is no such sub-group.");
  }

  @Test
  void noneBelowACircleKeepsItsParent() {
    assertThat(
            read(List.of(sub("d", "c"), sub("c", "a"), sub("a", "b"), sub("b", "a"), sub("e", ""))))
        .extracting(SubGroup::parent)
        .containsExactly("", "", "", "", "");
    assertThat(faults)
        .hasSize(4)
        .allMatch(fault -> fault.endsWith("form a tree, and this one leads in a circle."));
  }

  @Test
  void aGroupHasSoManySubGroupsAtTheMost() {
    var many = new ArrayList<SubGroup>();
    for (int i = 0; i < SubGroupTree.MOST; i++) {
      many.add(sub("s" + i, i == 0 ? "" : "s" + (i - 1)));
    }
    assertThat(read(many)).as("a chain of them all").isEqualTo(many);
    assertThat(faults).isEmpty();
    many.add(sub("one-more", ""));
    assertThat(read(many)).isEmpty();
    assertThat(faults).containsExactly("40000 name one-more a group has 40000 at most.");
  }

  /// The square of it would take minutes.
  @Test
  void aLongWayIntoACircleCostsNoMoreThanItsLength() {
    int length = SubGroupTree.MOST;
    var many = new ArrayList<SubGroup>();
    for (int i = 0; i < length; i++) {
      many.add(sub("s" + i, "s" + Math.min(i + 1, length - 1)));
    }
    long before = System.nanoTime();
    assertThat(read(many)).hasSize(length).allMatch(each -> each.parent().isEmpty());
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    assertThat(faults).hasSize(length);
  }

  private List<SubGroup> read(List<SubGroup> written) {
    return SubGroupTree.of(
        written,
        (index, field, value, rule) -> faults.add(index + " " + field + " " + value + " " + rule));
  }

  private static SubGroup sub(String name, String parent) {
    return new SubGroup(name, parent, 1, 0, TopologyAsk.NONE);
  }
}
