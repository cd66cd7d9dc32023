package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.Protocol;

/// A Kubernetes cluster, by way of its API server.
///
/// There are two clients: one for calls, which must end soon, and one for watches, which stay open
/// and whose read time-out is their watchdog. Of client-java Berth uses the credentials, the TLS
/// and the connections alone: its models refuse any field that is newer than they are, so none of
/// them is ever decoded here. The token of a service account is read again every minute.
public final class KubeCluster implements AutoCloseable {
  private static final Duration PING = Duration.ofSeconds(30);
  private static final Duration TOKEN_REFRESH = Duration.ofMinutes(1);
  private static final Path SERVICE_ACCOUNT = Path.of(Config.SERVICEACCOUNT_TOKEN_PATH);

  /// Over HTTP/1.1 (tests, proxies) each write in flight has a connection of its own.
  private static final int CONNECTIONS = 64;

  private static final List<Protocol> CALLS = List.of(Protocol.HTTP_2, Protocol.HTTP_1_1);

  /// Over HTTP/2 every event would wake a thread that reads for all and then the one that waits.
  private static final List<Protocol> WATCHES = List.of(Protocol.HTTP_1_1);

  private final Connection calls;
  private final Connection watches;

  private KubeCluster(Connection calls, Connection watches) {
    this.calls = calls;
    this.watches = watches;
  }

  /// Reads the credentials; opens no connection yet.
  ///
  /// @throws ClientException `REFUSED`, with a sentence that names the file and the way out
  public static KubeCluster open(ClusterSettings settings) throws ClientException {
    return new KubeCluster(
        connection(settings, settings.callTimeout(), settings.callTimeout(), CALLS),
        connection(settings, settings.silenceTimeout(), Duration.ZERO, WATCHES));
  }

  /// Asks for the server's version: whether it is there and lets Berth in.
  ///
  /// @return such as `v1.36.3`
  public String version() throws ClientException {
    var request = calls.request("GET", ApiPath.fixed("/version")).get().build();
    try (var response = Connection.execute(calls.open(request))) {
      var answer = Answer.read(response, 1 << 20);
      if (!answer.isDone()) {
        throw answer.failure("read the version of " + server());
      }
      return JsonBodies.at(answer.tree(), "gitVersion");
    } catch (IOException failed) {
      throw new ClientException(
          ClientException.Kind.UNREACHABLE,
          "cannot reach the API server " + server() + ": " + failed.getMessage(),
          failed);
    }
  }

  /// Such as `https://10.0.0.1:6443`.
  public String server() {
    return calls.server();
  }

  Connection calls() {
    return calls;
  }

  Connection watches() {
    return watches;
  }

  @Override
  public void close() {
    calls.close();
    watches.close();
  }

  /// @param callTimeout of a whole call, however much of its answer keeps coming; zero = none
  private static Connection connection(
      ClusterSettings settings,
      Duration readTimeout,
      Duration callTimeout,
      List<Protocol> protocols)
      throws ClientException {
    ApiClient client = client(settings);
    client.setHttpClient(
        client
            .getHttpClient()
            .newBuilder()
            .readTimeout(readTimeout)
            .callTimeout(callTimeout)
            .protocols(protocols)
            .pingInterval(PING)
            // OkHttp repeats a request whose pooled connection failed, done or not: Api decides
            // that
            .retryOnConnectionFailure(false)
            .connectionPool(new ConnectionPool(CONNECTIONS, 5, TimeUnit.MINUTES))
            .build());
    return new Connection(client);
  }

  private static ApiClient client(ClusterSettings settings) throws ClientException {
    try {
      if (settings.kubeconfig().isEmpty() && Files.exists(SERVICE_ACCOUNT)) {
        return ClientBuilder.cluster().build();
      }
    } catch (IOException | RuntimeException unreadable) {
      throw bad(SERVICE_ACCOUNT, "mount the pod's service account", unreadable);
    }
    Path file =
        settings.kubeconfig().isEmpty()
            ? KubeconfigPath.of(System.getenv(), System.getProperty("user.home", "/"))
            : Path.of(settings.kubeconfig());
    if (!Files.isReadable(file)) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          "kubeconfig "
              + file
              + (Files.exists(file) ? " cannot be read" : " does not exist")
              + ". Name another with --kubeconfig or KUBECONFIG, or run Berth in the cluster with a"
              + " service account.");
    }
    try (Reader reader = Files.newBufferedReader(file)) {
      var config = KubeConfig.loadKubeConfig(reader);
      config.setFile(file.toFile());
      if (!settings.context().isEmpty() && !config.setContext(settings.context())) {
        throw new ClientException(
            ClientException.Kind.REFUSED,
            "kubeconfig "
                + file
                + " has no context "
                + settings.context()
                + ". `kubectl config get-contexts` lists those it has.");
      }
      if (Optional.ofNullable(config.getServer()).isEmpty()) {
        throw new ClientException(
            ClientException.Kind.REFUSED,
            "kubeconfig "
                + file
                + " names no cluster in its current context. Choose one with"
                + " `kubectl config use-context`.");
      }
      return ClientBuilder.kubeconfig(config, TOKEN_REFRESH).build();
    } catch (IOException | RuntimeException unreadable) {
      throw bad(file, "check it with `kubectl --kubeconfig " + file + " version`", unreadable);
    }
  }

  private static ClientException bad(Path file, String wayOut, Exception cause) {
    return new ClientException(
        ClientException.Kind.REFUSED,
        "cannot use " + file + ": " + why(cause) + ". To find out why, " + wayOut + ".",
        cause);
  }

  /// The client reads files of another form into casts and references that fail.
  private static String why(Exception cause) {
    return cause instanceof ClassCastException || cause instanceof NullPointerException
        ? "it has not the form of such a file"
        : String.valueOf(cause.getMessage());
  }
}
