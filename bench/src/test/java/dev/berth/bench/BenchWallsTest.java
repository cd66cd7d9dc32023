package dev.berth.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// Which part of a benchmark may know which part of the product.
@AnalyzeClasses(packages = "dev.berth.bench", importOptions = DoNotIncludeTests.class)
final class BenchWallsTest {
  @ArchTest
  static final ArchRule ONLY_THE_ENGINE_IN_PROCESS =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.berth.bench.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.berth.cli..",
              "dev.berth.extender..",
              "dev.berth.controllers..",
              "dev.berth.simulator..")
          .because("decision 26: the product joined stands behind HTTP");

  @ArchTest
  static final ArchRule PEERS_KNOW_NOTHING_OF_BERTH =
      noClasses()
          .that()
          .resideInAnyPackage("dev.berth.bench.peers..", "dev.berth.bench.bound..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.berth.engine..", "dev.berth.bench.ours..");

  @ArchTest
  static final ArchRule OF_THE_FRONT_END_ITS_WIRING =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.berth.cli.demo..", "dev.berth.cli.doctor..", "dev.berth.cli.bench..");
}
