package dev.berth.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Panels side by side as one SVG file that needs nothing else: lines over a number, or differences
/// by row.
public final class Plot {
  private static final int WIDTH = 470;
  private static final int LEFT = 58;
  private static final int RIGHT = 84;
  private static final int TOP = 96;
  private static final int BOTTOM = 52;
  private static final double LABEL = 13; // least distance of two labels

  private final String title;
  private final String subtitle;
  private final List<Panel> panels = new ArrayList<>();

  /// How a line looks. Colours differ in lightness as well, for colour-blind readers.
  public enum Ink {
    OURS("#c2410c", 2.6, ""),
    FIRST("#1d4ed8", 2, ""),
    SECOND("#0f766e", 2, ""),
    THIRD("#6b7280", 1.6, ""),
    BOUND("#111827", 1.6, "6 4");

    private final String colour;
    private final double width;
    private final String dashes;

    Ink(String colour, double width, String dashes) {
      this.colour = colour;
      this.width = width;
      this.dashes = dashes;
    }
  }

  public record Point(double x, double y) {}

  public record Series(String label, Ink ink, List<Point> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  /// A dot, and two standard errors to both sides; NaN = not known.
  public record Row(String label, double value, double error) {}

  private sealed interface Panel {
    String title();

    int height();

    void draw(StringBuilder svg, int left);
  }

  public Plot(String title, String subtitle) {
    this.title = title;
    this.subtitle = subtitle;
  }

  /// @param low the least value shown
  /// @param high the largest value shown
  public Plot lines(
      String name,
      String xAxis,
      double from,
      double to,
      double low,
      double high,
      List<Series> lines) {
    panels.add(new Lines(name, xAxis, from, to, low, high, List.copyOf(lines)));
    return this;
  }

  /// @param axis what a dot says
  public Plot rows(String name, String axis, List<Row> rows) {
    panels.add(new Rows(name, axis, List.copyOf(rows)));
    return this;
  }

  public void write(Path file) {
    int width = WIDTH * panels.size();
    int height = panels.stream().mapToInt(Panel::height).max().orElse(300);
    var svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d"
                + " %d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">%n",
            width,
            height,
            width,
            height));
    svg.append(String.format("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n"));
    text(svg, 16, 28, "start", "#111827", "font-size=\"18\" font-weight=\"bold\"", title);
    text(svg, 16, 48, "start", "#4b5563", "", subtitle);
    for (int i = 0; i < panels.size(); i++) {
      text(
          svg,
          i * WIDTH + 16,
          78,
          "start",
          "#111827",
          "font-size=\"13\" font-weight=\"bold\"",
          panels.get(i).title());
      panels.get(i).draw(svg, i * WIDTH);
    }
    svg.append("</svg>\n");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, svg.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void text(
      StringBuilder svg,
      double x,
      double y,
      String anchor,
      String colour,
      String more,
      String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" %s>%s</text>%n",
            x,
            y,
            anchor,
            colour,
            more,
            words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
  }

