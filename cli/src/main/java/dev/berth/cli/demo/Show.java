package dev.berth.cli.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Keeps the screen up to date until `q` or Ctrl-C, and then tells the summary.
public final class Show {
  private static final Duration FRAME = Duration.ofMillis(250);
  private static final int FRAMES_PER_SIZE = 4;

  private final Supplier<Scene> scenes;
  private final boolean coloured;
  private final Summary summary;
  private final LiveView view = new LiveView(ZoneId.systemDefault());

  /// @param summary looks on, and tells at the end what happened
  public Show(Supplier<Scene> scenes, boolean coloured, Summary summary) {
    this.scenes = scenes;
    this.summary = summary;
    this.coloured = coloured;
  }

  /// Draws about four times a second, on the calling thread, until `q` is pressed.
  ///
  /// @param ends when to draw no more; `Instant.MAX` = until `q`
  public void run(Instant ends, BooleanSupplier goesOn) {
    try (var screen = Screen.open(summary::tell)) {
      var size = Screen.size();
      for (int frame = 0;
          goesOn.getAsBoolean() && !screen.isLeft() && Instant.now().isBefore(ends);
          frame++) {
        if (frame % FRAMES_PER_SIZE == 0) {
          size = Screen.size();
        }
        var scene = scenes.get();
        summary.look(scene);
        screen.draw(view.render(scene, size.columns(), size.lines(), coloured));
        Thread.sleep(FRAME);
      }
    } catch (InterruptedException leaving) {
      Thread.currentThread().interrupt();
    }
  }
}
