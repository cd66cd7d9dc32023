package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;

import dev.berth.engine.NodeSketch;
import dev.berth.engine.PodSketch;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node.Mig;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What keeps a pod off a node, each told by its name.
class FitTest {
  private static final Resource MIG = new Resource("nvidia.com/mig-3g.40gb");

  private static void refuses(
      NodeSketch node, PodSketch pod, Obstacle obstacle, String detail, Obstacle... besides) {
    var others = Stream.of(besides).map(each -> new Shortfall(each, "", 1)).toList();
    var room = new NoRoom(1, 0, 1, List.of(new Shortfall(obstacle, detail, 1).besides(others)));
    boolean isForGood = obstacle == Obstacle.TOO_SMALL || obstacle == Obstacle.DEVICE_TOO_SMALL;
    cluster()
        .node("n1", node)
        .waiting("pod", "default", pod)
        .plan()
        .waits("pod", isForGood ? new NeverFits(room, 0) : room)
        .andNothingElse();
  }

  private static void takes(NodeSketch node, PodSketch pod) {
    cluster().node("n1", node).waiting("pod", "default", pod).plan().reserves("pod", 1);
  }

  @Test
  void aNodeMustBeReadyAndOpen() {
    refuses(gpus(8).notReady(), gang(1), Obstacle.NOT_READY, "");
    refuses(gpus(8).cordoned(), gang(1), Obstacle.UNSCHEDULABLE, "");
    takes(gpus(8).cordoned(), gang(1).tolerates("node.kubernetes.io/unschedulable", ""));
  }

  @Test
  void taintsThatRepelMustBeTolerated() {
    refuses(
        gpus(8).taint("team", "ml", "NoSchedule"), gang(1), Obstacle.TAINT, "team=ml:NoSchedule");
    refuses(gpus(8).taint("team", "ml", "NoExecute"), gang(1), Obstacle.TAINT, "team=ml:NoExecute");
    takes(gpus(8).taint("team", "ml", "PreferNoSchedule"), gang(1));
    takes(gpus(8).taint("team", "ml", "NoExecute"), gang(1).tolerates("team", ""));
    takes(gpus(8).taint("team", "ml", "NoExecute"), gang(1).tolerates("", ""));
    refuses(
        gpus(8).taint("team", "ml", "NoExecute"),
        gang(1).tolerates("team", "NoSchedule"),
        Obstacle.TAINT,
        "team=ml:NoExecute");
    refuses(gpus(8).taint("team", "", "NoExecute"), gang(1), Obstacle.TAINT, "team:NoExecute");
  }

  @Test
  void selectedLabelsMustBeThere() {
    refuses(gpus(8), gang(1).selects("zone", "a"), Obstacle.NODE_SELECTOR, "zone=a");
    takes(gpus(8).label("zone", "a"), gang(1).selects("zone", "a"));
  }

  @ParameterizedTest
  @CsvSource({
    "IN,a,true",
    "IN,b,false",
    "NOT_IN,a,false",
    "NOT_IN,b,true",
    "EXISTS,,true",
    "DOES_NOT_EXIST,,false",
    "GT,5,false",
    "LT,5,false"
  })
  void operatorsMeanWhatTheyMeanInKubernetes(Operator operator, String value, boolean met) {
    var values = value == null ? new String[0] : new String[] {value};
    var pod = gang(1).wants("zone", operator, values);
    if (met) {
      takes(gpus(8).label("zone", "a"), pod);
    } else {
      refuses(gpus(8).label("zone", "a"), pod, Obstacle.NODE_AFFINITY, "");
    }
  }

  @Test
  void labelsThatAreAbsentAreInNothing() {
    refuses(gpus(8), gang(1).wants("zone", Operator.IN, "a"), Obstacle.NODE_AFFINITY, "");
    takes(gpus(8), gang(1).wants("zone", Operator.NOT_IN, "a"));
    refuses(gpus(8), gang(1).wants("zone", Operator.GT, "1"), Obstacle.NODE_AFFINITY, "");
  }

  @Test
  void numbersAreCompared() {
    takes(gpus(8).label("gen", "10"), gang(1).wants("gen", Operator.GT, "9"));
    takes(gpus(8).label("gen", "8"), gang(1).wants("gen", Operator.LT, "9"));
    refuses(
        gpus(8).label("gen", "9"),
        gang(1).wants("gen", Operator.GT, "9"),
        Obstacle.NODE_AFFINITY,
        "");
  }

