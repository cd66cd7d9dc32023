package dev.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueCheckTest {
  @Test
  void fieldsThatBerthCannotUseAreWarnings() {
    var facts =
        new Written()
            .with(Source.QUEUES, "{metadata: {name: ops}, spec: {quota: {gpus: 8}}}")
            .with(Source.QUEUES, "{metadata: {name: odd}, spec: {quota: {gpu: many}}}")
            .with(Source.QUEUES, "{metadata: {name: own}, spec: {quota: {gpu: 8}}}")
            .facts();
    var findings = Report.of(facts).findings();
    var ofQueues = findings.stream().filter(each -> each.group().equals("queues")).toList();
    assertThat(ofQueues)
        .containsExactly(
            Finding.warn(
                "queues/UnknownResource",
                "queue ops",
                "has spec.quota.gpus \"8\", but there is no resource gpus (did you mean gpu?), so"
                    + " it has no effect. Write one of gpu, cpu, memory, ephemeral-storage, pods,"
                    + " gpu/MODEL, and extended resources like example.com/fpga, or remove it",
                "Correct it with kubectl edit queues.berth.dev ops."),
            Finding.warn(
                "queues/BadRequest",
                "queue odd",
                "has spec.quota.gpu \"many\", but it is an amount like 8, \"500m\" or \"64Gi\", or"
                    + " \"unlimited\": nothing starts in this queue",
                "Correct it with kubectl edit queues.berth.dev odd."));
  }

  @Test
  void queuesThatAreReadAreFine() {
    var facts =
        new Written()
            .with(Source.QUEUES, "{metadata: {name: own}, spec: {quota: {gpu: 8, gpu/H100: 4}}}")
            .facts();
    assertThat(QueueCheck.findings(facts))
        .containsExactly(Finding.ok("queues/Read", "queues", "every field of them is used"));
  }
}
