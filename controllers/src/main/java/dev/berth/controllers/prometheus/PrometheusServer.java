package dev.berth.controllers.prometheus;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.MetricsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/// The query API of a Prometheus, or of what speaks like one (Thanos, Mimir, VictoriaMetrics).
///
/// An answer takes [#WHOLE] at most and has [#MOST] bytes at most. Redirects are not followed: a
/// token or password is for the server that the user named.
public final class PrometheusServer implements MetricsClient {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration WHOLE = Duration.ofSeconds(60);
  private static final int MOST = 64 << 20;
  private static final int LONGEST_MESSAGE = 300;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final URI server;
  private final HttpClient client;
  private final Access access;
  private final Duration whole;
  private final Wording wording;

  /// How messages call what the user said.
  ///
  /// @param url such as `--prometheus`
  /// @param ca names certificates
  /// @param tokenFile names a bearer token
  /// @param passwordFile names a user and a password
  /// @param less how less is asked for
  public record Wording(String url, String ca, String tokenFile, String passwordFile, String less) {
    /// The options of commands.
    public static final Wording OPTIONS =
        new Wording(
            "--prometheus",
            "--ca",
            "--token-file",
            "--password-file",
            "a shorter --for asks for less, and --series 'LABEL=\"VALUE\"' for fewer GPUs");
  }

  /// How a server is trusted, and how it lets in.
  ///
  /// @param ca certificates in PEM that are trusted; empty = those of the JDK
  /// @param tokenFile with a bearer token; empty = none is sent
  /// @param passwordFile with `user:password`; empty = none is sent
  public record Access(Optional<Path> ca, Optional<Path> tokenFile, Optional<Path> passwordFile) {
    public static final Access OPEN =
        new Access(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /// @param url `http://…` or `https://…`, with a path before `/api/v1` if need be
  /// @throws MetricsException where one of them cannot be used
  public PrometheusServer(String url, Access access) throws MetricsException {
    this(url, access, WHOLE, Wording.OPTIONS);
  }

  /// @param whole how long an answer may take
  public PrometheusServer(String url, Access access, Duration whole, Wording wording)
      throws MetricsException {
    this.whole = whole;
    this.wording = wording;
    this.access = access;
    this.server = server(url);
    boolean hasSecret = authorization().isPresent();
    if (hasSecret
        && server.getScheme().equalsIgnoreCase("http")
        && !LOOPBACK.contains(server.getHost().toLowerCase(Locale.ROOT))) {
      throw new MetricsException(
          (access.tokenFile().isPresent() ? wording.tokenFile() : wording.passwordFile())
              + " with "
              + server
              + " would send a secret in plain text: use https://, or a port-forward to"
              + " http://localhost");
    }
    var builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT);
    if (access.ca().isPresent()) {
      builder.sslContext(trusting(access.ca().get()));
    }
    this.client = builder.build();
  }

  /// Its address.
  @Override
  public String toString() {
    return server.toString();
  }

  private URI server(String url) throws MetricsException {
    try {
      var uri = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getRawUserInfo() != null) {
        throw new MetricsException(
            wording.url()
                + " has a user or a password before @, which others can read there: "
                + wording.passwordFile()
                + " names a file that holds USER:PASSWORD");
      }
      if (uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && (scheme.equals("http") || scheme.equals("https"))) {
        return uri;
      }
    } catch (IllegalArgumentException noUri) {
      // told below
    }
    throw new MetricsException(
        wording.url()
            + " is \""
            + url
            + "\", but must be a URL like http://localhost:9090 or"
            + " https://monitoring.example.com/prometheus");
  }

