package dev.berth.cli.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    assertEquals("a budget is honoured", deviations.reason("reclaim-1"));
    assertEquals("so is a grace", deviations.reason("reclaim-2"));
    assertEquals("", deviations.reason("reclaim-3"), "without a reason it is no deviation");
    assertEquals("", deviations.reason("name"));
  }
}
