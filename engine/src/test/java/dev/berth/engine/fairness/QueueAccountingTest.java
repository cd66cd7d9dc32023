package dev.berth.engine.fairness;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// How queues stand, in the numbers that the planner decides by.
class QueueAccountingTest {
  private static final Resource WIDGET = new Resource("example.com/widget");

  private static Accounts accounts(Cluster cluster) {
    return accounts(cluster, PlannerSettings.DEFAULT);
  }

  private static Accounts accounts(Cluster cluster, PlannerSettings settings) {
    return new Planner(settings).incremental().accounts(cluster.snapshot());
  }

  private static Account of(Accounts accounts, String queue) {
    return accounts.queues().stream()
        .filter(account -> account.queue().name().equals(new QueueName(queue)))
        .findFirst()
        .orElseThrow();
  }

  private static double gpusOf(SortedMap<Resource, Long> amounts) {
    return amounts.get(Resource.GPU) / 1000.0;
  }

  @Test
  void whatBelowIsHadAskedAndOwedIsSummedAbove() {
    var accounts =
        accounts(
            cluster()
                .node("n", gpus(8))
                .queue("top", anything())
                .queue("a", anything().below("top"))
                .queue("b", anything().below("top"))
                .running("free", "a", pods(2))
                .running("own", "b", pods(1).nonPreemptible())
                .waiting("w", "b", gang(3)));
    assertThat(gpusOf(accounts.total())).isEqualTo(8);
    var b = of(accounts, "b");
    assertThat(gpusOf(b.allocated())).isEqualTo(1);
    assertThat(gpusOf(b.nonPreemptible())).isEqualTo(1);
    assertThat(gpusOf(b.requested())).isEqualTo(4);
    assertThat(gpusOf(b.fairShare())).isEqualTo(4);
    var top = of(accounts, "top");
    assertThat(gpusOf(top.allocated())).isEqualTo(3);
    assertThat(gpusOf(top.nonPreemptible())).isEqualTo(1);
    assertThat(gpusOf(top.requested())).isEqualTo(6);
    assertThat(gpusOf(top.fairShare())).isEqualTo(6);
  }

  @Test
  void groupsAreChargedWhatTheirQueueIs() {
    var accounts =
        accounts(
            cluster()
                .node("n", gpus(8))
                .queue("q", anything())
                .running("one", "q", gang(2))
                .planned("two", "q", gang(3))
                .waiting("three", "q", gang(8)));
    assertThat(accounts.groups().keySet().stream().map(GroupKey::name))
        .as("nothing is charged for who waits")
        .containsExactly("one", "two");
    var sum = new TreeMap<Resource, Long>();
    accounts
        .groups()
        .values()
        .forEach(charge -> charge.forEach((r, a) -> sum.merge(r, a, Long::sum)));
    of(accounts, "q")
        .allocated()
        .forEach((resource, amount) ->
            assertThat(sum.getOrDefault(resource, 0L)).as(resource.name()).isEqualTo(amount));
    assertThat(gpusOf(sum)).isEqualTo(5);
  }

  @Test
  void aPlanCountsAsAllocatedUnlessItsRoomIsStillBeingLeft() {
    var accounts =
        accounts(
            cluster()
                .node("n", gpus(4))
                .queue("q", anything())
                .leaving("old", "q", pods(2))
                .planned("now", "q", pods(2))
                .promised("later", "q", gang(2)));
    assertThat(gpusOf(of(accounts, "q").allocated())).isEqualTo(2);
    assertThat(gpusOf(of(accounts, "q").requested())).isEqualTo(4);
  }

  @Test
  void aWorkloadRunsWhenItHasItsMinimumElseItIsPending() {
    var q =
        of(
            accounts(
                cluster()
                    .node("n", gpus(8))
                    .queue("q", anything())
                    .running("alone", "q", pod())
                    .partly("elastic", "q", 2, pods(4).atLeast(2))
                    .partly("broken", "q", 1, gang(2))
                    .waiting("new", "q", gang(2))
                    .leaving("old", "q", pod())),
            "q");
    assertThat(q.running()).as("running").isEqualTo(2);
    assertThat(q.pending()).as("pending").isEqualTo(2);
  }

