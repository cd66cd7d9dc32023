package dev.berth.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.JobTrace.Job;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobTraceTest {
  @TempDir private Path traces;

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void smallJobsAreOnePodAndLargeOnesWholeNodes() {
    assertThat(Job.of("q", 5, 0, 1).members()).isEqualTo(1);
    assertThat(Job.of("q", 5, 0, 1).gpuMillis()).isEqualTo(5_000);
    assertThat(Job.of("q", 8, 0, 1).isGang()).as("8 GPUs are one node").isFalse();
    assertThat(Job.of("q", 20, 0, 1).members()).isEqualTo(3);
    assertThat(Job.of("q", 20, 0, 1).gpuMillis()).isEqualTo(24_000);
  }

  /// 100 jobs of one GPU for 3 hours, as many of one for 1 hour, and a virtual cluster of one job.
  @Test
  void quotasDivideTheGpusByGpuHours() throws IOException {
    var text = new StringBuilder("vc,job_id,submit_s,duration_s,num_gpu\n");
    for (int i = 0; i < 100; i++) {
      text.append("much,").append(i).append(',').append(7 + i).append(",10800,1\n");
      text.append("less,").append(i).append(',').append(7 + i).append(",3600,1\n");
    }
    write(traces.resolve("philly/philly_vc.csv.gz"), text + "tiny,0,9,99999999,8\n");
    assertThat(JobTrace.hasPhilly(traces)).as("found").isTrue();
    var trace = JobTrace.philly(traces);
    assertThat(trace.queues().stream().map(Queue::name))
        .containsExactly(new QueueName("less"), new QueueName("much"));
    assertThat(trace.queues().stream().map(queue -> queue.quota().of(Resource.GPU)))
        .containsExactly(224_000L, 672_000L);
    assertThat(trace.capacity()).isEqualTo(896_000);
    assertThat(trace.jobs()).hasSize(200);
    assertThat(trace.jobs().getFirst().submitted()).as("from the first job on").isZero();
    assertThat(trace.jobs().getLast().submitted()).isEqualTo(99);
  }

  @Test
  void clustersOfElasticFlowAreQueues() throws IOException {
    for (String each : List.of("01", "02", "04", "05", "08", "09", "10")) {
      write(
          traces.resolve("elasticflow/cluster" + each + ".csv.gz"),
          "job_id,submission_time,duration,num_gpu\na,1" + each + ",60,16\n");
    }
    var trace = JobTrace.elasticFlow(traces);
    assertThat(trace.queues()).hasSize(7);
    assertThat(trace.jobs()).hasSize(7).allMatch(Job::isGang);
    assertThat(trace.jobs().getLast().submitted()).isEqualTo(9);
  }

  @Test
  void aTraceOfWhichAPartIsMissingIsNotThere() throws IOException {
    write(traces.resolve("elasticflow/cluster01.csv.gz"), "job_id\n");
    assertThat(JobTrace.hasElasticFlow(traces)).as("ElasticFlow").isFalse();
    assertThat(JobTrace.hasPhilly(traces)).as("Philly").isFalse();
    assertThat(JobTrace.hasOpenb(traces)).as("openb").isFalse();
  }
}
