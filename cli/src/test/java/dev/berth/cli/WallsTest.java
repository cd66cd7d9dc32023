package dev.berth.cli;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Stream;

/// The walls inside the modules (between them Maven stands): which package may import which, and
/// what the engine must not touch. One row of the table per rule; talk about the layering before
/// changing it. Everything may use its own package, and a `Metrics` class of its own module.
@AnalyzeClasses(packages = "dev.berth", importOptions = DoNotIncludeTests.class)
final class WallsTest {
  /// What every package may use.
  private static final String[] ALWAYS = {
    "java.lang..",
    "java.util",
    "java.util.function",
    "java.util.stream",
    "java.time..",
    "org.jspecify.annotations"
  };

  /// What a parser and an amount need besides: values only, as pure as `java.util`.
  private static final String[] VALUES = {"java.math", "java.util.regex", "java.nio.charset"};

  private static final String[] LOCKS = {
    "java.util.concurrent.locks", "java.util.concurrent.atomic"
  };

  /// Edges talk to the world, so the JDK is theirs.
  private static final String[] JDK = {"java..", "javax.."};

  private static final String JACKSON = "com.fasterxml.jackson..";
  private static final String JAVALIN = "io.javalin..";
  private static final String SLF4J = "org.slf4j..";
  private static final String PROMETHEUS = "io.prometheus..";
  private static final String KUBERNETES = "io.kubernetes..";

  private static final String MODEL = "dev.berth.engine.model..";
  private static final String REQUEST = "dev.berth.engine.request..";
  private static final String INJECTION = "dev.berth.engine.injection..";
  private static final String SESSION = "dev.berth.engine.session..";
  private static final String LEDGER = "dev.berth.engine.ledger..";
  private static final String FAIRNESS = "dev.berth.engine.fairness..";
  private static final String PLACEMENT = "dev.berth.engine.placement..";
  private static final String VICTIMS = "dev.berth.engine.victims..";
  private static final String ACTION = "dev.berth.engine.action..";
  private static final String EXPLAIN = "dev.berth.engine.explain..";
  private static final String FORMAT = "dev.berth.engine.format..";
  private static final String ENGINE = "dev.berth.engine..";
  private static final String WIRE = "dev.berth.extender.wire..";
  private static final String BARRIER = "dev.berth.extender.barrier..";
  private static final String VERBS = "dev.berth.extender.verbs..";
  private static final String BOUNDS = "dev.berth.extender.bounds..";
  private static final String REST = "dev.berth.extender.rest..";
  private static final String DASHBOARD = "dev.berth.extender.dashboard..";
  private static final String EXTENDER = "dev.berth.extender..";
  private static final String CRD = "dev.berth.controllers.crd..";
  private static final String CLIENT = "dev.berth.controllers.client..";
  private static final String LOOP = "dev.berth.controllers.loop..";
  private static final String KUBE = "dev.berth.controllers.kube..";
  private static final String PROMETHEUS_CLIENT = "dev.berth.controllers.prometheus..";
  private static final String CONTROLLERS = "dev.berth.controllers..";
  private static final String SIMULATOR = "dev.berth.simulator..";
  private static final String CLI = "dev.berth.cli..";

  // The engine, package by package.

  @ArchTest
  static final ArchRule model = engineRow(MODEL, "the nouns stand alone: everyone speaks them");

  @ArchTest
  static final ArchRule request =
      engineRow(REQUEST, "a parser turns text into nouns and knows nobody who asks", MODEL);

  @ArchTest
  static final ArchRule injection =
      engineRow(
          INJECTION,
          "the probe and the doctor read the same guess; it hashes the signs of a node",
          "java.security",
          REQUEST);

  @ArchTest
  static final ArchRule session =
      engineRow(SESSION, "the cluster as it would be does not know what is tried on it", MODEL);

  @ArchTest
  static final ArchRule ledger =
      row(
          LEDGER,
          "the ledger must not know what anyone does with a snapshot",
          with(VALUES, with(LOCKS, MODEL)));

  @ArchTest
  static final ArchRule ledgerStates =
      row(
          "dev.berth.engine.ledger.pods..",
          "states and transitions are values: the ledger applies them",
          MODEL);

