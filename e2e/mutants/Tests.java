import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Compiles mutants and runs test classes of one module against each, all in one JVM: a class
/// loader for each mutant has its classes first, then those of the tree; libraries are shared.
///
/// Arguments: the mutants with their test classes (a line each: name, tab, classes in the order in
/// which they are to be run), the folder of the mutants (NAME/src is what each changes), the file
/// to which verdicts are added (a line each: name, verdict, test, why), and how many at a time.
///
/// What turns red must be green without any mutant, and must fail by itself: where classes no
/// longer fit each other, the mutant is not killed but `unlinked`.
final class Tests {
  private record Failure(String test, Throwable why) {}

  /// the folders with classes of the tree, those of tests among them
  private static final List<Path> TREE =
      Stream.of(System.getProperty("mutants.tree").split(File.pathSeparator))
          .map(Path::of)
          .toList();

  private static final long SECONDS = Long.getLong("mutants.seconds", 300);

  private final PrintStream told = System.out;
  private final Path mutants;
  private final Path verdicts;

  private final ClassLoader tree = loader(null);

  /// what fails in a test class without any mutant; empty where it is green
  private final Map<String, List<Failure>> unmutated = new ConcurrentHashMap<>();

  private Tests(Path mutants, Path verdicts) {
    this.mutants = mutants;
    this.verdicts = verdicts;
  }

  public static void main(String[] args) throws Exception {
    var tests = new Tests(Path.of(args[1]), Path.of(args[2]));
    System.setOut(System.err);
    var pool = Executors.newFixedThreadPool(Integer.parseInt(args[3]));
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] parts = line.split("\t");
      pool.submit(() -> tests.judge(parts[0], List.of(parts[1].split(" "))));
    }
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.DAYS);
    Runtime.getRuntime().halt(0); // whatever threads the tests left
  }

  private void judge(String name, List<String> classes) {
    try {
      String errors = compile(name);
      if (!errors.isEmpty()) {
        conclude(name, "uncompiled", "", errors);
        return;
      }
      var mutated = loader(mutants.resolve(name).resolve("classes"));
      for (String type : classes) {
        for (Failure failure : failures(type, mutated)) {
          if (green(type)) {
            String verdict = unlinked(failure.why()) ? "unlinked" : "killed";
            conclude(name, verdict, failure.test(), String.valueOf(failure.why()));
            return;
          }
        }
      }
      conclude(name, "survived", "", "");
    } catch (Exception | LinkageError broken) {
      conclude(name, "broken", "", broken.toString());
    }
  }

  private void conclude(String name, String verdict, String test, String why) {
    synchronized (told) {
      if (verdict.equals("killed")) {
        told.println(name + ": killed by " + test);
      }
      String line = String.join("\t", name, verdict, test, why.replaceAll("\\s+", " "));
      try {
        Files.writeString(
            verdicts, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException unwritten) {
        throw new java.io.UncheckedIOException(unwritten);
      }
    }
  }

  private boolean green(String type) {
    return unmutated
        .computeIfAbsent(
            type,
            any -> {
              var failures = failures(type, tree);
              for (Failure failure : failures) {
                conclude("-", "red", failure.test(), String.valueOf(failure.why()));
              }
              return failures;
            })
        .isEmpty();
  }

  // --- Compiling

  /// Without Error Prone: a mutant must be found by a test, not by its looks. What it changes
  /// alone.
  private String compile(String name) throws IOException {
    Path classes = mutants.resolve(name).resolve("classes");
    if (Files.isDirectory(classes)) {
      return "";
    }
    List<String> sources;
    try (var files = Files.walk(mutants.resolve(name).resolve("src"))) {
      sources = files.map(Path::toString).filter(file -> file.endsWith(".java")).toList();
    }
    String tree = String.join(File.pathSeparator, TREE.stream().map(Path::toString).toList());
    String path = tree + File.pathSeparator + System.getProperty("java.class.path");
    var options = List.of("--release", "25", "-nowarn", "-proc:none", "-cp", path);
    var compiler = ToolProvider.getSystemJavaCompiler();
    var errors = new StringWriter();
    Path out = Files.createTempDirectory(mutants.resolve(name), "out");
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var all = new ArrayList<>(options);
      all.addAll(List.of("-d", out.toString()));
      var units = files.getJavaFileObjects(sources.toArray(String[]::new));
      if (!compiler.getTask(errors, files, null, all, null, units).call()) {
        return "does not compile: " + errors;
      }
    }
    Files.move(out, classes);
    return "";
  }

  // --- Running

  private static ClassLoader loader(Path mutated) {
    var folders = new ArrayList<Path>(TREE);
    if (mutated != null) {
      folders.addFirst(mutated);
    }
    var urls = folders.stream().map(Tests::url).toArray(URL[]::new);
    return new URLClassLoader(urls, Tests.class.getClassLoader());
  }

  private static URL url(Path folder) {
    try {
      return folder.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  private static List<Failure> failures(String type, ClassLoader loader) {
    var run = new FutureTask<>(() -> run(type, loader));
    var thread = new Thread(run, type);
    thread.setContextClassLoader(loader);
    thread.setDaemon(true);
    thread.start();
    try {
      return run.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      thread.setPriority(Thread.MIN_PRIORITY);
      return List.of(new Failure(simple(type), late));
    } catch (Exception broken) {
      return List.of(new Failure(simple(type), broken.getCause()));
    }
  }

  private static List<Failure> run(String type, ClassLoader loader) throws Exception {
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(Class.forName(type, false, loader)))
            .build();
    var listener = new Listener();
    long began = System.nanoTime();
    LauncherFactory.create().execute(request, listener);
    System.err.println(type + " took " + (System.nanoTime() - began) / 1_000_000 + " ms");
    return listener.failures;
  }

  private static final class Listener implements TestExecutionListener {
    private final List<Failure> failures = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        failures.add(new Failure(name(test), result.getThrowable().orElse(null)));
      }
    }

    private static String name(TestIdentifier test) {
      return switch (test.getSource().orElse(null)) {
        case MethodSource method -> simple(method.getClassName()) + "." + method.getMethodName();
        case ClassSource type -> simple(type.getClassName());
        case null, default -> test.getDisplayName();
      };
    }
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /// Whether classes do not fit each other: what others were compiled against is not there.
  private static boolean unlinked(Throwable why) {
    for (Throwable each = why; each != null; each = each.getCause()) {
      boolean initialized = String.valueOf(each.getMessage()).startsWith("Could not initialize");
      boolean initializer = each instanceof ExceptionInInitializerError || initialized;
      if (each instanceof LinkageError && !initializer) {
        return true;
      }
    }
    return false;
  }
}
