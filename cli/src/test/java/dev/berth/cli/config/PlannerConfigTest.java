package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.cycle.CycleSettings;
import dev.berth.controllers.cycle.MoveSettings;
import dev.berth.controllers.cycle.UsageSettings;
import dev.berth.controllers.queues.QueueSettings;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings.Consolidation;
import dev.berth.engine.action.ActionSettings.Debts;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.fairness.FairShareSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How the planner decides, as the file says it.
class PlannerConfigTest {
  @Test
  void whatIsLeftOutHasItsDefault() {
    assertThat(Config.defaults().planner()).isEqualTo(PlannerSettings.DEFAULT);
  }

  @Test
  void everyFieldReachesThePlanner() throws ConfigException {
    var planner =
        Config.read(
                Map.of(
                    "fairShare", Map.of("k", 0.5, "halfLife", "24h"),
                    "consolidation", Map.of("maxMoves", 0, "maxCostPercent", 50),
                    "reclaim", Map.of("enabled", false, "multiplier", 1.5, "maxGracePeriod", "1m"),
                    "evictions", Map.of("budgetTimeout", "5s"),
                    "preemption", Map.of("enabled", false),
                    "search", Map.of("trials", 7, "slice", 3, "wideFrom", 0)))
            .planner();
    assertThat(planner.fairShare()).isEqualTo(new FairShareSettings(0.5, Duration.ofDays(1)));
    assertThat(planner.actions().consolidation()).isEqualTo(new Consolidation(0, 50));
    assertThat(planner.actions().reclaiming())
        .isEqualTo(
            new Reclaiming(false, 1.5, new Debts(Duration.ofSeconds(5), Duration.ofMinutes(1))));
    assertThat(planner.actions().preempts()).as("preempts").isFalse();
    assertThat(planner.actions().searching()).isEqualTo(new Searching(7, 3, 0));
  }

  @Test
  void howLongWorkloadsAreWarnedReachesThePlannerAndTheCycle() throws ConfigException {
    var config = Config.read(Map.of("maxRuntimeWarning", "10m"));
    assertThat(config.planner().maxRuntimeWarning()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.cycle().maxRuntimeWarning()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void budgetsAreHonouredWhereTheFileSaysSo() throws ConfigException {
    var planner = Config.read(Map.of("reclaim", Map.of("overrideBudgets", false))).planner();
    assertThat(planner.actions().reclaiming().debts().yieldToBudgets()).isTrue();
  }

  @Test
  void howQueuesAreKeptReachesTheCycleAndTheirStatuses() throws ConfigException {
    assertThat(Config.defaults().queues()).isEqualTo(QueueSettings.DEFAULT);
    assertThat(Config.defaults().cycle()).isEqualTo(CycleSettings.DEFAULT);
    var config =
        Config.read(
            Map.of(
                "fairShare", Map.of("k", 0.5, "halfLife", "10m"),
                "consolidation", Map.of("maxMovesPerHour", 7, "cooldown", "5m"),
                "status", Map.of("queuePause", "2s", "usageStep", 0.1, "usagePeriod", "5m")));
    assertThat(config.queues())
        .as("a restart forgets no more than a tenth of a half-life")
        .isEqualTo(new QueueSettings(Duration.ofSeconds(2), 0.1, Duration.ofMinutes(1)));
    assertThat(config.cycle().moves()).isEqualTo(new MoveSettings(7, Duration.ofMinutes(5)));
    assertThat(config.cycle().accounting())
        .isEqualTo(
            new UsageSettings(
                new FairShareSettings(0.5, Duration.ofMinutes(10)), Duration.ofSeconds(2), 0.1));
  }

  @ParameterizedTest
  @CsvSource({
    "fairShare, k, -0.1",
    "fairShare, halfLife, 0s",
    "status, queuePause, 0s",
    "status, usageStep, 0",
    "status, usagePeriod, 0s",
    "consolidation, maxMoves, -1",
    "consolidation, maxCostPercent, -1",
    "consolidation, maxMovesPerHour, -1",
    "consolidation, cooldown, -1s",
    "reclaim, enabled, perhaps",
    "reclaim, multiplier, 0.9",
    "preemption, enabled, 1",
    "search, trials, 0",
    "search, slice, 0",
    "search, wideFrom, -1",
    "search, patience, 1",
  })
  void aFieldThatCannotBeMeantIsNamed(String section, String field, String value) {
    Object read = value.matches("-?[0-9.]+") ? (Object) Double.valueOf(value) : value;
    Object typed = read instanceof Double number && number % 1 == 0 ? number.intValue() : read;
    assertThatThrownBy(() -> Config.read(Map.of(section, Map.of(field, typed))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(section + "." + field);
  }
}
