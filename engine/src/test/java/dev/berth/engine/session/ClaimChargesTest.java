package dev.berth.engine.session;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClaim.Result;
import dev.berth.engine.model.DeviceSlice.Device;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Claims on the capacity of GPUs (DRA) are charged what a device would give for them, and not what
/// they ask.
class ClaimChargesTest {
  private static final String GPU = "gpu.nvidia.com";
  private static final long MIB = 1 << 20;
  private static final DeviceCapacity MEMORY = DeviceCapacity.of(16_384 * MIB);

  private static Device gpu(int number, boolean shared, Map<String, DeviceCapacity> capacity) {
    return new Device("device-" + number, new TreeMap<>(), shared, new TreeMap<>(capacity));
  }

  private static List<Device> four(boolean shared, Map<String, DeviceCapacity> capacity) {
    return List.of(
        gpu(0, shared, capacity),
        gpu(1, shared, capacity),
        gpu(2, shared, capacity),
        gpu(3, shared, capacity));
  }

  private static Choice asking(Map<String, Long> capacity) {
    return new Choice(GPU, 1, false, false, List.of(), new TreeMap<>(capacity));
  }

  private static Cluster limit(double gpus, List<Device> devices) {
    return cluster()
        .queue("a", quota(gpus).limit(gpus))
        .node("n1", noGpus())
        .devices("n1", GPU, devices);
  }

  /// The first of two starts, with as much of the queue's limit.
  private static void charges(long millis, Cluster limited, Choice each, long limit) {
    limited
        .claim("one", "a", each)
        .claim("two", "a", each)
        .waiting("first", "a", pod().noGpu().claims("one").minutesOld(9))
        .waiting("late", "a", pod().noGpu().claims("two").minutesOld(8))
        .plan()
        .reserves("first", "n1")
        .waits("late", overLimit(millis, millis, limit))
        .andNothingElse();
  }

  private static Reason overLimit(long had, long asked, long limit) {
    return new Reason.OverLimit(new QueueName("a"), Resource.GPU, had, asked, limit);
  }

  @Test
  void memoryThatIsAskedOfAGpuThatIsGivenWholeIsAllOfIt() {
    var world = limit(1, four(false, Map.of("memory", MEMORY)));
    world.sharedDevices("n1", "gpu.example.com", 1, 16_384);
    charges(1000, world, asking(Map.of("memory", MIB)), 1000);
  }

  @Test
  void memoryThatIsAskedOfAPartitionIsAllOfThePartition() {
    var world = cluster().queue("a", quota(0.7).limit(0.7)).node("n1", noGpus());
    world.partitionedDevice("n1", GPU, "mig.nvidia.com", 80_000);
    var memory = new TreeMap<>(Map.of("memory", MIB));
    charges(500, world, new Choice("mig.nvidia.com", 1, false, false, List.of(), memory), 700);
  }

  @Test
  void theDearestOfTheGpusThatSuitIsCharged() {
    var shared = Map.of("memory", MEMORY);
    var gpus = List.of(gpu(0, true, shared), gpu(1, true, shared), gpu(2, false, shared));
    charges(1000, limit(1, gpus), asking(Map.of("memory", MIB)), 1000);
  }

  @Test
  void gpusThatAreTooSmallAreNotTheDearest() {
    var small = gpu(0, false, Map.of("memory", DeviceCapacity.of(MIB)));
    var large = gpu(1, true, Map.of("memory", MEMORY));
    charges(250, limit(0.4, List.of(small, large)), asking(Map.of("memory", 4096 * MIB)), 400);
  }

  @Test
  void whatTheDriverRoundsUpToIsCharged() {
    long all = 16_384 * MIB;
    var values = new DeviceCapacity(all, all, 0, 0, Long.MAX_VALUE, List.of(all / 4, all / 2, all));
    var steps = new DeviceCapacity(all, all, all / 8, all / 8, all, List.of());
    var byDefault = new DeviceCapacity(all, all / 2, 0, 0, all, List.of());
    var a = asking(Map.of("memory", all / 4 + 1));
    charges(500, limit(0.6, four(true, Map.of("memory", values))), a, 600);
    charges(375, limit(0.6, four(true, Map.of("memory", steps))), a, 600);
    var least = asking(Map.of("memory", MIB));
    charges(125, limit(0.2, four(true, Map.of("memory", steps))), least, 200);
    charges(500, limit(0.6, four(true, Map.of("memory", byDefault))), asking(Map.of()), 600);
  }

  @Test
  void theLargestPartOfAllCapacitiesIsCharged() {
    var gpus = four(true, Map.of("memory", MEMORY, "cores", DeviceCapacity.of(100)));
    charges(1000, limit(1, gpus), asking(Map.of("memory", MIB, "cores", 100L)), 1000);
    charges(300, limit(0.5, gpus), asking(Map.of("memory", MIB, "cores", 30L)), 500);
    charges(1000, limit(1, gpus), asking(Map.of("memory", MIB)), 1000);
    charges(250, limit(0.4, gpus), asking(Map.of("memory", 4096 * MIB, "cores", 1L)), 400);
  }

  @Test
  void soItIsOnceItIsAllocated() {
    var gpus = four(true, Map.of("memory", MEMORY, "cores", DeviceCapacity.of(100)));
    var asked = Map.of("memory", MIB, "cores", 80L);
    var part = new Result(new DeviceId(GPU, "n1", "device-0"), new TreeMap<>(asked), "s");
    limit(0.5, gpus)
        .claimOn("n1", part, "has", "a", asking(asked))
        .waiting("one", "a", pod().noGpu().claims("has"))
        .plan()
        .waits("one", overLimit(0, 800, 500))
        .andNothingElse();
  }
}