  @Test
  void termsAreAlternatives() {
    takes(
        gpus(8).label("zone", "b"),
        gang(1).wants("zone", Operator.IN, "a").wants("zone", Operator.IN, "b"));
    takes(gpus(8), gang(1).wantsNode(Operator.IN, "n1"));
    refuses(gpus(8), gang(1).wantsNode(Operator.NOT_IN, "n1"), Obstacle.NODE_AFFINITY, "");
  }

  @Test
  void allVolumesMustBeReached() {
    takes(gpus(8).label("zone", "a"), gang(1).volumeIn("zone", "a"));
    refuses(gpus(8), gang(1).volumeIn("zone", "a"), Obstacle.VOLUME, "zone in a");
    refuses(
        gpus(8).label("zone", "a").label("disk", "nvme"),
        gang(1).volumeIn("zone", "a").volumeIn("disk", "ssd"),
        Obstacle.VOLUME,
        "disk in ssd");
    refuses(
        gpus(8).label("zone", "b").notReady(),
        gang(1).volumeIn("zone", "a"),
        Obstacle.VOLUME,
        "zone in a",
        Obstacle.NOT_READY);
  }

  @ParameterizedTest
  @EnumSource(
      value = VolumeLack.class,
      names = {"NONE", "TO_COME"},
      mode = EnumSource.Mode.EXCLUDE)
  void aClaimThatIsNotReadyKeepsAPodFromEveryNode(VolumeLack lack) {
    cluster()
        .node("n1", gpus(8))
        .waiting("pod", "default", pod().volumeLacks("data", lack))
        .plan()
        .waits(
            "pod",
            new Reason.VolumeNotReady(
                new PodKey("default", "pod"),
                new Pod.VolumeRef("data", false).known("disks", lack)))
        .andNothingElse();
  }

  @Test
  void devicesMustBeOfAnAcceptedModel() {
    refuses(gpus(8).model("A100"), gang(1).model("H100"), Obstacle.DEVICE_MODEL, "A100");
    takes(gpus(8).model("H100"), gang(1).model("L4").model("H100"));
  }

  @Test
  void memoryOfUnknownSizeCannotBeShared() {
    refuses(gpus(8).deviceMemory(0), gang(1).memory(8192), Obstacle.DEVICE_MEMORY_UNKNOWN, "");
    refuses(
        gpus(8).deviceMemory(4096),
        gang(1).memory(8192),
        Obstacle.DEVICE_TOO_SMALL,
        "a GPU there has 4096 MiB, and 8192 are asked for");
    takes(gpus(8).deviceMemory(0), gang(1).share(500));
  }

  @Test
  void aNodeWhoseDevicePluginIsAwaySaysSo() {
    String words = "0 of 8 allocatable";
    refuses(gpus(8).withoutPlugin(), gang(1), Obstacle.DEVICE_PLUGIN, words);
    refuses(gpus(8).withoutPlugin(), gang(1).share(500), Obstacle.DEVICE_PLUGIN, words);
    takes(gpus(8).withoutPlugin(), gang(1).noGpu());
    refuses(
        gpus(0).label("nvidia.com/gpu.present", "true"),
        gang(1).share(500),
        Obstacle.DEVICE_PLUGIN,
        "label nvidia.com/gpu.present, and none allocatable");
    refuses(gpus(0), gang(1).share(500), Obstacle.NO_DEVICES, "");
    takes(
        gpus(0).label("nvidia.com/gpu.present", "true").with(MIG, 7), gang(1).noGpu().asks(MIG, 1));
  }

  @Test
  void aShareNeedsANodeThatShowsItItsGpu() {
    var half = gang(1).share(500);
    takes(gpus(8).injection(Injection.unproven("")), half); // the proof comes with the holder
    takes(gpus(8).injection(new Injection("env", "", "")), half);
    refuses(
        gpus(8).injection(Injection.failed("", "no way. A way out.")),
        half,
        Obstacle.INJECTION,
        "no way. A way out.");
    refuses(
        gpus(8).injection(new Injection("env-cdi", "nvidia", "")),
        half,
        Obstacle.RUNTIME_CLASS,
        "\"nvidia\", and the pod has none");
    takes(gpus(8).injection(Injection.failed("nvidia", "no way.")), gang(1)); // a whole GPU
  }

