package dev.berth.cli.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// A page in a browser: what it shows, what it says, and keys for it.
public final class BrowserTab implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Chromium browser;
  private final String target;
  private final String session;
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());

  BrowserTab(Chromium browser, String target, String session) {
    this.browser = browser;
    this.target = target;
    this.session = session;
  }

  String session() {
    return session;
  }

  void begin() throws Exception {
    call("Page.enable", Map.of());
    call("Runtime.enable", Map.of());
    call("Log.enable", Map.of());
  }

  void happened(String event, JsonNode what) {
    switch (event) {
      case "Runtime.exceptionThrown" -> complaints.add(what.at("/exceptionDetails").toString());
      case "Log.entryAdded" -> {
        if (what.at("/entry/level").asText().equals("error")) {
          complaints.add(what.at("/entry/text").asText() + " " + what.at("/entry/url").asText());
        }
      }
      default -> {}
    }
  }

  /// Errors of scripts and refused requests since the last look.
  public List<String> complaints() {
    synchronized (complaints) {
      var all = List.copyOf(complaints);
      complaints.clear();
      return all;
    }
  }

  public JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    return browser.call(session, method, parameters);
  }

  public void size(int width, int height, boolean phone) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width", width, "height", height, "deviceScaleFactor", phone ? 2 : 1, "mobile", phone));
  }

  /// @param theme `light` or `dark`
  public void prefers(String theme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
  }

  public void open(String address) throws Exception {
    call("Page.navigate", Map.of("url", address));
  }

  /// The value of a JavaScript expression, a promise's when it is there.
  public JsonNode value(String expression) throws Exception {
    var answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /// Until an expression is true.
  public void await(String expression) throws Exception {
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (!value("Boolean(" + expression + ")").asBoolean()) {
      if (System.nanoTime() > giveUp) {
        throw new AssertionError(
            "not so: " + expression + "\n" + value("document.body.innerText").asText());
      }
      Thread.sleep(50);
    }
  }

  /// Presses a key, `Tab`, `ArrowRight`, `Enter`.
  public void press(String key) throws Exception {
    int code =
        switch (key) {
          case "Tab" -> 9;
          case "Enter" -> 13;
          case "ArrowRight" -> 39;
          case "ArrowDown" -> 40;
          default -> throw new IllegalArgumentException(key);
        };
    String text = key.equals("Enter") ? "\r" : "";
    call(
        "Input.dispatchKeyEvent",
        Map.of(
            "type",
            "keyDown",
            "key",
            key,
            "code",
            key,
            "windowsVirtualKeyCode",
            code,
            "text",
            text));
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
  }

  /// The page as far as two screens, as a PNG.
  public void picture(Path file) throws Exception {
    int width = value("innerWidth").asInt();
    int height = value("Math.min(document.documentElement.scrollHeight, 2 * innerHeight)").asInt();
    var clip = Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1);
    var picture =
        call(
            "Page.captureScreenshot",
            Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(picture.get("data").asText()));
  }

  @Override
  public void close() throws IOException {
    try {
      browser.call("", "Target.closeTarget", Map.of("targetId", target));
    } catch (Exception gone) {
      throw new IOException("the tab is gone already", gone);
    }
  }
}
