package dev.berth.extender.tls;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.extender.ExtenderServer;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.bounds.Addresses;
import dev.berth.extender.verbs.VerbCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that send what is no question, as fast as they can.
class TlsFloodsTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final byte[] ONE_BYTE_MORE = {0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

  @TempDir static Path made;
  private static Authority ours;

  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  private ExtenderServer server;

  @BeforeAll
  static void make() throws Exception {
    ours = new Authority(made, "ours");
    ours.sign("berth", "berth", "EC");
    ours.sign("scheduler", "berth-scheduler", "EC");
  }

  @BeforeEach
  void start() throws Exception {
    var files =
        new TlsSettings.Files(
            made.resolve("berth.crt"),
            made.resolve("berth.key"),
            made.resolve("ours.crt"),
            List.of(),
            ofSeconds(1));
    var transport = new Transport.Mutual(CertificateFiles.open(files).certificates());
    var cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1");
    server = TlsServer.start(cluster, transport);
  }

  @AfterEach
  void stop() {
    server.close();
    timer.close();
  }

  private SSLSocket connection(SSLContext client, String protocol) throws IOException {
    var socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", server.port());
    socket.setSoTimeout(30_000);
    var wanted = socket.getSSLParameters();
    wanted.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(wanted);
    socket.startHandshake();
    return socket;
  }

  private static byte[] times(byte[] frame, int count) throws IOException {
    var all = new ByteArrayOutputStream(frame.length * count);
    for (int i = 0; i < count; i++) {
      all.write(frame);
    }
    return all.toByteArray();
  }

  /// Whether the server ends it, for what it sends and what it is then sent.
  private static boolean ends(SSLSocket socket) {
    try {
      for (int i = 0; i < 1000; i++) {
        if (socket.getInputStream().read(new byte[4096]) < 0) {
          return true;
        }
      }
      return false;
    } catch (java.net.SocketTimeoutException stays) {
      return false;
    } catch (IOException ended) {
      return true;
    }
  }

  private static boolean answersPing(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(PING);
    socket.setSoTimeout(30_000);
    int matched = 0; // of what comes back
    for (int next = socket.getInputStream().read();
        next >= 0;
        next = socket.getInputStream().read()) {
      matched = next == PING[9 + matched] ? matched + 1 : 0;
      if (matched == 8) {
        return true;
      }
    }
    return false;
  }

  /// It asks for keys that cost the server a fifth of a second, and the client nothing.
  @ParameterizedTest
  @ValueSource(strings = {"ffdhe8192", "ffdhe2048", "secp521r1", "secp384r1", "x448"})
  void dearKeysAreRefused(String group) throws Exception {
    try (var socket =
        (SSLSocket)
            ours.showingNothing().getSocketFactory().createSocket("127.0.0.1", server.port())) {
      var wanted = socket.getSSLParameters();
      wanted.setNamedGroups(new String[] {group});
      socket.setSSLParameters(wanted);
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void aClientThatRenewsItsKeysWithoutEndIsCutOff() throws Exception {
    try (var socket = connection(ours.showingNothing(), "http/1.1")) {
      boolean isCut = false;
      for (int i = 0; i < 10 * BoundedTlsConnection.MOST_EMPTY && !isCut; i++) {
        try {
          socket.startHandshake(); // of TLS 1.3, once it is done: a KeyUpdate
        } catch (IOException cut) {
          isCut = true;
        }
      }
      assertThat(isCut || ends(socket)).as("the connection ends").isTrue();
    }
  }

  @Test
  void framesThatAskNothingAreBounded() throws Exception {
    try (var socket = connection(ours.showingNothing(), "h2")) {
      socket.getOutputStream().write(PREFACE);
      socket.getOutputStream().write(SETTINGS);
      boolean isCut = false;
      try {
        socket.getOutputStream().write(times(ONE_BYTE_MORE, 20 * Addresses.PARTS_AT_ONCE));
      } catch (IOException cut) {
        isCut = true;
      }
      assertThat(isCut || ends(socket)).as("the connection ends").isTrue();
    }
  }

  /// As many as a client sends that reads an answer of some megabytes.
  @Test
  void asManyAsALongAnswerNeedsAreRead() throws Exception {
    try (var socket = connection(ours.showingNothing(), "h2")) {
      socket.getOutputStream().write(PREFACE);
      socket.getOutputStream().write(SETTINGS);
      socket.getOutputStream().write(times(ONE_BYTE_MORE, Addresses.PARTS_AT_ONCE / 2));
      assertThat(answersPing(socket)).as("a PING is answered").isTrue();
    }
  }

  @Test
  void aClientWithACertificateIsNotBounded() throws Exception {
    try (var socket = connection(ours.showing(ours, "scheduler"), "h2")) {
      socket.getOutputStream().write(PREFACE);
      socket.getOutputStream().write(SETTINGS);
      socket.getOutputStream().write(times(ONE_BYTE_MORE, 4 * Addresses.PARTS_AT_ONCE));
      assertThat(answersPing(socket)).as("a PING is answered").isTrue();
    }
  }
}
