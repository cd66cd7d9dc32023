package dev.berth.cli.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Keeps the screen up to date until somebody has seen enough.
public final class Show {
  private static final Duration FRAME = Duration.ofMillis(250);
  private static final int FRAMES_PER_SIZE = 4;

  private final Supplier<Scene> scenes;
  private final boolean coloured;
  private final LiveView view = new LiveView(ZoneId.systemDefault());

  public Show(Supplier<Scene> scenes, boolean coloured) {
    this.scenes = scenes;
    this.coloured = coloured;
  }

  /// Draws about four times a second, on the calling thread.
  ///
  /// @param ends when to draw no more; `Instant.MAX` = until interrupted
  public void run(Instant ends, BooleanSupplier goesOn) {
    try (var screen = Screen.open()) {
      var size = Screen.size();
      for (int frame = 0; goesOn.getAsBoolean() && Instant.now().isBefore(ends); frame++) {
        if (frame % FRAMES_PER_SIZE == 0) {
          size = Screen.size();
        }
        screen.draw(view.render(scenes.get(), size.columns(), size.lines(), coloured));
        Thread.sleep(FRAME);
      }
    } catch (InterruptedException leaving) {
      Thread.currentThread().interrupt();
    }
  }
}
