package dev.berth.extender.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How a connection is kept from others.
public sealed interface TlsSettings {
  /// Whoever reaches the port may ask: for loopback, or where the network says who may.
  record Off() implements TlsSettings {}

  /// Encrypted, and the verbs answer those alone who show a certificate.
  ///
  /// @param certificate PEM, ours first, then those that lead to its CA
  /// @param key PEM, PKCS #8, not encrypted
  /// @param clientCa PEM: who signs for clients
  /// @param clients common names that may ask; empty = everyone for whom `clientCa` signed
  /// @param look how often the files are looked at
  record Mutual(Path certificate, Path key, Path clientCa, List<String> clients, Duration look)
      implements TlsSettings {
    public Mutual {
      clients = List.copyOf(clients);
    }
  }
}