  /// The header that lets in, as the file is now: tokens are renewed.
  private Optional<String> authorization() throws MetricsException {
    if (access.tokenFile().isPresent() && access.passwordFile().isPresent()) {
      throw new MetricsException(
          wording.tokenFile()
              + " and "
              + wording.passwordFile()
              + " are two ways to be let in: give one of them");
    }
    if (access.tokenFile().isPresent()) {
      String token = secret(wording.tokenFile(), access.tokenFile().get());
      if (token.chars().anyMatch(each -> each == ' ')) {
        throw new MetricsException(
            wording.tokenFile()
                + " "
                + access.tokenFile().get()
                + " must hold one token, and nothing else");
      }
      return Optional.of("Bearer " + token);
    }
    if (access.passwordFile().isPresent()) {
      String both = secret(wording.passwordFile(), access.passwordFile().get());
      if (both.indexOf(':') < 1) {
        throw new MetricsException(
            wording.passwordFile()
                + " "
                + access.passwordFile().get()
                + " must hold USER:PASSWORD");
      }
      return Optional.of(
          "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }
    return Optional.empty();
  }

  private static String secret(String option, Path file) throws MetricsException {
    try {
      String text = Files.readString(file).strip();
      if (!text.isEmpty() && text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
      throw new MetricsException(option + " " + file + " must hold one line, and nothing else");
    } catch (IOException unreadable) {
      throw new MetricsException(option + " " + file + " cannot be read: " + unreadable);
    }
  }

  private SSLContext trusting(Path file) throws MetricsException {
    try {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))) {
        store.setCertificateEntry("ca-" + number++, each);
      }
      if (number == 0) {
        throw new MetricsException(
            wording.ca() + " " + file + " must hold certificates in PEM: there is none");
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException unreadable) {
      throw new MetricsException(wording.ca() + " " + file + " cannot be read: " + unreadable);
    }
  }

  /// The series of an expression, a sample for each step.
  ///
  /// @throws MetricsException where it cannot be had, with the way out
  public List<MetricSeries> range(String expression, Instant begin, Instant end, Duration step)
      throws MetricsException {
    String query =
        "query="
            + URLEncoder.encode(expression, StandardCharsets.UTF_8)
            + "&start="
            + seconds(begin)
            + "&end="
            + seconds(end)
            + "&step="
            + step.toSeconds();
    var uri = URI.create(server + "/api/v1/query_range?" + query);
    var request = HttpRequest.newBuilder(uri).timeout(whole).GET();
    return PrometheusAnswer.read(body(request), "the answer of " + server);
  }

  @Override
  public List<MetricSeries> ask(String expression) throws MetricsException {
    String query = "query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8);
    var uri = URI.create(server + "/api/v1/query?" + query);
    return PrometheusAnswer.readVector(
        body(HttpRequest.newBuilder(uri).timeout(whole).GET()), "the answer of " + server);
  }

  private byte[] body(HttpRequest.Builder request) throws MetricsException {
    authorization().ifPresent(it -> request.header("Authorization", it));
    var answer = answer(request.build());
    if (answer.statusCode() != 200) {
      throw refused(answer);
    }
    return answer.body();
  }

  private static String seconds(Instant moment) {
    return String.format(
        Locale.ROOT, "%d.%03d", moment.getEpochSecond(), moment.getNano() / 1_000_000);
  }

  private HttpResponse<byte[]> answer(HttpRequest request) throws MetricsException {
    var answer = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST));
    try {
      return answer.get(whole.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      answer.cancel(true);
      throw late();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new MetricsException("interrupted while " + server + " was asked");
    } catch (ExecutionException failed) {
      throw failed(failed);
    }
  }

  private MetricsException late() {
    return new MetricsException(
        server + " did not answer within " + whole.toSeconds() + " s: " + wording.less());
  }

  private MetricsException failed(ExecutionException failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return switch (cause) {
      case HttpConnectTimeoutException _ ->
          new MetricsException(
              server
                  + " cannot be reached within "
                  + CONNECT.toSeconds()
                  + " s: is it the address of Prometheus, as seen from here?");
      case HttpTimeoutException _ -> late();
      case ConnectException _ ->
          new MetricsException(
              server
                  + " cannot be reached: is it the address of Prometheus, as seen from here? From"
                  + " outside of the cluster: kubectl port-forward svc/prometheus 9090, then "
                  + wording.url()
                  + " http://localhost:9090");
      case SSLException untrusted ->
          new MetricsException(
              server
                  + ": TLS: "
                  + untrusted.getMessage()
                  + ". "
                  + wording.ca()
                  + " names a file with the certificates that are trusted");
      case IOException broken when String.valueOf(broken.getMessage()).contains("body exceeds") ->
          new MetricsException(
              "the answer of "
                  + server
                  + " has more than "
                  + (MOST >> 20)
                  + " MiB: "
                  + wording.less());
      default -> new MetricsException(server + ": " + cause);
    };
  }

  private MetricsException refused(HttpResponse<byte[]> answer) {
    int code = answer.statusCode();
    String way =
        switch (code) {
          case 401, 403 ->
              ": "
                  + wording.tokenFile()
                  + " names a file with a bearer token that may query, "
                  + wording.passwordFile()
                  + " one with a user and a password";
          case 404 ->
              ": there is no query API; " + wording.url() + " is the address before /api/v1";
          default -> {
            if (code >= 300 && code < 400) {
              yield ": it refers to "
                  + answer.headers().firstValue("Location").orElse("another address")
                  + ", which "
                  + wording.url()
                  + " must name itself";
            }
            String text = new String(answer.body(), StandardCharsets.UTF_8).strip();
            yield ": " + text.substring(0, Math.min(text.length(), LONGEST_MESSAGE));
          }
        };
    return new MetricsException(server + " answers " + code + way);
  }
}
