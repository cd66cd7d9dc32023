package dev.berth.extender.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

/// A CA of a test, by the JDK's own keytool: makes certificates, writes them as PEM, and plays the
/// client that shows them.
final class Authority {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;
  private final String name;

  Authority(Path folder, String name) throws Exception {
    this.folder = folder;
    this.name = name;
    keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-ext", "bc:c");
    pem(folder.resolve(name + ".crt"), chain(name, 0));
  }

  /// Signs a certificate for a name, and writes `FILE.crt` and `FILE.key`.
  void sign(String file, String commonName, String algorithm) throws Exception {
    String alias = name + "-" + file + "-" + System.nanoTime();
    var command =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", alias, "-dname", "CN=" + commonName + ",O=test"));
    command.addAll(List.of("-signer", name, "-ext", "san=dns:localhost,ip:127.0.0.1"));
    command.addAll(List.of("-keyalg", algorithm));
    keytool(command.toArray(String[]::new));
    var key = (PrivateKey) store().getKey(alias, PASSWORD);
    pem(folder.resolve(file + ".crt"), chain(alias, 0));
    Files.writeString(folder.resolve(file + ".key"), armoured("PRIVATE KEY", key.getEncoded()));
    Files.writeString(folder.resolve(file + ".alias"), alias);
  }

  /// Believes this authority, and shows what was signed for `file` by `signer`.
  SSLContext showing(Authority signer, String file) throws Exception {
    var shown = KeyStore.getInstance("PKCS12");
    shown.load(null, PASSWORD);
    String alias = Files.readString(signer.folder.resolve(file + ".alias"));
    shown.setKeyEntry(
        "me",
        signer.store().getKey(alias, PASSWORD),
        PASSWORD,
        signer.store().getCertificateChain(alias));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(shown, PASSWORD);
    return context(new KeyManager[] {new Always((X509KeyManager) keys.getKeyManagers()[0])});
  }

  SSLContext showingNothing() throws Exception {
    return context(new KeyManager[0]);
  }

  private SSLContext context(KeyManager[] keys) throws Exception {
    var believed = KeyStore.getInstance("PKCS12");
    believed.load(null, PASSWORD);
    believed.setCertificateEntry("ca", store().getCertificate(name));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(believed);
    var context = SSLContext.getInstance("TLS");
    context.init(keys, trust.getTrustManagers(), null);
    return context;
  }

  private KeyStore store() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(folder.resolve(name + ".p12"))) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private byte[] chain(String alias, int place) throws Exception {
    return store().getCertificateChain(alias)[place].getEncoded();
  }

  private static void pem(Path file, byte[] certificate) throws IOException {
    Files.writeString(file, armoured("CERTIFICATE", certificate));
  }

  private static String armoured(String what, byte[] bytes) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what);
  }

  private void keytool(String... arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", folder.resolve(name + ".p12").toString()));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
    command.addAll(List.of("-validity", "30"));
    if (!command.contains("-keyalg")) {
      command.addAll(List.of("-keyalg", "EC"));
    }
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IllegalStateException(command + ": " + told);
    }
  }

  /// Shows its certificate to every server; Java's own key manager withholds it from servers that
  /// do not trust its CA.
  private static final class Always extends X509ExtendedKeyManager {
    private final X509KeyManager keys;

    Always(X509KeyManager keys) {
      this.keys = keys;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return "me";
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return "me";
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {"me"};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return "";
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return keys.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return keys.getPrivateKey(alias);
    }
  }
}