  @Test
  void partitionedNodesTakeWhatTheirStrategyIsFor() {
    String mixed =
        "nvidia.com/mig.strategy=mixed: MIG instances, each under its nvidia.com/mig-… name";
    String single = "nvidia.com/mig.strategy=single: each MIG instance as a whole nvidia.com/gpu";
    refuses(gpus(8).mig(Mig.MIXED), gang(1), Obstacle.DEVICE_MODE, mixed);
    refuses(gpus(8).mig(Mig.MIXED), gang(1).share(500), Obstacle.DEVICE_MODE, mixed);
    refuses(gpus(8).mig(Mig.SINGLE), gang(1).share(500), Obstacle.DEVICE_MODE, single);
    refuses(gpus(0).mig(Mig.MIXED), gang(1).share(500), Obstacle.DEVICE_MODE, mixed);
    takes(gpus(8).mig(Mig.SINGLE), gang(1));
    takes(gpus(8).mig(Mig.SINGLE), gang(1).noGpu());
    refuses(
        gpus(8).mig(Mig.SINGLE).with(MIG, 2),
        gang(1).noGpu().asks(MIG, 1),
        Obstacle.DEVICE_MODE,
        single);
    takes(gpus(8).mig(Mig.MIXED).with(MIG, 2), gang(1).gpus(0).noGpu().asks(MIG, 1));
    refuses(gpus(8), gang(1).noGpu().asks(MIG, 1), Obstacle.NOT_OFFERED, MIG.name());
    takes(gpus(8).mig(Mig.MIXED), gang(1).noGpu());
  }

  @Test
  void sharesAreNeverSilentlyUnenforced() {
    var asked = gang(1).share(500).isolated(Isolation.HAMI);
    refuses(gpus(8), asked, Obstacle.ISOLATION, "hami");
    refuses(gpus(8).label("berth.dev/gpu-isolation", "nvidia"), asked, Obstacle.ISOLATION, "hami");
    takes(gpus(8).label("berth.dev/gpu-isolation", "nvidia.hami"), asked);
    takes(gpus(8), gang(1).isolated(Isolation.HAMI)); // a whole device is its pod's alone
    refuses(
        gpus(8).label("berth.dev/gpu-isolation", "mps"),
        gang(1).share(500).isolated(Isolation.MPS), // which no node serves
        Obstacle.ISOLATION,
        "mps");
    refuses(
        gpus(8).deviceMemory(0).label("berth.dev/gpu-isolation", "hami"),
        asked,
        Obstacle.DEVICE_MEMORY_UNKNOWN,
        "");
  }

  @Test
  void anOldDriverEnforcesNothing() {
    var driver = "gpu-fractioning.kai.scheduler/nvidia-driver-version.major";
    var labelled = gpus(8).label("berth.dev/gpu-isolation", "nvidia");
    var asked = gang(1).share(500).isolated(Isolation.NVIDIA);
    takes(labelled, asked);
    takes(labelled.label(driver, "615"), asked);
    var old = gpus(8).label("berth.dev/gpu-isolation", "nvidia").label(driver, "580");
    refuses(old, asked, Obstacle.ISOLATION, "nvidia");
  }

  @Test
  void everyAmountCounts() {
    refuses(
        gpus(8),
        gang(1).asks(Resource.CPU, 65_000),
        Obstacle.TOO_SMALL,
        "it has 64 cores, and 65 are asked for");
    var rdma = new Resource("rdma/hca");
    refuses(gpus(8), gang(1).asks(rdma, 1), Obstacle.NOT_OFFERED, "rdma/hca");
    takes(gpus(8).with(rdma, 1), gang(1).asks(rdma, 1));
    refuses(gpus(8).with(Resource.PODS, 0), gang(1), Obstacle.PODS, "0 of 0");
    refuses(gpus(1), gang(1).gpus(2), Obstacle.TOO_SMALL, "it has 1 GPU, and 2 are asked for");
  }

  /// To uncordon a node of another kind does not help.
  @Test
  void aNodeOfAnotherKindIsToldAsThatThoughItIsCordonedToo() {
    refuses(
        gpus(8).cordoned(),
        gang(1).selects("zone", "a"),
        Obstacle.NODE_SELECTOR,
        "zone=a",
        Obstacle.UNSCHEDULABLE);
    refuses(
        gpus(2).taint("team", "ml", "NoSchedule"),
        gang(1).gpus(3),
        Obstacle.TOO_SMALL,
        "it has 2 GPUs, and 3 are asked for");
  }

