package dev.berth.extender.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How a connection is kept from others.
public sealed interface TlsSettings {
  /// Whoever reaches the port may ask: for loopback, or where the network says who may.
  record Off() implements TlsSettings {}

  /// Encrypted, and the verbs answer those alone who show a certificate, from files of others.
  ///
  /// @param certificate PEM, ours first, then those that lead to its CA
  /// @param key PEM, PKCS #8, not encrypted
  /// @param clientCa PEM: who signs for clients
  /// @param clients common names that may ask; empty = everyone for whom `clientCa` signed
  /// @param look how often the files are looked at
  record Files(Path certificate, Path key, Path clientCa, List<String> clients, Duration look)
      implements TlsSettings {
    public Files {
      clients = List.copyOf(clients);
    }
  }

  /// The same, with certificates that Berth makes ([Issuer]).
  ///
  /// @param namespace of the Secrets
  /// @param authoritySecret the CA and its key
  /// @param clientSecret what kube-scheduler shows and whom it believes
  /// @param client the common name that may ask
  /// @param names DNS names and addresses by which we are called
  /// @param look how often the Secrets are looked at
  record Issued(
      String namespace,
      String authoritySecret,
      String clientSecret,
      String client,
      List<String> names,
      Duration look)
      implements TlsSettings {
    public Issued {
      names = List.copyOf(names);
    }
  }
}
