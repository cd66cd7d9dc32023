package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.DeviceMatch;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is understood of a selector never leaves out a device that it chooses: claims are charged
/// by what they may be allocated.
class DeviceSelectorsTest {
  private static final String UUID = "device.attributes[\"gpu.nvidia.com\"].uuid == \"a\"";

  private static List<DeviceMatch> of(String expression) {
    var cel = Map.of("cel", Map.of("expression", expression));
    return DeviceSelectors.of(ManifestTree.root(Map.of("selectors", List.of(cel)), new Problems()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        " %s && true",
        "true && %s",
        "device.capacity[\"d\"].memory.compareTo(quantity(\"40Gi\")) >= 0 && %s",
        "(1 == 1 || 2 == 3) && %s && !(2 == 3)",
        "device.attributes[\"d\"].model.matches(\"a||b?\") && %s"
      })
  void anOperandOfAnAndIsUnderstood(String around) {
    var attributes = new TreeMap<String, String>(Map.of("gpu.nvidia.com/uuid", "a"));
    assertThat(of(around.formatted(UUID))).isEqualTo(List.of(new DeviceMatch("", attributes)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "!(true && %s && true)",
        "!(%s)",
        "(true && %s && true) == false",
        "[true && %s && true] == [false]",
        "{1: true && %s && true} == {}",
        "%s || true",
        "true ? true : true && %s && true",
        "'true && %s && true' == ''",
        "\"true && %s && true\" == \"\"",
        "true // && %s && true",
        "true //\n && %s && true",
        "'\\' && %s && ' == ''",
        "''' && %s && ''' == ''",
        "r'x' == 'true && %s && true'",
        "[1].all(x, true && %s && true) == false"
      })
  void whatAnEqualityIsPartOfIsLeftToKubeScheduler(String around) {
    assertThat(of(around.formatted(UUID.replace('"', around.contains("\"true") ? '\'' : '"'))))
        .isEmpty();
  }

  private static final String OF_A_NUMBER = "device.attributes['d'].numa == ";

  @ParameterizedTest
  @ValueSource(strings = {"0", "7", "-7", "10", "999999999999999999", "true", "false"})
  void aNumberOrTruthIsUnderstoodAsSlicesWriteIt(String value) {
    var attributes = new TreeMap<String, String>(Map.of("d/numa", value));
    assertThat(of(OF_A_NUMBER + value)).isEqualTo(List.of(new DeviceMatch("", attributes)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00",
        "-0",
        "07",
        "-07",
        "+0",
        "- 7",
        "0x0",
        "0X7",
        "0u",
        "7U",
        "0.0",
        "7.",
        "7e0",
        ".7",
        "9223372036854775808",
        "(7)",
        "True",
        "b'7'",
        "r'7'",
        "'\\x37'",
        "\"\\u0037\"",
        "\"\"\"7\"\"\"",
        "semver('7.0.0')",
        "int('7')",
        "'7' + ''",
        "7 == true"
      })
  void whatCelMayTakeForAnotherTextIsLeftToKubeScheduler(String value) {
    assertThat(of(OF_A_NUMBER + value)).isEmpty();
  }
}
