package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.berth.controllers.client.ClientException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import java.io.IOException;
import java.io.InterruptedIOException;
import okhttp3.Call;
import org.junit.jupiter.api.Test;

/// What client-java and OkHttp throw becomes what callers expect. Both are mocked: no server makes
/// them throw these.
class ConnectionTest {
  private final Call call = mock(Call.class);
  private final ApiClient client = mock(ApiClient.class);

  @Test
  void anInterruptionThatOkHttpDoesNotDeclareIsAnIOException() throws IOException {
    when(call.execute())
        .thenAnswer(_ -> {
          throw new InterruptedException("asked to stop");
        });
    assertThatThrownBy(() -> Connection.execute(call))
        .isInstanceOf(InterruptedIOException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).as("the interrupt is kept for the caller").isTrue();
  }

  @Test
  void otherFailuresPassAsTheyAre() throws IOException {
    var lost = new IOException("connection reset");
    when(call.execute()).thenThrow(lost);
    assertThatThrownBy(() -> Connection.execute(call)).isSameAs(lost);
    assertThat(Thread.interrupted()).as("interrupted").isFalse();
  }

  @Test
  void credentialsThatCannotBeMadeAreARefusalThatNamesTheServer() throws ApiException {
    when(client.getBasePath()).thenReturn("https://cluster:6443");
    var gone = new IllegalStateException("the command gcloud is not there");
    doThrow(gone).when(client).updateParamsForAuth(any(), any(), any(), any(), any(), any(), any());
    assertThatThrownBy(() -> new Connection(client).request("GET", ApiPath.fixed("/api/v1/pods")))
        .isInstanceOf(ClientException.class)
        .hasMessage(
            "no usable credentials for https://cluster:6443: the command gcloud is not there")
        .hasCause(gone);
  }
}
