package dev.berth.cli.lists;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTextTest {
  @Test
  void cellsAreQuotedAndFormulasHarmless() {
    assertThat(CsvText.line(List.of("a", "", "b,c", "say \"x\"", "=1+2", "@x", "-1,2", "a\nb")))
        .isEqualTo("a,,\"b,c\",\"say \"\"x\"\"\",'=1+2,'@x,\"'-1,2\",a b\r\n");
  }
}