  @ArchTest
  static final ArchRule ledgerObjects =
      row(
          "dev.berth.engine.ledger.objects..",
          "which sighting is the latest does not depend on what follows from it",
          MODEL);

  @ArchTest
  static final ArchRule ledgerView =
      row("dev.berth.engine.ledger.view..", "readers get values and know no ledger", MODEL);

  @ArchTest
  static final ArchRule fairness =
      engineRow(FAIRNESS, "who deserves what does not depend on where it fits", MODEL, SESSION);

  @ArchTest
  static final ArchRule placement =
      engineRow(PLACEMENT, "where it fits does not depend on who deserves it", MODEL, SESSION);

  @ArchTest
  static final ArchRule victims =
      engineRow(
          VICTIMS,
          "who could make room is asked by actions and knows none",
          MODEL,
          SESSION,
          FAIRNESS,
          PLACEMENT);

  @ArchTest
  static final ArchRule action =
      engineRow(
          ACTION,
          "an action is a rule over the session, not over the ledger or the planner",
          MODEL,
          SESSION,
          FAIRNESS,
          PLACEMENT,
          VICTIMS);

  @ArchTest
  static final ArchRule planner =
      engineRow(
          "dev.berth.engine",
          "the planner runs the actions in order and knows no rule itself; Alone asks placement"
              + " about one node (decision 5), and a round is put together here (decision 8)",
          MODEL,
          SESSION,
          FAIRNESS,
          PLACEMENT,
          VICTIMS,
          ACTION);

  @ArchTest
  static final ArchRule explain =
      engineRow(
          EXPLAIN,
          "an explanation is of one snapshot, so it cannot ask the ledger",
          "dev.berth.engine",
          MODEL,
          REQUEST,
          SESSION,
          FAIRNESS,
          PLACEMENT,
          VICTIMS,
          ACTION);

  @ArchTest
  static final ArchRule format =
      engineRow(
          FORMAT,
          "records tell their own shape, so a format knows none of them",
          "java.nio",
          "java.security",
          MODEL);

  @ArchTest
  static final ArchRule replay =
      engineRow(
          "dev.berth.engine.replay..",
          "a log holds what a planner was asked and answered, whatever it thinks in between",
          "dev.berth.engine",
          MODEL,
          FORMAT,
          SESSION,
          FAIRNESS,
          PLACEMENT,
          VICTIMS,
          ACTION);

  @ArchTest
  static final ArchRule actionsKnowNoAction =
      classes()
          .that()
          .resideInAPackage(ACTION)
          .should(knowNoOtherAction())
          .because("an action is a file that can be deleted whole");

  // The extender.

  @ArchTest
  static final ArchRule wire =
      row(
          WIRE,
          "the JSON is a language, and knows nobody who speaks it",
          with(VALUES, "java.io", JACKSON, MODEL, REQUEST));

  @ArchTest
  static final ArchRule barrier =
      row(
          BARRIER,
          "who has reached bind is a matter of pods and time, not of HTTP",
          with(VALUES, "java.util.concurrent..", SLF4J, MODEL, REQUEST));

  @ArchTest
  static final ArchRule verbs =
      row(
          VERBS,
          "a verb decodes, asks, encodes, and knows no other edge",
          with(JDK, ENGINE, WIRE, BARRIER, JAVALIN, SLF4J));

  @ArchTest
  static final ArchRule bounds =
      row(
          BOUNDS,
          "what a client may hold is a matter of bytes and time, whatever it asked",
          with(JDK, JAVALIN, "jakarta.servlet..", "org.eclipse.jetty..", SLF4J));

  @ArchTest
  static final ArchRule rest =
      row(
          REST,
          "the REST API decodes, asks, encodes, and knows no other edge; events are written to the"
              + " servlet's own stream",
          with(JDK, ENGINE, WIRE, BOUNDS, JAVALIN, "jakarta.servlet..", SLF4J));

  @ArchTest
  static final ArchRule dashboard =
      row(
          DASHBOARD,
          "the dashboard shows what the REST API says, and knows no other edge",
          with(JDK, ENGINE, WIRE, BOUNDS, JAVALIN, SLF4J));

