package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `.ci/advisories` over a source of advisories that knows one.
class AdvisoriesTest {
  private static final Path SCRIPT = Path.of("../.ci/advisories");

  @TempDir private Path folder;

  private record Ran(int status, String out) {}

  @BeforeAll
  static void pythonIsThere() throws Exception {
    try {
      new ProcessBuilder("python3", "--version").start().waitFor(10, TimeUnit.SECONDS);
    } catch (IOException none) {
      assumeTrue(false, "skipped: there is no python3");
    }
  }

  private Ran run(String server) throws Exception {
    Path lock =
        Files.writeString(
            folder.resolve("dependencies.lock"),
            """
            org.example:good:1.2:00ff
            org.example:bad:0.9:linux-x86_64:00fe
            """);
    var process =
        new ProcessBuilder(
                "python3", SCRIPT.toString(), "--server", server, "--lock", lock.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out);
  }

  /// Answers one vulnerability for `org.example:bad` 0.9.
  private static HttpServer source() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/querybatch",
        exchange -> {
          var results = new StringBuilder();
          JsonNode asked = new ObjectMapper().readTree(exchange.getRequestBody()).get("queries");
          for (JsonNode query : asked) {
            boolean bad =
                query.get("package").get("name").asText().equals("org.example:bad")
                    && query.get("package").get("ecosystem").asText().equals("Maven")
                    && query.get("version").asText().equals("0.9");
            results
                .append(results.isEmpty() ? "" : ",")
                .append(bad ? "{\"vulns\":[{\"id\":\"GHSA-2\"},{\"id\":\"GHSA-1\"}]}" : "{}");
          }
          byte[] answer = ("{\"results\":[" + results + "]}").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void whatIsKnownIsToldAndFails() throws Exception {
    var source = source();
    try {
      var ran = run("http://127.0.0.1:" + source.getAddress().getPort());
      assertThat(ran.out())
          .isEqualTo(
              """
              advisories: org.example:bad 0.9: GHSA-1, GHSA-2
              advisories: 1 of 2 jars have known ones
              """);
      assertThat(ran.status()).isEqualTo(1);
    } finally {
      source.stop(0);
    }
  }

  /// Not to be taken for *none is known*.
  @Test
  void whereNoServerAnswersItSaysThatNothingWasChecked() throws Exception {
    var ran = run("http://127.0.0.1:1");
    assertThat(ran.out()).startsWith("advisories: NOT CHECKED, 2 jars: http://127.0.0.1:1 cannot");
    assertThat(ran.status()).isZero();
  }
}
