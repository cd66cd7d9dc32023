package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What the product and its unit tests are made of is what `dependencies.lock` says, byte for byte:
/// no dependency comes, goes or changes unseen, be it that a repository serves another file under
/// the same version.
///
/// After a change that is meant: `./mvnw -pl cli -am test -Dtest=DependenciesTest
/// -Dberth.dependencies=write`, and the difference is reviewed with the change. Maven's plugins and
/// the dependencies of `e2e` and `bench` alone are not in it.
class DependenciesTest {
  private static final Path LOCK = Path.of("dependencies.lock");

  /// In a repository of Maven: group, artifact, version, file.
  private static final Pattern JAR =
      Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/\\2-\\3(-[^/]+)?\\.jar");

  @Test
  void noneIsAnotherThanTheLockSays() throws Exception {
    var used = used();
    assertThat(used).as("jars on the class path").hasSizeGreaterThan(40);
    if (System.getProperty("berth.dependencies", "").equals("write")) {
      Files.write(
          LOCK, used.entrySet().stream().map(it -> it.getKey() + ":" + it.getValue()).toList());
    }
    var locked = locked();
    var differences = new TreeSet<String>();
    used.forEach((name, sum) -> {
      if (!locked.containsKey(name)) {
        differences.add(name + " is used, and not in the lock");
      } else if (!sum.equals(locked.get(name))) {
        differences.add(name + " has the SHA-256 " + sum + ", the lock says " + locked.get(name));
      }
    });
    locked.keySet().stream()
        .filter(name -> !used.containsKey(name))
        .forEach(name -> differences.add(name + " is in the lock, and not used"));
    assertThat(differences).as("cli/dependencies.lock; is the change meant? see above").isEmpty();
  }

  /// `group:artifact:version` → SHA-256.
  private static TreeMap<String, String> used() throws Exception {
    var used = new TreeMap<String, String>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      var jar = JAR.matcher(entry.replace(File.separatorChar, '/'));
      if (jar.matches() && !jar.group(1).startsWith("dev/berth")) {
        String classifier = jar.group(4) == null ? "" : jar.group(4);
        used.put(
            jar.group(1).replace('/', '.') + ":" + jar.group(2) + ":" + jar.group(3) + classifier,
            sum(Path.of(entry)));
      }
    }
    return used;
  }

  private static String sum(Path jar) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
  }

  private static TreeMap<String, String> locked() throws IOException {
    var locked = new TreeMap<String, String>();
    for (String line : Files.readAllLines(LOCK)) {
      int last = line.lastIndexOf(':');
      locked.put(line.substring(0, last), line.substring(last + 1));
    }
    return locked;
  }
}