  @Test
  void whatIsFreeOfWholeDevicesIsTold() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(4))
        .node("n3", gpus(4).taint("team", "ml", "NoSchedule"))
        .node("cpu", gpus(0))
        .running("a", "default", pods(1).gpus(3).on("n1"))
        .running("b", "default", pods(1).gpus(2).on("n2"))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .waits(
            "pod",
            new NoRoom(
                1,
                0,
                4,
                List.of(
                    new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 2),
                    new Shortfall(Obstacle.TAINT, "team=ml:NoSchedule", 1).ready(1),
                    new Shortfall(Obstacle.NOT_OFFERED, "nvidia.com/gpu", 1)),
                new Free(3, 1000, 0, 2, 3, 2, List.of(1, 1))))
        .andNothingElse();
  }

  @Test
  void theLargestFreePartOfADeviceIsTold() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1))
        .running("a", "default", pods(1).share(600).on("n1"))
        .running("b", "default", pods(1).share(700).on("n2"))
        .waiting("pod", "default", gang(1).share(500))
        .plan()
        .waits(
            "pod",
            new NoRoom(
                1,
                0,
                2,
                List.of(new Shortfall(Obstacle.SHARED_DEVICES, "", 2)),
                new Free(1, 500, 2, 0, 400)))
        .andNothingElse();
  }

  /// The node that lacks least has not the largest part.
  @Test
  void ofSharesOfSeveralDevicesTheNodeThatLacksLeastIsTold() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("a", "default", pods(1).gpus(1).on("n1"))
        .running("b", "default", pods(2).share(700, 1).on("n2"))
        .running("c", "default", pods(1).share(100, 1).on("n2"))
        .waiting("pod", "default", gang(1).share(400, 2))
        .plan()
        .waits(
            "pod",
            new NoRoom(
                1,
                0,
                2,
                List.of(new Shortfall(Obstacle.SHARED_DEVICES, "", 2)),
                Free.ofParts(2, 400, 0, 2, List.of(300, 200))))
        .andNothingElse();
  }

  @ParameterizedTest
  @CsvSource({
    "TCP:0.0.0.0:80,TCP:0.0.0.0:80,false",
    "TCP:10.0.0.1:80,TCP:0.0.0.0:80,false",
    "TCP:10.0.0.1:80,TCP:10.0.0.2:80,true",
    "UDP:0.0.0.0:80,TCP:0.0.0.0:80,true",
    "TCP:0.0.0.0:81,TCP:0.0.0.0:80,true",
    "TCP::80,TCP:10.0.0.1:80,false"
  })
  void hostPortsCollideByProtocolAndAddress(String taken, String wanted, boolean fits) {
    var world =
        cluster()
            .node("n1", gpus(8))
            .running("there", "default", pods(1).port(taken))
            .waiting("pod", "default", gang(1).port(wanted))
            .plan();
    if (fits) {
      world.reserves("pod", 1);
    } else {
      world.waits("pod", NoRoom.class);
    }
  }

  /// A group that waits for it is told that a GPU is unhealthy, not that a pod should leave.
  @Test
  void devicesThatAreNotOfferedAreToldWhereTheyAreMissed() {
    cluster()
        .node("n1", gpus(2).unhealthy(1))
        .running("share", "default", gang(1).share(700))
        .waiting("half", "default", gang(1).share(500))
        .waiting("whole", "default", gang(1).gpus(1))
        .plan()
        .waits(
            "half",
            new NoRoom(
                1,
                0,
                1,
                List.of(new Shortfall(Obstacle.SHARED_DEVICES, "1 of its 2 unhealthy", 1))))
        .waits(
            "whole",
            new NoRoom(
                1,
                0,
                1,
                List.of(
                    new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu, 1 of its 2 unhealthy", 1))))
        .andNothingElse();
  }

  @Test
  void aVetoHoldsForThatPodAndTellsTheWords() {
    cluster()
        .node("n1", gpus(8))
        .waiting("vetoed", "default", gang(1).vetoed("n1", "volume zone"))
        .waiting("other", "default", gang(1))
        .plan()
        .waits(
            "vetoed", new NoRoom(1, 0, 1, List.of(new Shortfall(Obstacle.VETO, "volume zone", 1))))
        .reserves("other", 1)
        .andNothingElse();
  }

  @Test
  void shortfallsAreCountedMostFrequentFirst() {
    var expected = new ArrayList<Shortfall>();
    expected.add(new Shortfall(Obstacle.TOO_SMALL, "it has 1 GPU, and 2 are asked for", 2));
    expected.add(new Shortfall(Obstacle.TAINT, "team=ml:NoSchedule", 1));
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(8).taint("team", "ml", "NoSchedule"))
        .node("n3", gpus(1))
        .waiting("pod", "default", gang(1).gpus(2))
        .plan()
        .waits("pod", new NeverFits(new NoRoom(1, 0, 3, expected), 0))
        .andNothingElse();
  }
}
