package dev.berth.extender.tls;

import dev.berth.extender.bounds.Addresses;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// A connection of TLS that ends where a client without a certificate makes more work than
/// questions can be: Jetty reads from it as long as bytes come, on a thread that all others need,
/// it may be that of its selector, and bounds neither records that carry nothing (renewed keys,
/// warnings) nor all kinds of frames of HTTP/2.
///
/// Under the lock of the connection, as all that Jetty unwraps.
final class BoundedTlsConnection extends SslConnection {
  /// Records without content, in the life of a connection: its handshake has some, and no client
  /// sends more of them than once in a hundred gigabytes.
  static final int MOST_EMPTY = 200;

  private final Http2Frames frames = new Http2Frames();
  private final Addresses addresses;
  private Client client = Client.UNTOLD;
  private int empty;

  private enum Client {
    UNTOLD,
    /// Showed a certificate, which is one of Berth.
    KNOWN,
    STRANGER
  }

  BoundedTlsConnection(
      ByteBufferPool buffers,
      Executor executor,
      SslContextFactory context,
      EndPoint raw,
      SSLEngine engine,
      Addresses addresses) {
    super(buffers, executor, context, raw, engine);
    this.addresses = addresses;
  }

  @Override
  protected SSLEngineResult unwrap(SSLEngine engine, ByteBuffer in, ByteBuffer out)
      throws SSLException {
    int from = out.position();
    var result = super.unwrap(engine, in, out);
    if (result.bytesConsumed() > 0 && client != Client.KNOWN) {
      boolean isBeyond =
          result.bytesProduced() == 0
              ? ++empty > MOST_EMPTY
              : isBeyond(engine, out.duplicate().flip().position(from));
      if (isBeyond) {
        getEndPoint().close();
        throw new SSLException("a client without a certificate that makes too much work");
      }
    }
    return result;
  }

  /// @param plain what a record carried
  private boolean isBeyond(SSLEngine engine, ByteBuffer plain) {
    if (client == Client.UNTOLD) { // content comes after the handshake
      client = clientOf(engine);
    }
    boolean isHttp2 = "h2".equals(engine.getApplicationProtocol());
    int work = 1 + (isHttp2 ? frames.begin(plain) : 0);
    return client == Client.STRANGER && !addresses.maySend(getEndPoint(), work, System.nanoTime());
  }

  private static Client clientOf(SSLEngine engine) {
    try {
      return engine.getSession().getPeerCertificates().length > 0 ? Client.KNOWN : Client.STRANGER;
    } catch (SSLPeerUnverifiedException none) {
      return Client.STRANGER;
    }
  }
}
