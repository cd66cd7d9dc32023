package dev.berth.extender.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterWireTest {
  private static final String POD =
      """
      {"metadata":{"labels":{"uid":"no","name":"no"},"name":"train-0","namespace":"ml",\
      "uid":"u-1","ownerReferences":[{"uid":"owner","name":"train"}],"aFieldOfTomorrow":[{"x":[1]}]},\
      "spec":{"schedulerName":"berth","containers":[{"name":"c","args":["a \\"}]{[ b"]}]},\
      "status":{"phase":"Pending"},"somethingNew":{"deep":[[{"metadata":{"uid":"no"}}]]}}\
      """;

  private final KnownNames known = new KnownNames();

  private FilterQuestion read(String json) throws UnreadableQuestion {
    return FilterQuestion.read(json.getBytes(UTF_8), known);
  }

  private static List<NodeName> nodes(String... names) {
    return Arrays.stream(names).map(NodeName::new).toList();
  }

  @Test
  void readsWhatKubeSchedulerSends() throws UnreadableQuestion {
    var question =
        read("{\"Pod\":" + POD + ",\"Nodes\":null,\"NodeNames\":[\"n1\",\"n2\",\"n3\"]}\n");

    assertThat(question.pod().uid()).isEqualTo(new PodUid("u-1"));
    assertThat(question.pod().key()).isEqualTo(new PodKey("ml", "train-0"));
    assertThat(question.nodes().list()).isEqualTo(nodes("n1", "n2", "n3"));
    assertThat(question.wholeNodes()).as("names came").isFalse();
  }

  @Test
  void theWholePodIsThereWhenAskedFor() throws UnreadableQuestion {
    var tree = read("{\"Pod\":" + POD + ",\"NodeNames\":[]}").pod().tree();

    assertThat(tree).containsKeys("metadata", "spec", "status", "somethingNew");
    assertThat(tree.get("spec"))
        .isEqualTo(
            Map.of(
                "schedulerName",
                "berth",
                "containers",
                List.of(Map.of("name", "c", "args", List.of("a \"}]{[ b")))));
  }

  @Test
  void fieldsOfAnyOrderAndWhiteSpaceAreRead() throws UnreadableQuestion {
    var question =
        read(
            " { \"Tomorrow\" : {\"a\":[\"}\"]} ,\n"
                + "\t\"NodeNames\" : [ \"n1\" , \"n2\" ] , \"More\": -1.5e3, \"Nodes\" : null ,"
                + " \"Pod\" : "
                + POD
                + " } ");

    assertThat(question.nodes().list()).isEqualTo(nodes("n1", "n2"));
    assertThat(question.pod().uid()).isEqualTo(new PodUid("u-1"));
  }

  @Test
  void wholeNodesAreRecognised() throws UnreadableQuestion {
    var question =
        read(
            "{\"Pod\":"
                + POD
                + ",\"Nodes\":{\"metadata\":{\"name\":\"list\"},\"items\":["
                + "{\"metadata\":{\"labels\":{\"name\":\"no\"},\"name\":\"n1\"},\"spec\":{\"taints\":[]}},"
                + "{\"status\":{},\"metadata\":{\"name\":\"n2\"}}]},\"NodeNames\":null}");

    assertThat(question.nodes().list()).isEqualTo(nodes("n1", "n2"));
    assertThat(question.wholeNodes()).as("Node objects came").isTrue();
  }

  @Test
  void namesMayHaveEscapes() throws UnreadableQuestion {
    var question = read("{\"Pod\":" + POD + ",\"NodeNames\":[\"n\\u0031\",\"a\\\"b\"]}");

    assertThat(question.nodes().list()).isEqualTo(nodes("n1", "a\"b"));
    assertThat(
            new String(
                FilterAnswer.only(question.nodes(), new NodeName("a\"b"), NO).bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[\"a\\\"b\"],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
  }

  private static final FilterVerdict NO = FilterVerdict.unresolvable("no");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "[]",
        "null",
        "{",
        "{\"Pod\"",
        "{\"Pod\":",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}}",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}},\"NodeNames\":[\"n1\"",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}},\"NodeNames\":[\"n1\\",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}},\"NodeNames\":[1]}",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}},\"NodeNames\":[\"n1\" \"n2\"]}",
        "{\"Pod\":null,\"NodeNames\":[]}",
        "{\"Pod\":{},\"NodeNames\":[]}",
        "{\"Pod\":{\"metadata\":{\"name\":\"p\"}},\"NodeNames\":[]}",
        "{\"Pod\":{\"metadata\":{\"uid\":\"u\",]}},\"NodeNames\":[]}",
        "{\"NodeNames\":[\"n1\"]}",
        "{]}",
        "pod=1"
      })
  void whatIsNoQuestionIsSaidInASentence(String body) {
    assertThatThrownBy(() -> read(body))
        .isInstanceOf(UnreadableQuestion.class)
        .hasMessageNotContaining("Exception");
  }

  @Test
  void everyTruncationIsUnreadableAndNothingWorse() {
    var whole = "{\"Pod\":" + POD + ",\"Nodes\":null,\"NodeNames\":[\"n1\",\"n2\"]}";
    for (int length = 0; length < whole.length(); length++) {
      var part = whole.substring(0, length);
      assertThatThrownBy(() -> read(part)).as(part).isInstanceOf(UnreadableQuestion.class);
    }
  }

  @Test
  void aPlannedPodPassesOnItsNodeAlone() throws UnreadableQuestion {
    var question = read("{\"Pod\":" + POD + ",\"NodeNames\":[\"n1\",\"n2\",\"n3\"]}");

    var answer = FilterAnswer.only(question.nodes(), new NodeName("n2"), NO);

    assertThat(answer.passing()).isEqualTo(nodes("n2"));
    assertThat(answer.failed()).isEmpty();
    assertThat(answer.unresolvable()).containsOnlyKeys(nodes("n1", "n3"));
    assertThat(new String(answer.bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[\"n2\"],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
  }

  @Test
  void whereNoNodePassesEachIsNamed() throws UnreadableQuestion {
    var question = read("{\"Pod\":" + POD + ",\"NodeNames\":[\"n1\",\"n2\"]}");

    var answer = FilterAnswer.only(question.nodes(), new NodeName("n3"), NO);

    assertThat(new String(answer.bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{\"n1\":\"no\",\"n2\":\"no\"},\"Error\":\"\"}");
  }

  @Test
  void everyRefusalGoesIntoItsMap() {
    var asked = NodeNames.of(nodes("a", "c"));

    var answer =
        FilterAnswer.each(
            asked, List.of(FilterVerdict.resolvable("room"), FilterVerdict.unresolvable("x\"y")));

    assertThat(new String(answer.bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[],\"FailedNodes\":{\"a\":\"room\"},"
                + "\"FailedAndUnresolvableNodes\":{\"c\":\"x\\\"y\"},\"Error\":\"\"}");
  }

  @Test
  void besideAPassOnlyThoseWherePreemptionMayHelpAreNamed() {
    var asked = NodeNames.of(nodes("a", "b", "c"));

    var answer =
        FilterAnswer.each(
            asked,
            List.of(
                FilterVerdict.resolvable("room"),
                FilterVerdict.PASSES,
                FilterVerdict.unresolvable("never")));

    assertThat(answer.unresolvable()).containsOnlyKeys(nodes("c"));
    assertThat(new String(answer.bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[\"b\"],\"FailedNodes\":{\"a\":\"room\"},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
  }

  @Test
  void anErrorNamesNoNode() {
    assertThat(new String(FilterAnswer.error("not \"yet\"").bytes(), UTF_8))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"not \\\"yet\\\"\"}");
  }
}
