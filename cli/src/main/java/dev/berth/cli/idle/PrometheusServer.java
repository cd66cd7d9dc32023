package dev.berth.cli.idle;

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
public final class PrometheusServer {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration WHOLE = Duration.ofSeconds(60);
  private static final int MOST = 64 << 20;
  private static final int LONGEST_MESSAGE = 300;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final URI server;
  private final HttpClient client;
  private final Optional<String> authorization;
  private final Duration whole;

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
    this(url, access, WHOLE);
  }

  /// @param whole how long an answer may take
  PrometheusServer(String url, Access access, Duration whole) throws MetricsException {
    this.server = server(url);
    this.whole = whole;
    this.authorization = authorization(access);
    if (authorization.isPresent()
        && server.getScheme().equalsIgnoreCase("http")
        && !LOOPBACK.contains(server.getHost().toLowerCase(Locale.ROOT))) {
      throw new MetricsException(
          (access.tokenFile().isPresent() ? "--token-file" : "--password-file")
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

  private static URI server(String url) throws MetricsException {
    try {
      var uri = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getRawUserInfo() != null) {
        throw new MetricsException(
            "--prometheus has a user or a password before @, which other processes can read on a"
                + " command line: --password-file FILE holds USER:PASSWORD");
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
        "--prometheus is \""
            + url
            + "\", but must be a URL like http://localhost:9090 or"
            + " https://monitoring.example.com/prometheus");
  }

  /// The header that lets the command in.
  private static Optional<String> authorization(Access access) throws MetricsException {
    if (access.tokenFile().isPresent() && access.passwordFile().isPresent()) {
      throw new MetricsException(
          "--token-file and --password-file are two ways to be let in: give one of them");
    }
    if (access.tokenFile().isPresent()) {
      String token = secret("--token-file", access.tokenFile().get());
      if (token.chars().anyMatch(each -> each == ' ')) {
        throw new MetricsException(
            "--token-file " + access.tokenFile().get() + " must hold one token, and nothing else");
      }
      return Optional.of("Bearer " + token);
    }
    if (access.passwordFile().isPresent()) {
      String both = secret("--password-file", access.passwordFile().get());
      if (both.indexOf(':') < 1) {
        throw new MetricsException(
            "--password-file " + access.passwordFile().get() + " must hold USER:PASSWORD");
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

  private static SSLContext trusting(Path file) throws MetricsException {
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
            "--ca " + file + " must hold certificates in PEM: there is none");
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException unreadable) {
      throw new MetricsException("--ca " + file + " cannot be read: " + unreadable);
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
    authorization.ifPresent(it -> request.header("Authorization", it));
    var answer = answer(request.build());
    if (answer.statusCode() != 200) {
      throw refused(answer);
    }
    return PrometheusAnswer.read(answer.body(), "the answer of " + server);
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
        server
            + " did not answer within "
            + whole.toSeconds()
            + " s: a shorter --for asks for less");
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
                  + " outside of the cluster: kubectl port-forward svc/prometheus 9090, then"
                  + " --prometheus http://localhost:9090");
      case SSLException untrusted ->
          new MetricsException(
              server
                  + ": TLS: "
                  + untrusted.getMessage()
                  + ". --ca FILE names the certificates that are trusted");
      case IOException broken when String.valueOf(broken.getMessage()).contains("body exceeds") ->
          new MetricsException(
              "the answer of "
                  + server
                  + " has more than "
                  + (MOST >> 20)
                  + " MiB: a shorter --for asks for less, and --metric 'NAME{LABEL=\"VALUE\"}' for"
                  + " fewer GPUs");
      default -> new MetricsException(server + ": " + cause);
    };
  }

  private MetricsException refused(HttpResponse<byte[]> answer) {
    int code = answer.statusCode();
    String way =
        switch (code) {
          case 401, 403 ->
              ": --token-file FILE gives it a bearer token that may query, --password-file FILE a"
                  + " user with a password";
          case 404 -> ": there is no query API; --prometheus is the address before /api/v1";
          default -> {
            if (code >= 300 && code < 400) {
              yield ": it refers to "
                  + answer.headers().firstValue("Location").orElse("another address")
                  + ", which --prometheus must name itself";
            }
            String text = new String(answer.body(), StandardCharsets.UTF_8).strip();
            yield ": " + text.substring(0, Math.min(text.length(), LONGEST_MESSAGE));
          }
        };
    return new MetricsException(server + " answers " + code + way);
  }
}
