package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Happening;
import dev.berth.cli.demo.Scene.NodeRow;
import dev.berth.cli.demo.Scene.QueueRow;
import dev.berth.cli.demo.Scene.WaitRow;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// Draws a scene as lines of text: the nodes and their devices on the left, queues and what
/// happened on the right, below them the waiting groups and their reasons. Best from 100 × 30
/// upwards; smaller screens see less.
public final class LiveView {
  private static final int HEAD = 3;
  private static final int GAP = 3;

  private final DateTimeFormatter clock;

  public LiveView(ZoneId zone) {
    this.clock = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(zone);
  }

  /// @param ansi with colours and block glyphs; else plain ASCII
  /// @return exactly `height` lines, none longer than `width` columns, without a last line break
  public String render(Scene scene, int width, int height, boolean ansi) {
    var page = new Page(scene, Math.max(20, width), Math.max(6, height), ansi);
    return String.join("\n", page.lines());
  }

  private final class Page {
    private final Scene scene;
    private final int width;
    private final int height;
    private final boolean ansi;
    private final Bars bars;
    private final TreeMap<String, Integer> leaves = new TreeMap<>();

    private Page(Scene scene, int width, int height, boolean ansi) {
      this.scene = scene;
      this.width = width;
      this.height = height;
      this.ansi = ansi;
      this.bars = new Bars(ansi, queue -> leaves.getOrDefault(queue, -1));
      for (int i = 0; i < scene.queues().size(); i++) {
        if (!hasChildren(i)) {
          leaves.put(scene.queues().get(i).name(), leaves.size());
        }
      }
    }

    private boolean hasChildren(int i) {
      var queues = scene.queues();
      return i + 1 < queues.size() && queues.get(i + 1).depth() > queues.get(i).depth();
    }

    private List<String> lines() {
      var lines = new ArrayList<ScreenLine>();
      lines.add(title());
      lines.add(totals());
      lines.add(legend());
      int body =
          Math.min(scene.nodes().size() + 1, Math.max(3, height - HEAD - (height < 30 ? 9 : 6)));
      int cell = cellWidth();
      int left = leftWidth(cell);
      var nodes = nodes(cell, left, body);
      var side = side(width - left - GAP, body);
      for (int i = 0; i < body; i++) {
        var both = line();
        both.append(0, nodes.get(i));
        if (i < side.size()) {
          both.append(left + GAP, side.get(i));
        }
        lines.add(both);
      }
      lines.add(line());
      waits(lines);
      while (lines.size() < height) {
        lines.add(line());
      }
      return lines.subList(0, height).stream().map(ScreenLine::toString).toList();
    }

    private ScreenLine line() {
      return new ScreenLine(width, ansi);
    }

    // The head

    private ScreenLine title() {
      var heading = scene.heading();
      String time = clock.format(heading.now()) + "  up " + span(heading.up()) + " ";
      var left = new ScreenLine(Math.max(0, width - time.length() - 2), ansi);
      left.put(" Berth ", ansi ? new TextStyle(231, 25, true) : TextStyle.PLAIN)
          .put("  " + words(heading.title()), TextStyle.BOLD);
      return line().append(0, left).right(time, TextStyle.DIM);
    }

    private ScreenLine totals() {
      var heading = scene.heading();
      var counts = heading.counts();
      double percent =
          heading.deviceMillis() == 0 ? 0 : 100.0 * heading.usedMillis() / heading.deviceMillis();
      var line = line().put(" GPUs ", TextStyle.DIM);
      int bar = Math.clamp(width / 8, 8, 40);
      bars.amount(line, heading.usedMillis(), -1, heading.deviceMillis(), bar, TextStyle.GOOD);
      line.put(String.format(Locale.ROOT, " %.1f %%", percent), TextStyle.BOLD);
      number(line, "running", counts.running());
      number(line, "starting", counts.starting());
      number(line, "waiting", counts.waiting());
      number(line, "gangs", counts.gangs());
      if (width < 100) {
        return line.put(gap() + "q: quit", TextStyle.DIM);
      }
      line.put(gap() + "plans ", TextStyle.DIM)
          .put(
              String.format(Locale.ROOT, "%.1f/s", heading.pulse().plansPerSecond()),
              TextStyle.BOLD)
          .put(gap() + "cycle ", TextStyle.DIM)
          .put(milliseconds(heading.pulse().cycle()), TextStyle.BOLD)
          .put(gap() + "q: quit", TextStyle.DIM);
      return line;
    }

    private void number(ScreenLine line, String what, int count) {
      line.put(gap() + what + " ", TextStyle.DIM).put(Integer.toString(count), TextStyle.BOLD);
    }

    private String gap() {
      return width < 110 ? "  " : "   ";
    }

