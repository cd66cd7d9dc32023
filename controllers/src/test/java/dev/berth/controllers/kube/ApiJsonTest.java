package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ApiJsonTest {
  private static byte[] nested(int depth) {
    return ("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)).getBytes(StandardCharsets.UTF_8);
  }

  /// Trees are walked by methods that call themselves.
  @Test
  void aTreeIsBoundedInItsDepth() throws Exception {
    assertThat(ApiJson.tree(nested(900))).containsOnlyKeys("a");
    assertThatThrownBy(() -> ApiJson.tree(nested(1100)))
        .isInstanceOf(StreamConstraintsException.class);
  }
}
