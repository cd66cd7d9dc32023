package dev.berth.cli.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A browser of its own, with a profile that is deleted at the end. Any number of tabs.
public final class Chromium implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path profile;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<BrowserTab> tabs = new CopyOnWriteArrayList<>();

  private Chromium(Process process, Path profile, String address) throws Exception {
    this.process = process;
    this.profile = profile;
    this.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), new Messages())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /// The executable; empty = there is none.
  public static Optional<Path> found() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        Path file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  public static Chromium open(Path executable) throws Exception {
    Path profile = Files.createTempDirectory("berth-chromium");
    var process =
        new ProcessBuilder(
                executable.toString(),
                "--headless=new",
                "--no-sandbox", // tests run as root on the build machine
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--remote-debugging-address=127.0.0.1",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new Chromium(process, profile, address(process));
  }

  private static String address(Process process) throws IOException {
    var errors =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    for (String line = errors.readLine(); line != null; line = errors.readLine()) {
      if (line.startsWith("DevTools listening on ")) {
        Thread.ofVirtual().start(() -> errors.lines().forEach(_ -> {})); // else it would block
        return line.substring("DevTools listening on ".length());
      }
    }
    throw new IOException("Chromium ended before it listened");
  }

  /// A tab of its own, with an empty page.
  public BrowserTab tab() throws Exception {
    var target = call("", "Target.createTarget", Map.of("url", "about:blank"));
    var session =
        call(
            "",
            "Target.attachToTarget",
            Map.of("targetId", target.get("targetId").asText(), "flatten", true));
    var tab =
        new BrowserTab(this, target.get("targetId").asText(), session.get("sessionId").asText());
    tabs.add(tab);
    tab.begin();
    return tab;
  }

  /// @param session empty = the browser itself
  JsonNode call(String session, String method, Map<String, ?> parameters) throws Exception {
    int id = ids.incrementAndGet();
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    var answer = new CompletableFuture<JsonNode>();
    waiting.put(id, answer);
    synchronized (socket) { // one send at a time
      socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    var result = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (result.has("error")) {
      throw new IOException(method + ": " + result.get("error"));
    }
    return result.get("result");
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          heard(JSON.readTree(text.toString()));
        } catch (IOException notJson) {
          throw new IllegalStateException(notJson);
        } finally {
          text.setLength(0);
        }
      }
      from.request(1);
      return CompletableFuture.completedFuture(part);
    }
  }

  private void heard(JsonNode message) {
    if (message.has("id")) {
      Optional.ofNullable(waiting.remove(message.get("id").asInt()))
          .ifPresent(answer -> answer.complete(message));
    } else {
      String session = message.path("sessionId").asText();
      tabs.stream()
          .filter(tab -> tab.session().equals(session))
          .forEach(tab -> tab.happened(message.get("method").asText(), message.get("params")));
    }
  }

  @Override
  public void close() throws IOException {
    socket.abort();
    client.shutdownNow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    try (var files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