    // Nodes

    private int cellWidth() {
      int widest = devices();
      for (int cell : List.of(7, 6, 5, 4)) {
        if (nameWidth() + widest * (cell + 1) <= width * 45 / 100) {
          return cell;
        }
      }
      return 3;
    }

    private int devices() {
      return scene.nodes().stream().mapToInt(node -> node.devices().size()).max().orElse(0);
    }

    private int nameWidth() {
      return 2
          + Math.min(20, scene.nodes().stream().mapToInt(n -> n.name().length()).max().orElse(4));
    }

    private int leftWidth(int cell) {
      return Math.min(width, Math.max(30, nameWidth() + devices() * (cell + 1)));
    }

    private List<ScreenLine> nodes(int cell, int left, int rows) {
      var lines = new ArrayList<ScreenLine>();
      lines.add(rule("Nodes", left));
      var nodes = scene.nodes();
      boolean all = nodes.size() < rows;
      int shown = all ? nodes.size() : rows - 2;
      String rack = "";
      for (int i = 0; i < shown; i++) {
        lines.add(node(nodes.get(i), cell, left, !nodes.get(i).rack().equals(rack)));
        rack = nodes.get(i).rack();
      }
      if (!all) {
        lines.add(
            new ScreenLine(left, ansi)
                .put(" and " + (nodes.size() - shown) + " more nodes", TextStyle.DIM));
      }
      return lines;
    }

    /// What the cells of nodes and the numbers of queues mean; on narrow screens its beginning.
    private ScreenLine legend() {
      String cells =
          ansi
              ? " █ whole GPU  ▌ shares  · free  ░ coming  ▒ leaving"
              : " ### whole GPU  70% shares  . free  + coming  - leaving";
      String queues = gap() + "queues: used/limit in GPUs, " + (ansi ? "│" : "|") + " quota";
      return line().put(cells + queues, TextStyle.DIM);
    }

    private ScreenLine node(NodeRow node, int cell, int left, boolean firstOfRack) {
      var line = new ScreenLine(left, ansi);
      line.put(" ").put(node.name(), firstOfRack ? TextStyle.BOLD : TextStyle.DIM);
      line.to(nameWidth());
      for (var device : node.devices()) {
        bars.device(line, device, cell);
        line.put(" ");
      }
      return line;
    }

    // Queues and what happened

    private List<ScreenLine> side(int room, int rows) {
      var lines = new ArrayList<ScreenLine>();
      if (room < 24) {
        return lines;
      }
      lines.add(rule("Queues", room));
      scene.queues().forEach(queue -> lines.add(queue(queue, room)));
      lines.add(new ScreenLine(room, ansi));
      lines.add(rule("Now", room));
      for (var happening : scene.recent()) {
        lines.add(happening(happening, room));
      }
      return lines.subList(0, Math.min(rows, lines.size()));
    }

    private ScreenLine queue(QueueRow queue, int room) {
      var line = new ScreenLine(room, ansi);
      boolean leaf = leaves.containsKey(queue.name());
      int colour = TextStyle.shades(leaves.getOrDefault(queue.name(), -1)).plain();
      line.put(" " + "  ".repeat(queue.depth()));
      line.put(queue.name(), leaf ? new TextStyle(colour, -1, true) : TextStyle.BOLD).to(14);
      int bar = Math.clamp(room - 42L, 3, 30);
      long limit = queue.limitMillis() < 0 ? scene.heading().deviceMillis() : queue.limitMillis();
      bars.amount(line, queue.usedMillis(), queue.quotaMillis(), limit, bar, TextStyle.of(colour));
      line.put(gpus(queue.usedMillis(), 6), TextStyle.BOLD)
          .put("/" + (queue.limitMillis() < 0 ? words("∞") : gpus(limit, 0)), TextStyle.DIM)
          .to(14 + bar + 12);
      line.put(queue.running() + " run", TextStyle.PLAIN);
      if (queue.pending() > 0) {
        line.put(" " + queue.pending() + " wait", TextStyle.WARN);
      }
      return line;
    }

    private ScreenLine happening(Happening happening, int room) {
      var line = new ScreenLine(room, ansi);
      line.put(" " + clock.format(happening.when()) + " ", TextStyle.DIM);
      TextStyle how =
          switch (happening.kind()) {
            case PLACED -> TextStyle.GOOD;
            case STARTED -> TextStyle.PLAIN;
            case FINISHED -> TextStyle.DIM;
            case EVICTED -> TextStyle.WARN;
          };
      return line.put(FittedText.event(words(happening.what()), room - line.columns(), ansi), how);
    }

    // What waits

