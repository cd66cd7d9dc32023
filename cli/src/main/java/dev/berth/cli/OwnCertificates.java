package dev.berth.cli;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.SchedulerClient;
import dev.berth.controllers.client.SecretClient;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiSchedulers;
import dev.berth.controllers.kube.ApiSecrets;
import dev.berth.extender.tls.Certificates;
import dev.berth.extender.tls.Issuer;
import dev.berth.extender.tls.SecretStore;
import dev.berth.extender.tls.TlsSettings;
import dev.berth.extender.tls.UnusableCertificates;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Certificates that Berth makes: kept in Secrets of the cluster, and given to kube-scheduler by a
/// restart, as it reads its own at its start alone.
final class OwnCertificates {
  private static final Logger LOG = LoggerFactory.getLogger(OwnCertificates.class);

  private final Issuer issuer;
  private final SchedulerClient schedulers;
  private final BooleanSupplier leads;
  private String trouble = ""; // told once; looks come one after the other

  /// @param leads whether this one may restart kube-scheduler
  OwnCertificates(TlsSettings.Issued settings, Api api, InstantSource time, BooleanSupplier leads)
      throws UnusableCertificates {
    this.issuer = new Issuer(settings, store(new ApiSecrets(api, settings.namespace())), time);
    this.schedulers = new ApiSchedulers(api, settings.namespace());
    this.leads = leads;
  }

  Certificates certificates() {
    return issuer.certificates();
  }

  /// Makes what is missing or ends soon. What fails is tried again at the next look.
  void look() {
    try {
      var looked = issuer.look();
      if (looked.renewed()) {
        LOG.atInfo().addKeyValue("until", issuer.certificates().until()).log("certificate");
      }
      if (leads.getAsBoolean()) {
        int restarted = schedulers.restart(looked.clientSince());
        if (restarted > 0) {
          LOG.atInfo()
              .addKeyValue("pods", restarted)
              .log("kube-scheduler restarted: it has a new certificate");
        }
      }
      trouble = "";
    } catch (SecretStore.Unavailable | UnusableCertificates | ClientException failed) {
      String why = String.valueOf(failed.getMessage());
      if (!why.equals(trouble)) {
        trouble = why;
        LOG.atWarn().addKeyValue("why", why).log("certificates not looked at");
      }
    }
  }

  private static SecretStore store(SecretClient client) {
    return new SecretStore() {
      @Override
      public Optional<Secret> read(String name) throws Unavailable {
        try {
          return client.read(name).map(secret -> new Secret(secret.data(), secret.version()));
        } catch (ClientException failed) {
          throw new Unavailable(String.valueOf(failed.getMessage()), failed);
        }
      }

      @Override
      public boolean write(String name, Secret secret) throws Unavailable {
        try {
          client.write(name, new SecretClient.Secret(secret.data(), secret.version()));
          return true;
        } catch (ClientException failed) {
          if (failed.kind() == ClientException.Kind.CONFLICT) {
            return false;
          }
          throw new Unavailable(String.valueOf(failed.getMessage()), failed);
        }
      }
    };
  }
}