  private static void rule(
      StringBuilder svg, double x, double y, double x2, double y2, String colour) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
            x,
            y,
            x2,
            y2,
            colour));
  }

  /// A step of 1, 2 or 5 times a power of ten, so that there are some five of them.
  private static double step(double range) {
    double step = Math.pow(10, Math.floor(Math.log10(range / 4)));
    while (range / step > 7) {
      step *= range / step > 14 ? 5 : 2;
    }
    return step;
  }

  private static String number(double value, double step) {
    double shown = Math.abs(value) < step / 1e6 ? 0 : value; // not "-0"
    return String.format(Locale.ROOT, step >= 1 ? "%.0f" : step >= 0.1 ? "%.1f" : "%.2f", shown);
  }

  private record Lines(
      String title,
      String xAxis,
      double from,
      double to,
      double low,
      double high,
      List<Series> lines)
      implements Panel {
    private static final int HEIGHT = 430;

    @Override
    public int height() {
      return HEIGHT;
    }

    private double x(double value, int left) {
      return left + LEFT + (value - from) / (to - from) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
      double shown = Math.clamp(value, low, high);
      return HEIGHT - BOTTOM - (shown - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    }

    @Override
    public void draw(StringBuilder svg, int left) {
      double step = step(high - low);
      for (double v = Math.ceil(low / step) * step; v <= high + step / 1e6; v += step) {
        rule(svg, x(from, left), y(v), x(to, left), y(v), "#e5e7eb");
        text(svg, x(from, left) - 6, y(v) + 4, "end", "#4b5563", "", number(v, step) + " %");
      }
      double across = step(to - from);
      for (double v = Math.ceil(from / across) * across; v <= to + across / 1e6; v += across) {
        rule(svg, x(v, left), y(low), x(v, left), y(low) + 4, "#6b7280");
        text(svg, x(v, left), y(low) + 18, "middle", "#4b5563", "", number(v, across) + " %");
      }
      rule(svg, x(from, left), y(low), x(to, left), y(low), "#6b7280");
      text(svg, (x(from, left) + x(to, left)) / 2, y(low) + 38, "middle", "#111827", "", xAxis);
      for (Series line : lines) {
        draw(svg, left, line);
      }
      label(svg, left);
    }

    private void draw(StringBuilder svg, int left, Series line) {
      var path = new StringBuilder();
      for (Point point : line.points) {
        if (point.x >= from && point.x <= to && point.y >= low) {
          path.append(
              String.format(
                  Locale.ROOT,
                  "%s%.1f %.1f ",
                  path.isEmpty() ? "M" : "L",
                  x(point.x, left),
                  y(point.y)));
        }
      }
      svg.append(
          String.format(
              Locale.ROOT,
              "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\""
                  + " stroke-dasharray=\"%s\"/>%n",
              path.toString().strip(),
              line.ink.colour,
              line.ink.width,
              line.ink.dashes.isEmpty() ? "none" : line.ink.dashes));
    }

    /// At the ends of the lines, moved apart where they would overlap.
    private void label(StringBuilder svg, int left) {
      var ends = new ArrayList<Series>(lines);
      ends.removeIf(line -> line.points.isEmpty());
      ends.sort(
          (one, other) -> Double.compare(other.points.getLast().y(), one.points.getLast().y()));
      double last = Double.NEGATIVE_INFINITY;
      for (Series line : ends) {
        last = Math.max(last + LABEL, y(line.points.getLast().y()) + 4);
        text(
            svg,
            x(to, left) + 6,
            last,
            "start",
            line.ink.colour,
            line.ink == Ink.OURS ? "font-weight=\"bold\"" : "",
            line.label);
      }
    }
  }

  private record Rows(String title, String axis, List<Row> rows) implements Panel {
    private static final int ROW = 18;
    private static final int LETTER = 7;

    @Override
    public int height() {
      return Math.max(430, TOP + BOTTOM + rows.size() * ROW);
    }

    private int longestLabel() {
      return rows.stream().mapToInt(row -> row.label.length()).max().orElse(0);
    }

    @Override
    public void draw(StringBuilder svg, int left) {
      double low = 0;
      double high = 0;
      for (Row row : rows) {
        double error = Double.isNaN(row.error) ? 0 : 2 * row.error;
        low = Math.min(low, row.value - error);
        high = Math.max(high, row.value + error);
      }
      double margin = Math.max(0.1, (high - low) / 12);
      low -= low < 0 ? margin : 0;
      high += margin;
      int labels = Math.max(LEFT + 40, 24 + longestLabel() * LETTER);
      int from = left + labels;
      double width = WIDTH - labels - 24;
      double bottom = TOP + rows.size() * (double) ROW;
      double step = step(high - low);
      for (double v = Math.ceil(low / step) * step; v <= high; v += step) {
        double x = from + (v - low) / (high - low) * width;
        rule(svg, x, TOP - 8, x, bottom, Math.abs(v) < step / 1e6 ? "#111827" : "#e5e7eb");
        text(svg, x, bottom + 18, "middle", "#4b5563", "", number(v, step));
      }
      text(svg, from + width / 2, bottom + 38, "middle", "#111827", "", axis);
      for (int i = 0; i < rows.size(); i++) {
        var row = rows.get(i);
        double y = TOP + (i + 0.5) * ROW;
        double x = from + (row.value - low) / (high - low) * width;
        text(svg, from - 8, y + 4, "end", "#111827", "", row.label);
        if (!Double.isNaN(row.error)) {
          double half = 2 * row.error / (high - low) * width;
          rule(svg, x - half, y, x + half, y, Ink.OURS.colour);
        }
        svg.append(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>%n",
                x,
                y,
                row.value < 0 ? "#6b7280" : Ink.OURS.colour));
      }
    }
  }
}