  @Test
  void whatIsBeyondQuotaIsTold() {
    var cluster =
        cluster()
            .node("n", gpus(8))
            .queue("lent", quota(1))
            .queue("owned", quota(3))
            .running("a", "lent", pods(3))
            .running("b", "owned", pods(3));
    assertThat(of(accounts(cluster), "lent").overQuota()).isEqualTo(Amounts.of(Resource.GPU, 2000));
    assertThat(of(accounts(cluster), "owned").overQuota()).isEqualTo(Amounts.NONE);
  }

  @Test
  void aQueueIsToldOfWhatItNamesOrHasAndNotOfWhatOthersName() {
    var accounts =
        accounts(
            cluster()
                .node("n", gpus(8).with(WIDGET, 4))
                .queue("names", anything().limit(WIDGET, 3))
                .queue("has", anything())
                .queue("neither", anything())
                .running("w", "has", pod().asks(WIDGET, 1)));
    assertThat(of(accounts, "names").allocated())
        .containsEntry(WIDGET, 0L)
        .containsKeys(Resource.GPU, Resource.CPU, Resource.MEMORY);
    assertThat(of(accounts, "has").allocated()).containsEntry(WIDGET, 1L);
    assertThat(of(accounts, "neither").allocated()).doesNotContainKey(WIDGET);
  }

  @Test
  void aQueueThatLeadsNowhereSaysWhy() {
    var accounts =
        accounts(
            cluster()
                .node("n", gpus(8))
                .queue("good", anything())
                .queue("parent", anything())
                .queue("child", anything().below("parent"))
                .queue("orphan", anything().below("gone"))
                .queue("one", anything().below("two"))
                .queue("two", anything().below("one")));
    assertThat(of(accounts, "good").flaws()).isEmpty();
    assertThat(of(accounts, "parent").flaws()).as("it takes no workloads, but is sound").isEmpty();
    assertThat(of(accounts, "orphan").flaws())
        .containsExactly(
            new Reason.BrokenQueue(new QueueName("orphan"), new QueueName("gone"), false));
    assertThat(of(accounts, "one").flaws())
        .first()
        .isInstanceOfSatisfying(
            Reason.BrokenQueue.class, broken -> assertThat(broken.cyclic()).isTrue());
  }

  @Test
  void poolsAreSummed() {
    var cluster =
        cluster()
            .node("a1", gpus(4).label("pool", "a"))
            .node("b1", gpus(4).label("pool", "b"))
            .queue("q", quota(2))
            .running("x", "q", pods(3).on("a1"))
            .waiting("y", "q", gang(3).selects("pool", "b"));
    var accounts = accounts(cluster, PlannerSettings.DEFAULT.withPools("pool"));
    var q = of(accounts, "q");
    assertThat(gpusOf(accounts.total())).isEqualTo(8);
    assertThat(gpusOf(q.allocated())).isEqualTo(3);
    assertThat(gpusOf(q.requested())).isEqualTo(6);
    assertThat(gpusOf(q.fairShare())).isEqualTo(6);
    assertThat(q.overQuota().of(Resource.GPU)).as("of each pool its own").isEqualTo(1000);
    assertThat(accounts.queues()).as("and the default one").hasSize(2);
    assertThat(q.running() + q.pending()).isEqualTo(2);
  }

  @Test
  void useIsWhatIsAllocatedOfTheTotal() {
    var use =
        accounts(
                cluster()
                    .node("a", gpus(8))
                    .queue("top", anything())
                    .queue("a", anything().below("top"))
                    .queue("b", anything().quota(new Resource("example.com/none"), 1))
                    .running("r", "a", pods(2)))
            .use();
    assertThat(use.get(new QueueName("a")))
        .containsEntry(Resource.GPU, 0.25)
        .containsEntry(Resource.CPU, 2 / 64.0);
    assertThat(use.get(new QueueName("top"))).containsEntry(Resource.GPU, 0.25);
    assertThat(use.get(new QueueName("b"))).isEmpty();
  }
}
