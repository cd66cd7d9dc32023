package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OperatorsTest {
  @Test
  void whatIsMissingFailsWhereItIsRequired() {
    assertThat(Operators.optional("0", "no Go")).isEqualTo("no Go");
    assertThat(Operators.optional("1", "")).isEmpty();
    assertThatThrownBy(() -> Operators.optional("1", "no Go"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("BERTH_REQUIRE_MODULES is 1, and no Go");
  }
}
