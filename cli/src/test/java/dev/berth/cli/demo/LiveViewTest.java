package dev.berth.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.demo.Scene.Cell;
import dev.berth.cli.demo.Scene.Counts;
import dev.berth.cli.demo.Scene.GpuShare;
import dev.berth.cli.demo.Scene.Happening;
import dev.berth.cli.demo.Scene.Heading;
import dev.berth.cli.demo.Scene.NodeRow;
import dev.berth.cli.demo.Scene.Pulse;
import dev.berth.cli.demo.Scene.QueueRow;
import dev.berth.cli.demo.Scene.Stage;
import dev.berth.cli.demo.Scene.WaitRow;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveViewTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:20:30Z");

  static Scene scene() {
    var nodes = new ArrayList<NodeRow>();
    String[] teams = {"vision", "speech", "serving", "batch"};
    int n = 0;
    for (String rack : List.of("a", "b", "c", "d")) {
      for (int i = 1; i <= (rack.compareTo("c") < 0 ? 4 : 3); i++, n++) {
        var cells = new ArrayList<Cell>();
        for (int d = 0; d < 8; d++) {
          String team = teams[(n + d / 3) % 4];
          cells.add(
              switch ((n * 5 + d * 3) % 7) {
                case 0 -> new Cell.Free();
                case 1 ->
                    new Cell.Shared(
                        List.of(
                            new GpuShare("vision", 300, Stage.THERE),
                            new GpuShare("vision", 250, Stage.THERE),
                            new GpuShare("serving", 400, Stage.THERE)));
                case 2 -> new Cell.Shared(List.of(new GpuShare(team, 450, Stage.THERE)));
                case 3 -> new Cell.Whole(team, d % 2 == 0 ? Stage.COMING : Stage.LEAVING);
                default -> new Cell.Whole(team, Stage.THERE);
              });
        }
        nodes.add(new NodeRow(rack, "rack-" + rack + "-" + i, "H100", cells));
      }
    }
    var queues =
        List.of(
            new QueueRow("production", 0, 52_300, 56_000, 80_000, 61, 9),
            new QueueRow("batch", 1, 21_000, 24_000, 56_000, 18, 4),
            new QueueRow("serving", 1, 31_300, 32_000, 40_000, 43, 5),
            new QueueRow("research", 0, 53_900, 56_000, 96_000, 40, 12),
            new QueueRow("speech", 1, 20_000, 24_000, 48_000, 15, 3),
            new QueueRow("vision", 1, 33_900, 32_000, -1, 25, 9));
    var waits = new ArrayList<WaitRow>();
    waits.add(
        new WaitRow(
            "pretrain-118",
            "vision",
            "16 × 1 GPU",
            Duration.ofSeconds(74),
            "Waits: queue vision has 60 of its limit of 64 GPUs in use and this group asks for 16."
                + " Helps: 12 GPUs released in vision, or a limit of 76. Ahead: train-97."));
    for (int i = 0; i < 14; i++) {
      waits.add(
          new WaitRow(
              "train-" + (120 + i),
              teams[i % 4],
              i % 3 == 0 ? "0.5 GPU" : "4 × 2 GPU",
              Duration.ofSeconds(50 - 3L * i),
              "Waits: 4 members need 8 GPUs together in one rack; the best of 4 racks has 5."));
    }
    var recent = new ArrayList<Happening>();
    for (int i = 0; i < 12; i++) {
      recent.add(
          new Happening(
              NOW.minusSeconds(i),
              Happening.Kind.values()[i % 4],
              teams[i % 4],
              "vision/detect-" + (200 - i) + "-x7k2p → rack-a-" + i % 4));
    }
    var heading =
        new Heading(
            "demo · 14 nodes · 112 GPUs · http://localhost:8080",
            NOW,
            Duration.ofSeconds(130),
            new Counts(101, 6, 21, 9),
            106_200,
            3_000,
            112_000,
            new Pulse(6.4, Duration.ofNanos(1_840_000)));
    return new Scene(heading, nodes, queues, waits, recent);
  }

  private static String render(int width, int height, boolean ansi) {
    return new LiveView(ZoneOffset.UTC).render(scene(), width, height, ansi);
  }

  private static String bare(String line) {
    return line.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  @ParameterizedTest
  @CsvSource({"100,30", "80,24", "132,43", "200,60", "60,20", "20,6", "1,1"})
  void everyLineFitsTheScreen(int width, int height) {
    for (boolean ansi : List.of(true, false)) {
      var lines = List.of(render(width, height, ansi).split("\n", -1));
      assertThat(lines.size()).isEqualTo(Math.max(6, height));
      for (String line : lines) {
        assertThat(bare(line).length() <= Math.max(20, width))
            .as("too long: " + bare(line))
            .isTrue();
      }
    }
  }

  @Test
  void plainTextIsAsciiWithoutEscapes() {
    var text = render(120, 40, false);
    assertThat(text.chars().allMatch(c -> c == '\n' || (c >= 32 && c < 127))).as(text).isTrue();
  }

  @Test
  void aLineEndsInThePlainInk() {
    for (String line : render(100, 30, true).split("\n", -1)) {
      int last = line.lastIndexOf("\u001b[");
      assertThat(last < 0 || line.startsWith("\u001b[0m", last))
          .as("ink runs on: " + line)
          .isTrue();
    }
  }

  @Test
  void itTellsWhatMatters() {
    var text = bare(render(100, 30, true));
    for (String words :
        List.of(
            "94.8 %",
            "running 101",
            "waiting 21",
            "gangs 9",
            "rack-d-3",
            "research",
            "53.9/96",
            "Waiting: 15 workloads, 21 pods",
            "Queue vision has 60 of its limit",
            "vision/detect-200-x7k2p")) {
      assertThat(text.contains(words)).as("missing: " + words + "\n" + text).isTrue();
    }
  }

  @Test
  void aTerminalOfTheUsualSizeShowsHeadersAndTheReasonOfOneThatWaits() {
    var text = bare(render(80, 24, true));
    for (String words :
        List.of("q: quit", "WORKLOAD", "QUEUE", "REQUEST", "FOR  WHY", "has 60 of its limit")) {
      assertThat(text.contains(words)).as("missing: " + words + "\n" + text).isTrue();
    }
  }

  /// Whatever the number of GPUs on a node. The name is cut, and not the verb.
  @Test
  void aTerminalOfTheUsualSizeSaysWhatHappened() {
    assertThat(bare(render(80, 24, true)).lines().filter(line -> line.contains("10:20:")).skip(1))
        .isNotEmpty()
        .allMatch(line -> line.stripTrailing().matches(".* → rack-a-[0-3]"));
  }

  @Test
  void whatCellsAndNumbersMeanIsTold() {
    var coloured = bare(render(100, 30, true));
    assertThat(coloured)
        .contains("█ whole GPU  ▌ shares  · free  ░ coming  ▒ leaving")
        .contains("queues: used/limit in GPUs, │ quota");
    assertThat(bare(render(80, 24, true))).contains("▒ leaving  queues: used/limit");
    assertThat(render(100, 30, false)).contains("### whole GPU  70% shares  . free  + coming");
    var small = scene();
    var nodes =
        small.nodes().stream()
            .map(node ->
                new NodeRow(node.rack(), node.name(), node.model(), node.devices().subList(0, 1)))
            .toList();
    var scene = new Scene(small.heading(), nodes, small.queues(), small.waits(), small.recent());
    assertThat(bare(new LiveView(ZoneOffset.UTC).render(scene, 100, 30, true)))
        .contains("░ coming");
  }

  @Test
  void qEndsTheDemoAndOtherKeysDoNot() {
    assertThat(Screen.isLeft(new ByteArrayInputStream("xq".getBytes(UTF_8)))).as("xq").isTrue();
    assertThat(Screen.isLeft(new ByteArrayInputStream("x\n".getBytes(UTF_8)))).as("x").isFalse();
  }

  @Test
  void aSharedDeviceShowsItsPartsToAnEighth() {
    var line = new ScreenLine(20, true);
    new Bars(true, _ -> 0)
        .device(line, new Cell.Shared(List.of(new GpuShare("a", 500, Stage.THERE))), 3);
    assertThat(bare(line.toString())).isEqualTo("█▌ ");
  }

  @Test
  void plainBarsTellSharesInNumbers() {
    var line = new ScreenLine(20, false);
    var bars = new Bars(false, _ -> 0);
    bars.device(line, new Cell.Shared(List.of(new GpuShare("a", 700, Stage.THERE))), 4);
    bars.device(line.put("|"), new Cell.Whole("a", Stage.THERE), 4);
    bars.device(line.put("|"), new Cell.Free(), 4);
    assertThat(line.toString()).isEqualTo(" 70%|####|....");
  }
}