    private void waits(List<ScreenLine> lines) {
      var waits = scene.waits();
      lines.add(rule(waits.isEmpty() ? "Nothing waits" : waiting(waits.size()), width));
      if (!waits.isEmpty()) {
        lines.add(columns());
      }
      for (int i = 0; i < waits.size(); i++) {
        var told = told(waits.get(i));
        int rest = i == waits.size() - 1 ? 0 : 1; // the line that counts those that follow
        int room = height - lines.size() - rest;
        if (i == 0 && told.size() > room) { // at least one, as far as it goes
          lines.addAll(told.subList(0, Math.max(0, room)));
        } else if (told.size() <= room) {
          lines.addAll(told);
        } else {
          lines.add(line().put(" and " + (waits.size() - i) + " more", TextStyle.DIM));
          return;
        }
      }
    }

    /// The head counts pods, the list below has workloads.
    private String waiting(int workloads) {
      int pods = scene.heading().counts().waiting();
      return "Waiting: "
          + workloads
          + (workloads == 1 ? " workload, " : " workloads, ")
          + pods
          + (pods == 1 ? " pod" : " pods");
    }

    private ScreenLine columns() {
      return line()
          .put(" WORKLOAD", TextStyle.DIM)
          .to(19)
          .put("QUEUE", TextStyle.DIM)
          .to(29)
          .put("REQUEST", TextStyle.DIM)
          .to(41)
          .put("  FOR  WHY", TextStyle.DIM);
    }

    /// In as many lines as the sentence takes.
    private List<ScreenLine> told(WaitRow wait) {
      var line = line();
      int colour = TextStyle.shades(leaves.getOrDefault(wait.queue(), -1)).plain();
      line.put(" ").put(FittedText.shortened(wait.name(), 17, ansi), TextStyle.BOLD).to(19);
      line.put(FittedText.shortened(wait.queue(), 9, ansi), TextStyle.of(colour)).to(29);
      line.put(words(wait.asks())).to(41);
      line.put(String.format(Locale.ROOT, "%5s  ", span(wait.since())), TextStyle.DIM);
      String why = words(withoutPrefix(wait.why()));
      var told = new ArrayList<ScreenLine>();
      told.add(line);
      int cut = FittedText.cut(why, width - line.columns());
      line.put(why.substring(0, cut));
      for (String rest = why.substring(cut).strip(); !rest.isEmpty(); ) {
        cut = FittedText.cut(rest, width - 3);
        told.add(line().to(3).put(rest.substring(0, cut), TextStyle.DIM));
        rest = rest.substring(cut).strip();
      }
      return told;
    }

    /// That it waits is said by the heading. A name at the beginning stays as it is written.
    private static String withoutPrefix(String why) {
      String prefix = "Waits: ";
      if (!why.startsWith(prefix) || why.length() == prefix.length()) {
        return why;
      }
      String rest = why.substring(prefix.length());
      int word = rest.indexOf(' ');
      boolean isName = word < 0 || rest.substring(0, word).indexOf('-') >= 0;
      return isName ? rest : Character.toUpperCase(rest.charAt(0)) + rest.substring(1);
    }

    // Small things

    private ScreenLine rule(String title, int room) {
      var line = new ScreenLine(room, ansi);
      String dash = ansi ? "─" : "-";
      line.put(dash + " ", TextStyle.of(TextStyle.RULE)).put(title, TextStyle.BOLD).put(" ");
      return line.put(
          dash.repeat(Math.max(0, room - line.columns())), TextStyle.of(TextStyle.RULE));
    }

    /// In plain text every character is ASCII.
    private String words(String text) {
      if (ansi) {
        return text;
      }
      var ascii = new StringBuilder(text.length());
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        ascii.append(
            switch (c) {
              case '→' -> "->";
              case '×' -> "x";
              case '·' -> "-";
              case '∞' -> "oo";
              case '…' -> "...";
              default -> c < 128 ? String.valueOf(c) : "?";
            });
      }
      return ascii.toString();
    }

    private static String gpus(long millis, int columns) {
      boolean whole = millis % 1000 == 0;
      String text =
          whole ? Long.toString(millis / 1000) : String.format(Locale.ROOT, "%.1f", millis / 1e3);
      return " ".repeat(Math.max(0, columns - text.length())) + text;
    }

    private static String milliseconds(Duration took) {
      return String.format(Locale.ROOT, "%.1f ms", took.toNanos() / 1e6);
    }

    private static String span(Duration span) {
      long seconds = Math.max(0, span.toSeconds());
      return seconds < 60
          ? seconds + "s"
          : seconds < 3600
              ? seconds / 60 + "m" + String.format(Locale.ROOT, "%02ds", seconds % 60)
              : seconds / 3600 + "h" + String.format(Locale.ROOT, "%02dm", seconds / 60 % 60);
    }
  }
}
