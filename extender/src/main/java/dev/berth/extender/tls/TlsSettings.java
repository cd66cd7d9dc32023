package dev.berth.extender.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How a connection is kept from others.
public sealed interface TlsSettings {
  /// All clients that reach the port may ask: for loopback, or where the network limits them.
  record Off() implements TlsSettings {}

  /// Encrypted, and the verbs require a client certificate, from files of others.
  ///
  /// @param certificate PEM, Berth's first, then those that lead to its CA
  /// @param key PEM, PKCS #8, not encrypted
  /// @param clientCa PEM: the CA that signs for clients
  /// @param clients common names that may ask; empty = all for which `clientCa` signed
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
  /// @param clientSecret the certificate of kube-scheduler and the CA that it trusts
  /// @param client the common name that may ask
  /// @param names DNS names and addresses by which Berth is called
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
