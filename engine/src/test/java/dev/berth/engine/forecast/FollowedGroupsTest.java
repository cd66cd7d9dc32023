package dev.berth.engine.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FollowedGroupsTest {
  private static final int MOST = 60;

  private final FollowedGroups followed = new FollowedGroups(MOST);
  private final Map<GroupKey, QueueName> now = new HashMap<>();

  private void enter(GroupKey group, QueueName queue) {
    var entry = followed.enter(group, queue);
    if (entry.isFollowed()) {
      now.put(group, queue);
    }
    entry.instead().ifPresent(other -> assertThat(now.remove(other)).isNotNull());
  }

  private static GroupKey group(int queue, int namespace, int number) {
    return new GroupKey("ns-" + queue + "-" + namespace, "g-" + number);
  }

  private static QueueName queue(int number) {
    return new QueueName("q" + number);
  }

  /// However many ask, and in whatever order: no queue that asks for more has less than another has
  /// by more than one, nor a namespace than another of its queue. Asking again changes nothing.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void allGetEqualParts(long seed) {
    var random = new Random(seed);
    record Asks(GroupKey group, QueueName queue) {}
    var all = new ArrayList<Asks>();
    for (int q = 0; q < 4; q++) {
      for (int n = 0; n < 3; n++) {
        int groups = random.nextInt(50);
        for (int i = 0; i < groups; i++) {
          all.add(new Asks(group(q, n, i), queue(q)));
        }
      }
    }
    var asked = new TreeMap<QueueName, Integer>();
    all.forEach(each -> asked.merge(each.queue, 1, Integer::sum));
    for (int round = 0; round < 20; round++) {
      Collections.shuffle(all, random);
      all.stream()
          .filter(each -> !now.containsKey(each.group))
          .toList()
          .forEach(each -> enter(each.group, each.queue));
      for (GroupKey gone : List.copyOf(now.keySet())) {
        if (round < 10 && random.nextInt(20) == 0) {
          now.remove(gone);
          followed.leave(gone);
        }
      }
    }
    assertThat(now).hasSize(Math.min(MOST, all.size()));
    var had = new TreeMap<QueueName, Integer>();
    now.values().forEach(each -> had.merge(each, 1, Integer::sum));
    int most = had.values().stream().max(Integer::compare).orElse(0);
    asked.forEach((queue, wanted) ->
        assertThat(had.getOrDefault(queue, 0))
            .as(queue + " of " + wanted)
            .isGreaterThanOrEqualTo(Math.min(wanted, most - 1)));
  }
}
