package dev.berth.cli.decisions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.LoggedPlanner;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLoggerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final LogEntry.Begin BEGIN = new LogEntry.Begin("1", PlannerSettings.DEFAULT);
  private static final long PLENTY = 1L << 30;

  @TempDir private Path place = Path.of("");

  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource time = now::get;

  private final DecisionLogger.Listener counts =
      new DecisionLogger.Listener() {
        @Override
        public void written(long more) {
          bytes.addAndGet(more);
        }

        @Override
        public void dropped() {
          dropped.incrementAndGet();
        }
      };

  private DecisionLogger logger(Path folder, long most) {
    return new DecisionLogger(new DecisionFolder(folder, most), time, counts);
  }

  /// Of nodes whose names cannot be compressed.
  private static LogEntry seen(long seed, int nodes) {
    var random = new Random(seed);
    var views = new ArrayList<NodeView>();
    for (int i = 0; i < nodes; i++) {
      var name =
          i + "-" + Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
      var node =
          new Node(
              new NodeName(name),
              1,
              new TreeMap<>(),
              List.of(),
              false,
              true,
              Amounts.NONE,
              Node.Accelerator.NONE);
      views.add(
          new NodeView(node, Amounts.NONE, Amounts.NONE, Amounts.NONE, List.of(), new TreeSet<>()));
    }
    return new LogEntry.Accounted(
        new Snapshot(seed, START, views, List.of(), List.of(), List.of()));
  }

  private static List<LogEntry> read(Path file) throws IOException, DecisionLogException {
    var entries = new ArrayList<LogEntry>();
    try (var reader = new DecisionFileReader(file)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        entries.add(next.get());
      }
    }
    return entries;
  }

  @Test
  void whatIsLoggedIsRead() throws Exception {
    var entries = new ArrayList<LogEntry>(List.of(BEGIN));
    try (var logger = logger(place, PLENTY).start()) {
      assertThat(logger.mustBegin()).as("nothing was written yet").isTrue();
      logger.add(BEGIN);
      assertThat(logger.mustBegin()).as("it has begun").isFalse();
      for (int i = 0; i < 20; i++) {
        entries.add(seen(i, 3));
        logger.add(entries.getLast());
      }
    }
    var files = DecisionFolder.files(place);
    assertThat(files).containsExactly(place.resolve("decisions-20260101T000000.000Z-0000.log.gz"));
    assertThat(read(files.getFirst())).isEqualTo(entries);
    assertThat(bytes.get()).isBetween(1L, Files.size(files.getFirst()));
    assertThat(dropped.get()).isZero();
  }

  /// A planner behind it begins anew in each file, and all files together are bounded.
  @Test
  void filesFollowEachOtherAndTheOldestAreDeleted() throws Exception {
    long most = 400_000;
    Files.writeString(place.resolve("mine.txt"), "not of the log");
    try (var logger = logger(place, most).start()) {
      var planner = new LoggedPlanner(PlannerSettings.DEFAULT, "1", logger);
      for (int i = 0; i < 200; i++) {
        now.updateAndGet(last -> last.plusMillis(10));
        var snapshot = ((LogEntry.Accounted) seen(i, 200)).snapshot();
        var _ =
            planner.planUnless(
                () -> false, snapshot, Collections.emptySortedMap(), SearchEffort.A_SLICE);
        while (logger.behind() > 0) {
          Thread.onSpinWait();
        }
      }
    }
    var files = DecisionFolder.files(place);
    assertThat(files).hasSizeBetween(4, 10);
    long size = 0;
    for (Path file : files) {
      size += Files.size(file);
      assertThat(read(file).getFirst()).isInstanceOf(LogEntry.Begin.class);
    }
    assertThat(size).isBetween(most / 2, most + 100_000);
    assertThat(files.getFirst().getFileName().toString())
        .as("the first one is deleted")
        .isNotEqualTo("decisions-20260101T000000.010Z-0000.log.gz");
    assertThat(place.resolve("mine.txt")).exists();
  }

  /// The writer is not started: as if the disk took for ever.
  @Test
  void aSlowDiskCostsEntriesAndNoTime() {
    var logger = logger(place, PLENTY);
    logger.add(BEGIN);
    for (int i = 0; i < 1000; i++) {
      logger.add(seen(i, 1));
      assertThat(logger.mustBegin()).as("it cannot begin as long as none is taken").isFalse();
    }
    assertThat(dropped.get()).isEqualTo(745);
  }

  @Test
  void itBeginsAnewAfterALoss() throws Exception {
    var logger = logger(place, PLENTY);
    logger.add(BEGIN);
    for (int i = 0; i < 300; i++) {
      logger.add(seen(i, 1));
    }
    logger.start();
    while (!logger.mustBegin()) {
      Thread.onSpinWait();
    }
    logger.add(seen(1000, 1));
    logger.add(BEGIN);
    logger.add(seen(1001, 1));
    logger.close();
    var files = DecisionFolder.files(place);
    assertThat(files).hasSize(2);
    assertThat(read(files.getFirst())).hasSize(256);
    assertThat(read(files.getLast())).containsExactly(BEGIN, seen(1001, 1));
    assertThat(dropped.get()).isEqualTo(46);
  }

  @Test
  void aDiskThatFailsIsTriedAgainLater() throws Exception {
    var folder = place.resolve("log");
    Files.writeString(folder, "a file where a folder should be");
    try (var logger = logger(folder, PLENTY).start()) {
      logger.add(BEGIN);
      logger.add(seen(1, 1));
      while (dropped.get() < 2) {
        Thread.onSpinWait();
      }
      assertThat(logger.mustBegin()).as("it rests").isFalse();
      Files.delete(folder);
      now.updateAndGet(last -> last.plus(Duration.ofMinutes(1)));
      assertThat(logger.mustBegin()).isTrue();
      logger.add(BEGIN);
      logger.add(seen(2, 1));
    }
    assertThat(read(DecisionFolder.files(folder).getFirst())).containsExactly(BEGIN, seen(2, 1));
  }

  /// Whatever the process came to write: the beginning can be read.
  @Test
  void aFileOfAKilledProcessIsReadAsFarAsItGoes() throws Exception {
    var whole = place.resolve("whole");
    try (var file = new DecisionFile(whole)) {
      file.write(BEGIN);
      for (int i = 0; i < 50; i++) {
        file.write(seen(i, 2));
        file.flush();
      }
    }
    var bytes = Files.readAllBytes(whole);
    var cut = place.resolve("cut");
    for (int length = bytes.length - 1; length > 200; length -= 97) {
      Files.write(cut, Arrays.copyOf(bytes, length));
      try (var reader = new DecisionFileReader(cut)) {
        int entries = 0;
        while (reader.next().isPresent()) {
          entries++;
        }
        assertThat(reader.isCut()).as("%s bytes of %s", length, bytes.length).isTrue();
        assertThat(entries).isBetween(51 * length / bytes.length - 3, 51);
      }
    }
  }

  @Test
  void whatIsNoLogIsRefusedInWords() throws Exception {
    var file = place.resolve("file");
    Files.writeString(file, "kind: Queue");
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(DecisionLogException.class)
        .hasMessage(file + " is no decision log: it is not compressed as one");
    titled(file, "another title", 1, "");
    assertThatThrownBy(() -> read(file))
        .hasMessage(file + " is no decision log: it does not begin as one");
    titled(file, DecisionFile.TITLE, 7, "");
    assertThatThrownBy(() -> read(file))
        .hasMessage(
            file
                + " has version 7 of the format, and this Berth reads version 1: use the Berth"
                + " that wrote it");
    titled(file, DecisionFile.TITLE, 1, "0123456789abcdef");
    assertThatThrownBy(() -> read(file))
        .hasMessageStartingWith(
            file + " was written by a Berth that knows other things of a cluster than this one");
    assertThatThrownBy(() -> DecisionFolder.files(place))
        .hasMessage("there is no file decisions-*.log.gz in " + place);
    assertThatThrownBy(() -> DecisionFolder.files(place.resolve("nowhere")))
        .hasMessage("there is no file and no folder " + place.resolve("nowhere"));
  }

  private static void titled(Path file, String title, int version, String fingerprint)
      throws IOException {
    try (var out = new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
      out.writeUTF(title);
      out.writeInt(version);
      out.writeUTF(fingerprint);
    }
  }
}