  @ArchTest
  static final ArchRule extender =
      row(
          "dev.berth.extender",
          "the server joins its edges and knows no Kubernetes client",
          with(JDK, ENGINE, EXTENDER, JAVALIN, JACKSON, "org.eclipse.jetty..", SLF4J, PROMETHEUS));

  @ArchTest
  static final ArchRule certificates =
      row(
          "dev.berth.extender.tls",
          "what certificates are made of is known in one place",
          with(
              JDK,
              JAVALIN,
              BOUNDS,
              "jakarta.servlet..",
              "org.eclipse.jetty..",
              "org.bouncycastle.."));

  // The controllers.

  @ArchTest
  static final ArchRule crd =
      row(
          CRD,
          "our kinds are records, read from JSON and nothing else",
          with(VALUES, "java.io", JACKSON, MODEL, REQUEST));

  @ArchTest
  static final ArchRule client =
      row(CLIENT, "a client speaks in nouns, so that the simulator can hold it", MODEL, CRD);

  @ArchTest
  static final ArchRule loop =
      row(
          LOOP,
          "a queue of keys does not know what a key means",
          with(VALUES, "java.util.concurrent..", SLF4J, CLIENT));

  @ArchTest
  static final ArchRule kube =
      row(
          KUBE,
          "the client to the API server decides nothing",
          with(
              JDK,
              MODEL,
              REQUEST,
              CRD,
              CLIENT,
              LOOP,
              KUBERNETES,
              "okhttp3..",
              "okio..",
              "com.google.gson..",
              JACKSON,
              SLF4J));

  @ArchTest
  static final ArchRule prometheus =
      row(
          PROMETHEUS_CLIENT,
          "the client to Prometheus decides nothing, and knows no Kubernetes",
          with(JDK, JACKSON, CLIENT));

  @ArchTest
  static final ArchRule otherControllers =
      classes()
          .that()
          .resideInAPackage(CONTROLLERS)
          .and()
          .resideOutsideOfPackages(
              CRD, CLIENT, LOOP, KUBE, PROMETHEUS_CLIENT, "dev.berth.controllers")
          .should()
          .onlyDependOnClassesThat(mayBe(with(ALWAYS, with(JDK, ENGINE, CONTROLLERS, SLF4J))))
          .because("a controller sees the cluster through clients alone");

  @ArchTest
  static final ArchRule controllersKnowNoSibling =
      slices()
          .matching("dev.berth.controllers.(*)..")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(alwaysTrue(), resideInAnyPackage(CRD, CLIENT, LOOP))
          .because("controllers meet in the ledger");

  @ArchTest
  static final ArchRule controllers =
      row(
          "dev.berth.controllers",
          "which client the controllers get is decided in cli.Wiring",
          with(JDK, ENGINE, CONTROLLERS, SLF4J, PROMETHEUS));

  // The simulator and the command line.

  @ArchTest
  static final ArchRule simulator =
      row(
          SIMULATOR,
          "the simulator runs the code that ships, without a socket",
          with(
              VALUES,
              "java.io",
              "java.nio..",
              "java.util..",
              "java.security",
              JACKSON,
              "org.yaml.snakeyaml..",
              ENGINE,
              EXTENDER,
              CONTROLLERS));

