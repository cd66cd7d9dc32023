package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Which [DomainCounts] counts which pod. Pods of one namespace that are equal in all labels that
/// any term asks for are one kind, and a kind is compared only with the tallies that name its
/// namespace, or all, and a label of it.
///
/// First pods are seen and weighed, then it is decided which tallies are judged, then it is found
/// for each kind which of these count it.
final class PodMatches {
  private static final String ALL = "*"; // no namespace is called so
  private static final int FEW = 8; // namespaces, or values, that a tally is listed under

  private final HashSet<String> namespaces = new HashSet<>(); // looked up only
  private final HashSet<String> labels = new HashSet<>(); // looked up only
  private final HashMap<Anchor, Bucket> buckets = new HashMap<>(); // looked up only
  private final HashMap<Key, Kind> kinds = new HashMap<>(); // looked up only
  private final List<Kind> inOrder = new ArrayList<>();
  private final List<List<Bucket>> bucketsOf = new ArrayList<>(); // by number of a tally

  /// Where tallies are looked for.
  ///
  /// @param key of a label that a pod must have; empty = of none
  /// @param isExact whether it must have this value, too
  private record Anchor(String namespace, String key, String value, boolean isExact) {}

  private static final class Bucket {
    private final List<DomainCounts> tallies = new ArrayList<>(1);
    private long pods; // that are compared with them
  }

  /// @param labels keys and values by turns
  private record Key(String namespace, List<String> labels) {}

  /// Pods that no tally tells apart.
  static final class Kind {
    private static final int[] NO_NUMBERS = {};
    static final Kind NONE = new Kind(Collections.emptyList(), Optional.empty());

    private final List<Bucket> shelves;
    private final Optional<Pod> sample; // one of them
    private int[] counted = NO_NUMBERS;
    private int[] bans = NO_NUMBERS;
    private boolean isKnown;
    private long pods;

    private Kind(List<Bucket> shelves, Optional<Pod> sample) {
      this.shelves = shelves;
      this.sample = sample;
      this.isKnown = shelves.isEmpty();
    }

    /// Numbers of the tallies that count it, ascending. Not to be changed.
    int[] counted() {
      compare();
      return counted;
    }

    /// Those of them that are bans.
    int[] bans() {
      compare();
      return bans;
    }

    private void compare() {
      if (isKnown) {
        return;
      }
      isKnown = true;
      var pod = sample.orElseThrow();
      int most = shelves.stream().mapToInt(copies -> copies.tallies.size()).sum();
      int[] found = new int[most];
      int[] foundBans = new int[most];
      int size = 0;
      int bansSize = 0;
      for (Bucket copies : shelves) {
        for (DomainCounts tally : copies.tallies) {
          if (tally.counts(pod)) {
            found[size++] = tally.number();
            if (tally.isBan()) {
              foundBans[bansSize++] = tally.number();
            }
          }
        }
      }
      counted = ascending(found, size);
      bans = ascending(foundBans, bansSize);
    }

    private static int[] ascending(int[] numbers, int size) {
      int[] these = Arrays.copyOf(numbers, size);
      Arrays.sort(these);
      return these;
    }
  }

  /// @param tallies by number
  PodMatches(List<DomainCounts> tallies) {
    tallies.forEach(this::list);
  }

  private void list(DomainCounts tally) {
    var mine = new ArrayList<Bucket>(1);
    for (Anchor anchor : anchors(tally)) {
      var copies = buckets.computeIfAbsent(anchor, _ -> new Bucket());
      copies.tallies.add(tally);
      mine.add(copies);
      namespaces.add(anchor.namespace);
    }
    bucketsOf.add(mine);
    for (Peers peers : tally.peers()) {
      namespaces.addAll(peers.namespaces());
      peers.expressions().forEach(each -> labels.add(each.key()));
    }
  }

