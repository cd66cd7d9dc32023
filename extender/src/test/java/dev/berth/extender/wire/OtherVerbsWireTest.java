package dev.berth.extender.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherVerbsWireTest {
  private static final String POD = "{\"metadata\":{\"uid\":\"u\",\"name\":\"p\"}}";

  private static PreemptQuestion preempt(String json) throws UnreadableQuestion {
    return PreemptQuestion.read(json.getBytes(UTF_8));
  }

  private static BindQuestion bind(String json) throws UnreadableQuestion {
    return BindQuestion.read(json.getBytes(UTF_8));
  }

  @Test
  void scoresAreABareArray() {
    var asked = NodeNames.of(List.of(new NodeName("n1"), new NodeName("n2")));

    assertThat(new String(new PrioritizeAnswer(asked, List.of(7, 10)).bytes(), UTF_8))
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":7},{\"Host\":\"n2\",\"Score\":10}]");
    assertThat(new String(PrioritizeAnswer.indifferent(NodeNames.of(List.of())).bytes(), UTF_8))
        .isEqualTo("[]");
  }

  @Test
  void aScoreOutOfBoundsIsOurMistake() {
    var asked = NodeNames.of(List.of(new NodeName("n1")));
    assertThatThrownBy(() -> new PrioritizeAnswer(asked, List.of(11)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void victimsByUidAreRead() throws UnreadableQuestion {
    var question =
        preempt(
            "{\"Pod\":"
                + POD
                + ",\"NodeNameToVictims\":null,\"NodeNameToMetaVictims\":{"
                + "\"n2\":{\"Pods\":[{\"UID\":\"b\"},{\"UID\":\"a\"}],\"NumPDBViolations\":1},"
                + "\"n1\":{\"Pods\":[],\"NumPDBViolations\":0},"
                + "\"n3\":{\"Pods\":null,\"NumPDBViolations\":0}}}");

    assertThat(question.proposed())
        .containsOnly(
            java.util.Map.entry(new NodeName("n1"), new Victims(List.of(), 0)),
            java.util.Map.entry(
                new NodeName("n2"), new Victims(List.of(new PodUid("b"), new PodUid("a")), 1)),
            java.util.Map.entry(new NodeName("n3"), new Victims(List.of(), 0)));
  }

  @Test
  void wholeVictimsAreReadAndAnsweredByUid() throws UnreadableQuestion {
    var question =
        preempt(
            "{\"Pod\":"
                + POD
                + ",\"NodeNameToVictims\":{\"n1\":{\"Pods\":["
                + "{\"metadata\":{\"name\":\"v\",\"uid\":\"a\",\"labels\":{\"uid\":\"no\"}},\"spec\":{}},"
                + "{\"metadata\":{\"uid\":\"b\"}}],\"NumPDBViolations\":2,\"New\":{\"x\":[1]}}},"
                + "\"NodeNameToMetaVictims\":null}");

    assertThat(new String(new PreemptAnswer(question.proposed()).bytes(), UTF_8))
        .isEqualTo(
            "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":[{\"UID\":\"a\"},{\"UID\":\"b\"}],"
                + "\"NumPDBViolations\":2}}}");
  }

  @Test
  void nothingKeptIsAnEmptyMap() {
    assertThat(new String(PreemptAnswer.none().bytes(), UTF_8))
        .isEqualTo("{\"NodeNameToMetaVictims\":{}}");
  }

  @Test
  void aBindIsRead() throws UnreadableQuestion {
    assertThat(
            bind(
                "{\"PodName\":\"p\",\"PodNamespace\":\"ns\",\"PodUID\":\"u\",\"Node\":\"n\","
                    + "\"New\":{\"Node\":\"no\"}}"))
        .isEqualTo(new BindQuestion(new PodKey("ns", "p"), new PodUid("u"), new NodeName("n")));
  }

  @Test
  void aBindIsAnswered() {
    assertThat(new String(BindAnswer.BOUND.bytes(), UTF_8)).isEqualTo("{\"Error\":\"\"}");
    assertThat(new String(new BindAnswer("no\n").bytes(), UTF_8))
        .isEqualTo("{\"Error\":\"no\\n\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"PodName\":\"p\",\"PodNamespace\":\"ns\",\"PodUID\":\"\",\"Node\":\"n\"}",
        "{\"PodName\":\"p\",\"PodNamespace\":\"ns\",\"PodUID\":\"u\",\"Node\":null}",
        "{\"PodName\":\"p\","
      })
  void whatIsNoBindIsSaidInASentence(String body) {
    assertThatThrownBy(() -> bind(body))
        .isInstanceOf(UnreadableQuestion.class)
        .hasMessageNotContaining("Exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"Pod\":" + POD + ",\"NodeNameToMetaVictims\":{\"n\":{]}}"})
  void whatIsNoPreemptionIsSaidInASentence(String body) {
    assertThatThrownBy(() -> preempt(body))
        .isInstanceOf(UnreadableQuestion.class)
        .hasMessageNotContaining("Exception");
  }
}
