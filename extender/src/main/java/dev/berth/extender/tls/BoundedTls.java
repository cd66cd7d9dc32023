package dev.berth.extender.tls;

import dev.berth.extender.bounds.Addresses;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;

/// Makes connections of TLS whose strangers are bounded.
final class BoundedTls extends SslConnectionFactory {
  private final Addresses addresses;

  BoundedTls(Certificates certificates, String next, Addresses addresses) {
    super(certificates.context(), next);
    this.addresses = addresses;
  }

  @Override
  protected SslConnection newSslConnection(Connector connector, EndPoint raw, SSLEngine engine) {
    return new BoundedTlsConnection(
        connector.getByteBufferPool(),
        connector.getExecutor(),
        getSslContextFactory(),
        raw,
        engine,
        addresses);
  }
}
