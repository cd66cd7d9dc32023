package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact.JobSeen;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether a Job makes pods, and in the stead of how many it makes none.
class JobManifestTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                | {}                                             | true",
        "{suspend: false}  | {conditions: [{type: Complete, status: \"False\"}]} | true",
        "{suspend: true}   | {}                                             | false",
        "{}                | {conditions: [{type: Complete, status: \"True\"}]} | false",
        "{}                | {conditions: [{type: Failed, status: \"True\"}]} | false",
        "{}                | {conditions: [{type: FailureTarget, status: \"True\"}]} | true",
      })
  void isThatOfOneThatIsNeitherOverNorSuspended(String spec, String status, boolean makesPods) {
    var tree =
        Flow.tree("{metadata: {name: j, uid: u}, spec: " + spec + ", status: " + status + "}");
    assertThat(JobManifest.read(tree))
        .contains(new JobSeen(new OwnerUid("u"), makesPods, 0, GroupKey.NONE, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{parallelism: 4, completions: 4} | {} | 0",
        "{parallelism: 4, completions: 4} | {succeeded: 1} | 1",
        "{parallelism: 4, completions: 4} | {succeeded: 4} | 4",
        "{parallelism: 4, completions: 4} | {succeeded: 9} | 4",
        "{parallelism: 4, completions: 8} | {succeeded: 4} | 0",
        "{parallelism: 4, completions: 8} | {succeeded: 5} | 1",
        "{parallelism: 8, completions: 4} | {succeeded: 1} | 1",
        "{parallelism: 4} | {succeeded: 1} | 0",
        "{completions: 3} | {succeeded: 2} | 0",
        "{parallelism: 4, completions: 4, suspend: true} | {succeeded: 1} | 1",
        "{parallelism: 4, completions: 4} | {succeeded: 1, failedIndexes: \"0-1\"} | 1",
        "{parallelism: 4, completions: 4, backoffLimitPerIndex: 1} | {succeeded: 1, failedIndexes:"
            + " \"0-1\"} | 1",
        "{parallelism: 4, completions: 4, backoffLimitPerIndex: 1} | {succeeded: 3, failedIndexes:"
            + " \"0-1\"} | 2",
        "{parallelism: 4, completions: 4} | {succeeded: 4, conditions: [{type: Complete, status:"
            + " \"True\"}]} | 0",
        "{parallelism: 0, completions: 4} | {succeeded: 1} | 0",
        "{parallelism: few, completions: 4} | {succeeded: -1} | 0",
      })
  void runsFewerAtOnceWhenTooFewAreLeft(String spec, String status, int fewer) {
    var tree =
        Flow.tree("{metadata: {name: j, uid: u}, spec: " + spec + ", status: " + status + "}");
    assertThat(JobManifest.read(tree).map(JobSeen::fewer)).contains(fewer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | '' | ''",
        "{metadata: {labels: {berth.dev/pod-group: work}}} | work | ''",
        "{metadata: {labels: {berth.dev/pod-group: work, berth.dev/subgroup: one}}} | work | one",
        "{metadata: {annotations: {pod-group-name: work}}} | work | ''",
        "{spec: {schedulingGroup: {podGroupName: work}}} | work | ''",
      })
  void tellsWhereItsPodsBelong(String template, String group, String subGroup) {
    var tree =
        Flow.tree(
            "{metadata: {name: j, uid: u, namespace: n}, spec: {template: " + template + "}}");
    var key = group.isEmpty() ? GroupKey.NONE : new GroupKey("n", group);
    assertThat(JobManifest.read(tree))
        .contains(new JobSeen(new OwnerUid("u"), true, 0, key, subGroup));
  }

  @Test
  void isUnknownOfATreeWithoutName() {
    assertThat(JobManifest.read(Flow.tree("{metadata: {uid: u}}"))).isEmpty();
  }
}
