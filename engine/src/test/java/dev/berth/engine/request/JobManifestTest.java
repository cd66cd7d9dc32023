package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact.JobSeen;
import dev.berth.engine.model.OwnerUid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether a Job makes pods.
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
    assertThat(JobManifest.read(tree)).contains(new JobSeen(new OwnerUid("u"), makesPods));
  }

  @Test
  void isUnknownOfATreeWithoutName() {
    assertThat(JobManifest.read(Flow.tree("{metadata: {uid: u}}"))).isEmpty();
  }
}
