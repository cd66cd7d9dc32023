package dev.berth.cli.bench;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// A published trace: the nodes of a cluster, its queues, and jobs in the order of the file or of
/// their submission.
///
/// The replays (Philly, ElasticFlow) know GPUs only. A job of up to 8 GPUs is one pod; a larger one
/// is a gang of pods with 8 GPUs each. Pods of replays request one CPU, so only GPUs run out. The
/// quota of a queue is its part of all GPU-hours of the trace, in GPUs of the cluster.
record JobTrace(List<Node> nodes, List<Queue> queues, List<Job> jobs) {
  private static final String OPENB_NODES = "fgd/openb_node_list_gpu_node.csv";
  private static final String PHILLY = "philly/philly_vc.csv.gz";
  private static final String ELASTIC_FLOW = "elasticflow/cluster%s.csv.gz";
  private static final List<String> CLUSTERS = List.of("01", "02", "04", "05", "08", "09", "10");
  private static final int PHILLY_NODES = 112;
  private static final int ELASTIC_FLOW_NODES = 104;
  private static final int FEWER_NODES = 72;
  private static final int FEWEST_JOBS = 100; // smaller virtual clusters of Philly are left out

  private static final String MODEL = "nvidia.com/gpu.product";
  private static final int DEVICES = 8;
  private static final int CPU = 128_000;
  private static final int MEMORY_MIB = 1 << 20;
  private static final long MIB = 1L << 20;
  private static final long PODS = 250;

  JobTrace {
    nodes = List.copyOf(nodes);
    queues = List.copyOf(queues);
    jobs = List.copyOf(jobs);
  }

  /// What one pod requests.
  ///
  /// @param cpu thousandths of a core
  /// @param millis of one GPU where `gpus` is 1; 1000 = all of it
  /// @param models of which it takes any; empty = all
  record Ask(long cpu, long memoryMib, int gpus, int millis, List<String> models) {
    Ask {
      models = List.copyOf(models);
    }

    PodRequest request() {
      boolean share = gpus == 1 && millis < 1000;
      var amounts =
          Amounts.of(Resource.CPU, cpu).plus(Amounts.of(Resource.MEMORY, memoryMib * MIB));
      DeviceRequest devices = DeviceRequest.NONE;
      if (share) {
        devices = new DeviceRequest.Fraction(millis, millis, 1);
      } else if (gpus > 0) {
        amounts = amounts.plus(Amounts.of(Resource.NVIDIA, gpus));
        devices = new DeviceRequest.Whole(Resource.NVIDIA, gpus);
      }
      return new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, List.of());
    }

    Constraints constraints() {
      var terms = List.of(new Term(List.of(new Expression(false, MODEL, Operator.IN, models))));
      return models.isEmpty()
          ? Constraints.NONE
          : new Constraints(new TreeMap<>(), terms, List.of());
    }

