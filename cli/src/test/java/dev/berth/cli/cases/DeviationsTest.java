package dev.berth.cli.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviationsTest {
  @Test
  void rowsOfTablesNameScenariosAndReasons() {
    var deviations =
        Deviations.of(
            """
            # Deviations

            | name | reason |
            |---|---|
            | `reclaim-1` | a budget is honoured |
            | reclaim-2 | so is a grace |
            | reclaim-3 | |
            """
                .lines()
                .toList());
    assertThat(deviations.reason("reclaim-1")).isEqualTo("a budget is honoured");
    assertThat(deviations.reason("reclaim-2")).isEqualTo("so is a grace");
    assertThat(deviations.reason("reclaim-3"))
        .as("without a reason it is no deviation")
        .isEqualTo("");
    assertThat(deviations.reason("name")).isEqualTo("");
  }
}
