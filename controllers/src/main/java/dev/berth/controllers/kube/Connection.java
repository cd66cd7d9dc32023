package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;

/// One of the two clients of a cluster: builds requests with Berth's credentials.
final class Connection implements AutoCloseable {
  private static final String[] CREDENTIALS = {"BearerToken"};

  private final ApiClient client;

  Connection(ApiClient client) {
    this.client = client;
  }

  String server() {
    return client.getBasePath();
  }

  Request.Builder request(String method, ApiPath path) throws ClientException {
    String address = server() + path;
    Map<String, String> headers = new HashMap<>();
    try {
      // A static token sits in the client; one that is renewed is added by its interceptor.
      client.updateParamsForAuth(
          CREDENTIALS,
          new ArrayList<>(),
          headers,
          new HashMap<>(),
          "",
          method,
          URI.create(address));
    } catch (ApiException | RuntimeException unusable) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          "no usable credentials for " + server() + ": " + unusable.getMessage(),
          unusable);
    }
    var request =
        new Request.Builder()
            .url(address)
            .header("User-Agent", "berth")
            .header("Accept", "application/json");
    headers.forEach(request::header);
    return request;
  }

  Call open(Request request) {
    return client.getHttpClient().newCall(request);
  }

  /// Waits for the answer. OkHttp is written in Kotlin and throws the checked InterruptedException
  /// without saying so; here it becomes the IOException that callers expect.
  static Response execute(Call call) throws IOException {
    try {
      return call.execute();
    } catch (IOException | RuntimeException failed) {
      throw failed;
    } catch (Exception interrupted) {
      Thread.currentThread().interrupt();
      var failed = new InterruptedIOException("interrupted");
      failed.initCause(interrupted);
      throw failed;
    }
  }

  @Override
  public void close() {
    client.getHttpClient().dispatcher().cancelAll();
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
  }
}
