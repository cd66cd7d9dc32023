package dev.berth.extender.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownNamesTest {
  private final KnownNames known = new KnownNames();

  private static List<String> names(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "worker-%05d.region-1.example.com".formatted(i))
        .toList();
  }

  private static byte[] json(List<String> names) {
    return ("[\"" + String.join("\",\"", names) + "\"]").getBytes(UTF_8);
  }

  private List<String> read(byte[] json) throws UnreadableQuestion {
    return known.read(new Cursor(json)).list().stream().map(NodeName::value).toList();
  }

  @Test
  void anyOrderIsReadAsItIs() throws UnreadableQuestion {
    var random = new Random(7);
    var names = new ArrayList<>(names(3000));
    for (int round = 0; round < 20; round++) {
      assertThat(read(json(names))).isEqualTo(names);
      Collections.shuffle(names, random);
      var some = names.subList(0, random.nextInt(1, 3000));
      assertThat(read(json(some))).isEqualTo(some);
    }
  }

  @Test
  void aNameThatBeginsLikeAnotherIsAnother() throws UnreadableQuestion {
    assertThat(read(json(List.of("n1", "n10", "n100")))).containsExactly("n1", "n10", "n100");
    assertThat(read(json(List.of("n1", "n100", "n1000", "n10"))))
        .containsExactly("n1", "n100", "n1000", "n10");
  }

  @Test
  void moreNamesThanItHoldsAreReadAllTheSame() throws UnreadableQuestion {
    var names = names(KnownNames.MOST + 5000);
    assertThat(read(json(names))).isEqualTo(names);
    assertThat(read(json(names))).isEqualTo(names);
  }

  @Test
  void manyThreadsReadTheirOwn() throws Exception {
    try (var threads = Executors.newFixedThreadPool(8)) {
      var readings = new ArrayList<Future<Boolean>>();
      for (int thread = 0; thread < 8; thread++) {
        var random = new Random(thread);
        readings.add(
            threads.submit(() -> {
              var names = new ArrayList<>(names(2000));
              for (int round = 0; round < 20; round++) {
                Collections.shuffle(names, random);
                if (!read(json(names)).equals(names)) {
                  return false;
                }
              }
              return true;
            }));
      }
      for (var reading : readings) {
        assertThat(reading.get()).as("read what was written").isTrue();
      }
    }
  }

  @Test
  void howLongFiveThousandNamesTake() throws UnreadableQuestion {
    var body = new String(json(names(5000)), UTF_8);
    var question =
        ("{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"d\",\"uid\":\"u\"},\"spec\":{\"x\":\""
                + "y".repeat(1800)
                + "\"}},\"Nodes\":null,\"NodeNames\":"
                + body
                + "}")
            .getBytes(UTF_8);
    var refusal = FilterVerdict.unresolvable("berth: planned on another node");
    var node = new NodeName("worker-02500.region-1.example.com");
    long best = Long.MAX_VALUE;
    int length = 0;
    for (int round = 0; round < 300; round++) {
      long from = System.nanoTime();
      var read = FilterQuestion.read(question, known);
      length = FilterAnswer.only(read.nodes(), node, refusal).bytes().length;
      best = Math.min(best, System.nanoTime() - from);
    }
    System.out.printf(
        "5,000 names, %d bytes in, %d bytes out: %d µs at best%n",
        question.length, length, best / 1000);
  }
}