  /// Where all pods that the tally counts come by, each of them once.
  private static List<Anchor> anchors(DomainCounts tally) {
    var best = Label.ANY;
    var where = List.of(ALL);
    int least = Integer.MAX_VALUE;
    for (Peers peers : tally.peers()) {
      if (!peers.everywhere() && peers.namespaces().isEmpty()) {
        return Collections.emptyList();
      }
      var named = peers.namespaces().stream().distinct().toList();
      boolean isWide = peers.everywhere() || named.size() > FEW;
      var label = Label.narrowest(peers.expressions());
      int width = 2 * label.width() + (isWide ? 1 : 0);
      if (width < least) {
        least = width;
        best = label;
        where = isWide ? List.of(ALL) : named;
      }
    }
    var anchors = new ArrayList<Anchor>(1);
    for (String namespace : where) {
      for (String value : best.values) {
        anchors.add(new Anchor(namespace, best.key, value, true));
      }
      if (best.values.isEmpty()) {
        anchors.add(new Anchor(namespace, best.key, "", false));
      }
    }
    return anchors;
  }

  /// A label that a pod must have.
  ///
  /// @param key empty = none
  /// @param values one of which it must have; empty = any
  private record Label(String key, List<String> values) {
    private static final Label ANY = new Label("", Collections.emptyList());

    static Label narrowest(List<Expression> expressions) {
      var best = ANY;
      for (Expression expression : expressions) {
        var label = of(expression);
        best = label.width() < best.width() ? label : best;
      }
      return best;
    }

    private static Label of(Expression expression) {
      var values = expression.values().stream().distinct().toList();
      return switch (expression.operator()) {
        case IN ->
            new Label(expression.key(), values.size() > FEW ? Collections.emptyList() : values);
        case EXISTS, GT, LT -> new Label(expression.key(), Collections.emptyList());
        case NOT_IN, DOES_NOT_EXIST -> ANY;
      };
    }

    int width() {
      return key.isEmpty() ? 2 : values.isEmpty() ? 1 : 0;
    }
  }

  /// A pod that may be counted.
  void see(Pod pod) {
    kindOf(pod).pods++;
  }

  /// All pods that may be counted have been seen.
  void weigh() {
    for (Kind kind : inOrder) {
      for (Bucket copies : kind.shelves) {
        copies.pods += kind.pods;
      }
    }
  }

  /// How many pods a tally is compared with.
  long pods(DomainCounts tally) {
    long pods = 0;
    for (Bucket copies : bucketsOf.get(tally.number())) {
      pods += copies.pods;
    }
    return pods;
  }

  /// No kind is compared with tallies that are not judged.
  void judged() {
    buckets.values().forEach(copies -> copies.tallies.removeIf(tally -> !tally.isJudged()));
  }

  Kind kindOf(Pod pod) {
    String namespace = pod.key().namespace();
    boolean isNamed = namespaces.contains(namespace);
    if (!isNamed && !namespaces.contains(ALL)) {
      return Kind.NONE;
    }
    var asked = new ArrayList<String>(4);
    pod.traits()
        .labels()
        .forEach((key, value) -> {
          if (labels.contains(key)) {
            asked.add(key);
            asked.add(value);
          }
        });
    return kinds.computeIfAbsent(
        new Key(isNamed ? namespace : "", asked), key -> kind(key, namespace, pod));
  }

  private Kind kind(Key key, String namespace, Pod pod) {
    var mine = new ArrayList<Bucket>(2);
    for (String where : List.of(namespace, ALL)) {
      find(new Anchor(where, "", "", false), mine);
      for (int i = 0; i < key.labels.size(); i += 2) {
        find(new Anchor(where, key.labels.get(i), "", false), mine);
        find(new Anchor(where, key.labels.get(i), key.labels.get(i + 1), true), mine);
      }
    }
    if (mine.isEmpty()) {
      return Kind.NONE;
    }
    var kind = new Kind(mine, Optional.of(pod));
    inOrder.add(kind);
    return kind;
  }

  private void find(Anchor anchor, List<Bucket> into) {
    var copies = buckets.get(anchor);
    if (copies != null) {
      into.add(copies);
    }
  }
}
