package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/// A pod that becomes Berth's by its namespace gets all that a pod of Berth's is born with:
/// kube-apiserver promises no order of the two policies, so each has the whole.
class AdoptedAsBornTest {
  private static final String SCHEDULER =
      "(object.spec.?schedulerName.orValue('default-scheduler') != 'berth' ? [JSONPatch{op: 'add',"
          + " path: '/spec/schedulerName', value: 'berth'}] : []) + ";

  @Test
  void theVariablesAreTheSame() throws IOException {
    assertThat(spec("namespaces").get("variables")).isEqualTo(spec("born").get("variables"));
  }

  @Test
  void thePatchIsTheSameAfterTheScheduler() throws IOException {
    assertThat(patch("namespaces")).isEqualTo(SCHEDULER + patch("born"));
  }

  @Test
  void thereIsTheSameToDoOnceItIsOurs() throws IOException {
    assertThat(toDo("namespaces"))
        .isEqualTo(
            "object.spec.?schedulerName.orValue('default-scheduler') != 'berth' || "
                + toDo("born"));
  }

  private static String patch(String file) throws IOException {
    var mutations = spec(file).path("mutations");
    assertThat(mutations).as(file).hasSize(1);
    return text(mutations.at("/0/jsonPatch/expression"));
  }

  private static String toDo(String file) throws IOException {
    var condition = spec(file).at("/matchConditions/1");
    assertThat(condition.path("name").asText()).as(file).isEqualTo("to-do");
    return text(condition.path("expression"));
  }

  private static String text(JsonNode expression) {
    return expression.asText().strip().replaceAll("\\s+", " ");
  }

  /// Of the first object in a file of `manifests/policies`.
  private static JsonNode spec(String file) throws IOException {
    var path = ControlPlane.root().resolve("manifests/policies/" + file + ".yaml");
    return new YAMLMapper().readTree(path.toFile()).path("spec");
  }
}