  @ArchTest
  static final ArchRule noModuleImportsCli =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CLI)
          .because("the wiring is the picture, not a part of it");

  @ArchTest
  static final ArchRule logsOnlyOutsideEngineAndSimulator =
      noClasses()
          .that()
          .resideInAnyPackage(ENGINE, SIMULATOR)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SLF4J, PROMETHEUS)
          .because("the plan is the log, and a rehearsal leaves no trace in the metrics");

  @ArchTest
  static final ArchRule metricsOnlyInMetrics =
      noClasses()
          .that(not(isMetrics()))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(PROMETHEUS)
          .because("a metric is a named method with labels that cannot explode");

  // The engine as a whole.

  @ArchTest
  static final ArchRule engineDependsOnTheJdkAlone =
      classes()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(ENGINE, "java..", "org.jspecify.annotations")
          .because("whoever wants to think with it needs nothing else");

  @ArchTest
  static final ArchRule engineTakesTimeAndChanceAsArguments =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .accessTargetWhere(is("a clock or chance", WallsTest::isClockOrChance))
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.time\\.Clock|java\\.lang\\.Thread(Local)?|java\\.util\\.(Timer|Random|random\\..*|SplittableRandom)"
                  + "|java\\.util\\.concurrent\\.(ThreadLocalRandom|.*Executor.*|CompletableFuture)")
          .because("the same snapshot gives the same plan, byte for byte");

  @ArchTest
  static final ArchRule engineIteratesInAWrittenOrder =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .accessTargetWhere(is("a salted order", WallsTest::isSaltedOrder))
          .because("Map.of and Set.of iterate in an order that changes with every JVM");

  // Everywhere.

  @ArchTest
  static final ArchRule noCycles =
      slices()
          .matching("dev.berth.(**)")
          .should()
          .beFreeOfCycles()
          .ignoreDependency(alwaysTrue(), isMetrics())
          .because("packages that need each other are one package");

  @ArchTest
  static final ArchRule kubernetesOnlyInItsClient =
      noClasses()
          .that()
          .resideOutsideOfPackage(KUBE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(KUBERNETES)
          .because("the client has traps, and one package knows them");

  @ArchTest
  static final ArchRule javalinOnlyAtTheEdge =
      noClasses()
          .that()
          .resideOutsideOfPackages(EXTENDER, CLI)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(JAVALIN)
          .because("all HTTP is the extender's");

  @ArchTest
  static final ArchRule simulatorHasNoSocketAndNoClock =
      noClasses()
          .that()
          .resideInAPackage(SIMULATOR)
          .should()
          .accessTargetWhere(is("a clock or chance", WallsTest::isClockOrChance))
          .orShould()
          .accessTargetWhere(is("a sleep", WallsTest::isSleep))
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.channels..", "javax.net..")
          .orShould()
          .dependOnClassesThat()
          .haveNameMatching("java\\.time\\.Clock|java\\.util\\.Timer")
          .because("one seed, run twice, is the same run");

  @ArchTest
  static final ArchRule everyPackageSaysWhatItIs =
      classes()
          .should(liveInADescribedPackage())
          .because("package-info says what a package is, promises and may import");

  @ArchTest
  static final ArchRule staticFieldsAreFinal =
      fields()
          .that()
          .areStatic()
          .should()
          .beFinal()
          .because("two worlds in one process must not meet");

  @ArchTest
  static final ArchRule onlyCliHasAMain =
      methods()
          .that()
          .haveName("main")
          .and()
          .areStatic()
          .and()
          .haveRawParameterTypes(String[].class)
          .should()
          .beDeclaredInClassesThat()
          .resideInAPackage(CLI)
          .because("there is one way in");

  @ArchTest
  static final ArchRule noCommandIsNamedAsAQuestion =
      noMethods()
          .that()
          .haveRawReturnType(void.class)
          .should()
          .haveNameMatching("is[A-Z].*")
          .because("`is` asks: a method that changes something has the name of a verb or an event");

  @ArchTest
  static final ArchRule onlyCliExits =
      noClasses()
          .that()
          .resideOutsideOfPackage(CLI)
          .should()
          .accessTargetWhere(is("an exit", WallsTest::isExit))
          .because("a library that ends the process hides a failure");

  @ArchTest
  static final ArchRule namesAreNouns =
      noClasses()
          .should()
          .haveNameMatching(
              ".*[.$]([A-Z]\\w*)?(Manager|Helper|Util|Utils|Common|Info|Data|Base|Impl)s?([A-Z0-9]\\w*)?(\\$.*)?")
          .because("these words hide a noun that nobody has found yet");

  // How a rule is built.

  private static ArchRule engineRow(String from, String because, String... mayImport) {
    return row(from, because, with(VALUES, mayImport));
  }

  private static ArchRule row(String from, String because, String... mayImport) {
    return classes()
        .that()
        .resideInAPackage(from)
        .should()
        .onlyDependOnClassesThat(
            mayBe(with(ALWAYS, mayImport)).or(resideInAPackage(from)).or(isMetrics()))
        .because(because);
  }

  /// Only `cli.Wiring` may use the real API server, whatever else may be imported.
  private static DescribedPredicate<JavaClass> mayBe(String... packages) {
    return resideInAnyPackage(packages).and(not(resideInAPackage(KUBE)));
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  private static DescribedPredicate<JavaClass> isMetrics() {
    return describe(
        "are a module's class Metrics",
        type -> type.getName().matches("dev\\.berth\\.\\w+\\.Metrics(\\$.*)?"));
  }

  private static DescribedPredicate<JavaAccess<?>> is(
      String what, java.util.function.Predicate<AccessTarget> predicate) {
    return describe(what, access -> predicate.test(access.getTarget()));
  }

  private static boolean isClockOrChance(AccessTarget target) {
    String owner = target.getOwner().getName();
    return switch (target.getName()) {
      case "now" -> owner.startsWith("java.time.");
      case "currentTimeMillis", "nanoTime" -> owner.equals("java.lang.System");
      case "system", "systemUTC", "systemDefaultZone" -> owner.startsWith("java.time.");
      case "randomUUID" -> owner.equals("java.util.UUID");
      case "random" -> owner.equals("java.lang.Math") || owner.equals("java.lang.StrictMath");
      case "shuffle" -> owner.equals("java.util.Collections") && parameters(target) == 1;
      case "<init>" ->
          owner.equals("java.security.SecureRandom")
              || (parameters(target) == 0
                  && (owner.equals("java.util.Random")
                      || owner.equals("java.util.SplittableRandom")
                      || owner.equals("java.util.Date")));
      default -> owner.equals("java.util.concurrent.ThreadLocalRandom");
    };
  }

  /// Up to one entry there is only one order.
  private static boolean isSaltedOrder(AccessTarget target) {
    String owner = target.getOwner().getName();
    return switch (target.getName()) {
      case "of" ->
          (owner.equals("java.util.Map") && parameters(target) > 2)
              || (owner.equals("java.util.Set") && (parameters(target) > 1 || isVarargs(target)));
      case "ofEntries", "copyOf" -> owner.equals("java.util.Map") || owner.equals("java.util.Set");
      case "toUnmodifiableMap", "toUnmodifiableSet" -> owner.equals("java.util.stream.Collectors");
      case "parallelStream", "parallel" -> owner.startsWith("java.util.");
      default -> false;
    };
  }

  private static boolean isSleep(AccessTarget target) {
    String owner = target.getOwner().getName();
    return (target.getName().equals("sleep")
            && Set.of("java.lang.Thread", "java.util.concurrent.TimeUnit").contains(owner))
        || (target.getName().startsWith("park")
            && owner.equals("java.util.concurrent.locks.LockSupport"));
  }

  private static boolean isExit(AccessTarget target) {
    String owner = target.getOwner().getName();
    return Set.of("exit", "halt").contains(target.getName())
        && Set.of("java.lang.System", "java.lang.Runtime").contains(owner);
  }

  private static int parameters(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        ? unit.getRawParameterTypes().size()
        : 0;
  }

  private static boolean isVarargs(AccessTarget target) {
    return target instanceof AccessTarget.CodeUnitAccessTarget unit
        && unit.getRawParameterTypes().stream().anyMatch(JavaClass::isArray);
  }

  private static ArchCondition<JavaClass> knowNoOtherAction() {
    return new ArchCondition<>("know no other action") {
      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        origin.getDirectDependenciesFromSelf().stream()
            .filter(dependency -> isAction(outermost(dependency.getTargetClass())))
            .filter(dependency -> isAction(outermost(origin)))
            .filter(dependency -> !outermost(dependency.getTargetClass()).equals(outermost(origin)))
            .forEach(dependency ->
                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
      }
    };
  }

  private static boolean isAction(JavaClass type) {
    return !type.isInterface() && type.isAssignableTo("dev.berth.engine.action.Action");
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(WallsTest::outermost).orElse(type);
  }

  private static ArchCondition<JavaClass> liveInADescribedPackage() {
    return new ArchCondition<>("live in a package with a package-info that is @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean described =
            type.getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith("org.jspecify.annotations.NullMarked"))
                .orElse(false);
        if (!described) {
          events.add(
              SimpleConditionEvent.violated(
                  type, type.getName() + " lives in a package without a @NullMarked package-info"));
        }
      }
    };
  }
}
