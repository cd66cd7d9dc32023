package dev.berth.extender.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Http2FramesTest {
  private static final int FRAMES = 50;

  /// The preface and frames of several lengths, cut anywhere.
  @Test
  void framesAreCountedHoweverTheyAreCut() {
    for (long seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      var sent = ByteBuffer.allocate(1 << 20);
      sent.put(
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      for (int i = 0; i < FRAMES; i++) {
        int length = random.nextInt(3) == 0 ? random.nextInt(20_000) : random.nextInt(20);
        sent.put((byte) (length >> 16)).put((byte) (length >> 8)).put((byte) length);
        sent.put(new byte[6 + length]);
      }
      sent.flip();
      var frames = new Http2Frames();
      int begun = 0;
      while (sent.hasRemaining()) {
        int most = random.nextBoolean() ? 3 : 5_000;
        var part =
            sent.slice(sent.position(), Math.min(1 + random.nextInt(most), sent.remaining()));
        sent.position(sent.position() + part.remaining());
        begun += frames.begin(part);
      }
      assertThat(begun).as("seed %d", seed).isEqualTo(FRAMES);
    }
  }
}
