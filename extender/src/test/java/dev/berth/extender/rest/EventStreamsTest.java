package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.engine.model.NodeName;
import dev.berth.extender.rest.answer.ChangesAnswer.About;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.state.Changes;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Changes as they are told, over HTTP.
@Timeout(60)
class EventStreamsTest {
  private final OpenApiContract contract = new OpenApiContract();
  private final RestCluster rest = new RestCluster(Viewers.ON_LOOPBACK, new RestSettings(100, 3));

  @AfterEach
  void close() {
    rest.close();
  }

  private record Event(String name, String id, String data) {}

  private final class Stream implements AutoCloseable {
    private final InputStream body;
    private final BufferedReader lines;

    Stream(String query, String... headers) throws Exception {
      var request = rest.request("/api/v1/events" + query);
      if (headers.length > 0) {
        request.headers(headers);
      }
      body = rest.client.send(request.build(), BodyHandlers.ofInputStream()).body();
      lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    Event next() throws Exception {
      String name = "";
      String id = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          return new Event(name, id, line.substring(6));
        }
      }
      throw new AssertionError("the stream has ended");
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(giveUp);
      Thread.sleep(20);
    }
  }

  @Test
  void changesAreToldAsTheyCome() throws Exception {
    try (var stream = new Stream("")) {
      var first = stream.next();
      assertThat(first.name()).isEqualTo("revision");
      assertThat(contract.errorsOf("Reset", first.data())).isEmpty();
      Thread.sleep(600); // longer than the server waits for other answers
      rest.running("trainer", "n1", 2);
      var event = stream.next();
      assertThat(event.name()).isEqualTo("changes");
      assertThat(contract.errorsOf("Changes", event.data())).as(event.data()).isEmpty();
      var data = new ObjectMapper().readTree(event.data());
      assertThat(data.at("/revision").asText()).isEqualTo(event.id());
      assertThat(data.at("/nodes/0/name").asText()).isEqualTo("n1");
      assertThat(data.at("/workloads/0/name").asText()).isEqualTo("trainer");
      assertThat(data.get("workloads")).hasSize(1);
      rest.cluster.gone("trainer");
      data = new ObjectMapper().readTree(stream.next().data());
      assertThat(data.at("/workloadsGone/0/name").asText()).isEqualTo("trainer");
      assertThat(data.at("/nodes/0/freeGpus").asInt()).isEqualTo(8);
    }
    var number = new AtomicInteger();
    await(() -> {
      rest.waiting("late-" + number.incrementAndGet(), 1); // noticed when it is written to
      return rest.api.followers() == 0;
    });
  }

  @Test
  void whatAClientDoesNotWantIsNotTold() throws Exception {
    try (var stream = new Stream("?kinds=nodes")) {
      stream.next();
      rest.waiting("late", 1);
      Thread.sleep(700);
      rest.running("trainer", "n2", 1);
      var event = stream.next();
      assertThat(event.data()).contains("\"n2\"").doesNotContain("\"late\"");
    }
  }

  @Test
  void clientWithTheLatestRevisionReadsNothingAnew() throws Exception {
    String id;
    try (var stream = new Stream("")) {
      id = stream.next().id();
    }
    try (var again = new Stream("", "Last-Event-ID", id)) {
      assertThat(again.next().name()).isEqualTo("revision");
    }
    rest.waiting("late", 1);
    Thread.sleep(250);
    try (var later = new Stream("", "Last-Event-ID", id)) {
      assertThat(later.next().name()).isEqualTo("reset");
    }
  }

  @Test
  void oneMoreThanMayFollowIsToldSo() throws Exception {
    try (var one = new Stream("");
        var two = new Stream("");
        var three = new Stream("")) {
      one.next();
      two.next();
      three.next();
      var refused = rest.get("/api/v1/events");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.body()).contains("rest.streams");
    }
  }

  /// Its connection takes nothing: what waits for it is bounded, and it hears no more.
  @Test
  void aSlowClientIsDropped() throws Exception {
    var blocked = new CountDownLatch(1);
    var goesOn = new CountDownLatch(1);
    var written = new ByteArrayOutputStream();
    var out =
        new OutputStream() {
          @Override
          public void write(int b) {
            written.write(b);
          }

          @Override
          public void flush() {
            blocked.countDown();
            try {
              goesOn.await();
            } catch (InterruptedException stopped) {
              Thread.currentThread().interrupt();
            }
          }
        };
    var client = new EventClient(new EventClient.Following(About.ALL, () -> Visible.ALL, ""));
    var writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                client.write(out, Visible.ALL, "i-1");
              } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
              }
            });
    blocked.await();
    var revision = rest.feed.revisions().current();
    var changes = new Changes(List.of(), List.of(new NodeName("n9")), List.of(), List.of(), true);
    for (int i = 2; i <= EventClient.BUFFER + 2; i++) {
      client.offer(new EventClient.Told("i-" + i, revision, changes));
    }
    goesOn.countDown();
    writer.join();
    assertThat(written.toString(StandardCharsets.UTF_8)).contains("i-1").doesNotContain("i-2");
  }

  @Test
  void aRevisionThatChangesVeryMuchIsReadAnew() {
    var gone = new ArrayList<NodeName>();
    for (int i = 0; i <= 5000; i++) {
      gone.add(new NodeName("n" + i));
    }
    var changes = new Changes(List.of(), gone, List.of(), List.of(), false);
    var told = new EventClient.Told("i-2", rest.feed.revisions().current(), changes);
    assertThat(new String(told.event(About.ALL, Visible.ALL), StandardCharsets.UTF_8))
        .isEqualTo("event: reset\nid: i-2\ndata: {\"revision\":\"i-2\"}\n\n");
  }
}
