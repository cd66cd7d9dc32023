package dev.berth.extender.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.bounds.RequestFailures;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The pages' files are there, all of them and no others, under a strict policy.
class DashboardTest {
  private static final Pattern NAMED =
      Pattern.compile("(?:src|href)=\"([^\"#]+)\"|from \"\\./([^\"]+)\"|src: \"([^\"]+)\"");

  private final Javalin server =
      Javalin.create(
              config -> {
                config.startup.showJavalinBanner = false;
                RequestFailures.handleAll(config.routes);
                Dashboard.routes(config.routes);
              })
          .start("127.0.0.1", 0);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.shutdownNow();
    server.stop();
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/" + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void whatThePageNamesIsThere() throws Exception {
    var seen = new TreeSet<String>();
    var open = new ArrayDeque<>(List.of(""));
    while (!open.isEmpty()) {
      String path = open.pop();
      if (!seen.add(path) || path.startsWith("api/")) {
        continue;
      }
      var answer = get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      var named = NAMED.matcher(answer.body());
      while (!path.startsWith("lib/") && named.find()) {
        String module = named.group(2);
        open.add(
            module != null
                ? "js/" + module
                : named.group(1) != null ? named.group(1) : named.group(3));
      }
    }
    assertThat(seen)
        .contains("js/main.js", "js/map.js", "lib/preact.js", "lib/uplot.css", "icon.svg");
    assertThat(seen).filteredOn(path -> !path.startsWith("api/")).hasSize(18);
  }

  @Test
  void nothingElseIsServed() throws Exception {
    for (String path :
        List.of("js/none.js", "lib/..%2f..%2f..%2fpom.xml", "META-INF/MANIFEST.MF", "index.html")) {
      assertThat(get(path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void whatIsTheSameIsNotSentAgain() throws Exception {
    String tag = get("js/main.js").headers().firstValue("ETag").orElseThrow();
    var again = get("js/main.js", "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void thePageHasNoScriptAndNoStyleOfItsOwn() throws Exception {
    assertThat(get("").body())
        .doesNotContain("<style", " style=", "onclick", "onload")
        .doesNotContainPattern("<script(?![^>]*src=)");
  }
}