    /// Thousandths of GPUs.
    long gpuMillis() {
      return (long) gpus * millis;
    }
  }

  /// One job: a pod, or a gang of equal pods that start together.
  ///
  /// @param submitted seconds after the first job of the trace; 0 where the trace is no replay
  /// @param seconds that it runs; 0 where the trace is no replay
  record Job(QueueName queue, int members, Ask ask, long submitted, long seconds) {
    /// A job of a replay.
    ///
    /// @param gpus up to 8: one pod; more: pods of 8, the last one too
    static Job of(String queue, int gpus, long submitted, long seconds) {
      int members = Math.max(1, Math.ceilDiv(gpus, DEVICES));
      var ask = new Ask(1_000, 1_024, members > 1 ? DEVICES : gpus, 1000, List.of());
      return new Job(new QueueName(queue), members, ask, submitted, seconds);
    }

    boolean isGang() {
      return members > 1;
    }

    long gpuMillis() {
      return members * ask.gpuMillis();
    }
  }

  /// Thousandths of GPUs of all nodes.
  long capacity() {
    return nodes.stream().mapToLong(node -> 1000L * node.accelerator().count()).sum();
  }

  /// The GPU nodes of openb (1,213 nodes, 6,212 GPUs of seven models) and one of its lists of pods,
  /// which are jobs of one queue without limits.
  ///
  /// @param traces the folder with `fgd/`
  /// @param list of pods, such as `default`
  static JobTrace openb(Path traces, String list) {
    var nodes =
        rows(traces.resolve(OPENB_NODES)).stream()
            .map(row ->
                node(
                    row[0],
                    Long.parseLong(row[1]),
                    Long.parseLong(row[2]),
                    Integer.parseInt(row[3]),
                    row[4]))
            .toList();
    var all = BenchCluster.queueOf("all", "", Queue.UNLIMITED, new TreeMap<>());
    var jobs =
        rows(traces.resolve("fgd/pods/openb_pod_list_" + list + ".csv.gz")).stream()
            .map(row -> new Job(all.name(), 1, ask(row), 0, 0))
            .toList();
    return new JobTrace(nodes, List.of(all), jobs);
  }

  static boolean hasOpenb(Path traces) {
    return Files.exists(traces.resolve(OPENB_NODES));
  }

  private static Ask ask(String[] row) {
    var models =
        row.length > 5 && !row[5].isEmpty() ? List.of(row[5].split("\\|")) : List.<String>of();
    return new Ask(
        Long.parseLong(row[1]),
        Long.parseLong(row[2]),
        Integer.parseInt(row[3]),
        Integer.parseInt(row[4]),
        models);
  }

  /// The virtual clusters of Philly with 100 jobs or more, as queues of 112 nodes of 8 GPUs. Each
  /// virtual cluster starts at its own zero.
  ///
  /// @param traces the folder with `philly/`
  static JobTrace philly(Path traces) {
    var perQueue = new TreeMap<String, List<Job>>();
    for (String[] row : rows(traces.resolve(PHILLY))) {
      var job =
          Job.of(row[0], Integer.parseInt(row[4]), Long.parseLong(row[2]), Long.parseLong(row[3]));
      perQueue.computeIfAbsent(row[0], _ -> new ArrayList<>()).add(job);
    }
    var jobs = new ArrayList<Job>();
    for (List<Job> each : perQueue.values()) {
      if (each.size() >= FEWEST_JOBS) {
        jobs.addAll(each);
      }
    }
    return replay(PHILLY_NODES, jobs);
  }

  static boolean hasPhilly(Path traces) {
    return Files.exists(traces.resolve(PHILLY));
  }

  /// Seven clusters of ElasticFlow, as queues of 104 nodes of 8 GPUs; time from the first job.
  ///
  /// @param traces the folder with `elasticflow/`
  static JobTrace elasticFlow(Path traces) {
    var jobs = new ArrayList<Job>();
    for (String cluster : CLUSTERS) {
      for (String[] row : rows(elasticFlow(traces, cluster))) {
        jobs.add(
            Job.of(
                "c" + cluster,
                Integer.parseInt(row[3]),
                Long.parseLong(row[1]),
                Long.parseLong(row[2])));
      }
    }
    return replay(ELASTIC_FLOW_NODES, jobs);
  }

  /// Cluster 04 of ElasticFlow alone, on 72 nodes of 8 GPUs.
  ///
  /// @param traces the folder with `elasticflow/`
  static JobTrace elasticFlow04(Path traces) {
    var jobs =
        rows(elasticFlow(traces, "04")).stream()
            .map(row ->
                Job.of(
                    "c04",
                    Integer.parseInt(row[3]),
                    Long.parseLong(row[1]),
                    Long.parseLong(row[2])))
            .toList();
    return replay(FEWER_NODES, jobs);
  }

  static boolean hasElasticFlow(Path traces) {
    return CLUSTERS.stream().allMatch(each -> Files.exists(elasticFlow(traces, each)));
  }

  private static Path elasticFlow(Path traces, String cluster) {
    return traces.resolve(String.format(Locale.ROOT, ELASTIC_FLOW, cluster));
  }

  /// @param jobs of several queues; equal times stay in this order
  static JobTrace replay(int nodes, List<Job> jobs) {
    var machines = new ArrayList<Node>();
    for (int n = 0; n < nodes; n++) {
      machines.add(node("n" + (100_000 + n), CPU, MEMORY_MIB, DEVICES, "V100"));
    }
    long first = jobs.stream().mapToLong(Job::submitted).min().orElse(0);
    var inOrder =
        jobs.stream()
            .map(each ->
                new Job(each.queue, each.members, each.ask, each.submitted - first, each.seconds))
            .sorted(Comparator.comparingLong(Job::submitted))
            .toList();
    return new JobTrace(machines, queues(1000L * DEVICES * nodes, inOrder), inOrder);
  }

  /// @param capacity thousandths of GPUs, which their quotas divide
  private static List<Queue> queues(long capacity, List<Job> jobs) {
    var work = new TreeMap<QueueName, Double>();
    double all = 0;
    for (Job job : jobs) {
      double one = (double) job.gpuMillis() * job.seconds;
      work.merge(job.queue, one, Double::sum);
      all += one;
    }
    var queues = new ArrayList<Queue>();
    for (var each : work.entrySet()) {
      long quota = (long) (capacity * (each.getValue() / all));
      queues.add(BenchCluster.queueOf(each.getKey().toString(), "", quota, new TreeMap<>()));
    }
    return queues;
  }

  private static Node node(String name, long cpu, long memoryMib, int gpus, String model) {
    var labels = new TreeMap<String, String>();
    labels.put(MODEL, model);
    return new Node(
        new NodeName(name),
        1,
        labels,
        List.of(),
        false,
        true,
        Amounts.of(Resource.CPU, cpu)
            .plus(Amounts.of(Resource.MEMORY, memoryMib * MIB))
            .plus(Amounts.of(Resource.PODS, PODS))
            .plus(Amounts.of(Resource.NVIDIA, gpus)),
        new Node.Accelerator(Resource.NVIDIA, gpus, model, 0, Node.Mig.NONE));
  }

  private static List<String[]> rows(Path file) {
    try (var raw = Files.newInputStream(file);
        var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
