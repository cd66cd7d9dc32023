package dev.berth.extender.access;

import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.RightsReviewer.ObjectRight;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Which objects the owner of a token may read, remembered as [Access] does: a yes for some seconds
/// and a no for less. Any thread; waits for the API server, and for others that wait for it.
///
/// @param <U> a user, as the API server describes it
public final class Rights<U> {
  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RightsReviewer<U> reviews;
  private final AccessSettings settings;
  private final Semaphore desks;
  private final AnswerCache<TokenHash, Optional<U>> owners;
  private final AnswerCache<Question<U>, Boolean> rights;

  private record Question<U>(U user, ObjectRight right) {}

  public Rights(RightsReviewer<U> reviews, AccessSettings settings, InstantSource time) {
    this.reviews = reviews;
    this.settings = settings;
    this.desks = new Semaphore(settings.atOnce());
    this.owners = new AnswerCache<>(settings.most(), time);
    this.rights = new AnswerCache<>(settings.most() * 4, time);
  }

  private interface Review<A> {
    A ask() throws NoVerdict;
  }

  /// @return empty = the token is unknown or expired
  public Optional<U> owner(String token) throws NoVerdict {
    var hash = TokenHash.of(token);
    var known = owners.recall(hash);
    if (known.isPresent()) {
      return known.get();
    }
    var owner = atDesk(() -> reviews.owner(token));
    owners.remember(hash, owner, owner.isPresent() ? settings.remembered() : settings.doubted());
    return owner;
  }

  /// Users that one tenant may make at will: service accounts of a namespace are one. A user else.
  public String party(U user) {
    String name = reviews.name(user);
    return name.startsWith(SERVICE_ACCOUNT)
        ? name.substring(0, Math.max(SERVICE_ACCOUNT.length(), name.lastIndexOf(':')))
        : name;
  }

  public boolean may(U user, ObjectRight right) throws NoVerdict {
    var question = new Question<>(user, right);
    var known = rights.recall(question);
    if (known.isPresent()) {
      return known.get();
    }
    boolean may = atDesk(() -> reviews.may(user, right));
    rights.remember(question, may, may ? settings.remembered() : settings.doubted());
    return may;
  }

  private <A> A atDesk(Review<A> review) throws NoVerdict {
    try {
      if (!desks.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new NoVerdict("too many rights are being checked", new IOException("busy"));
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new NoVerdict("Berth stops", stopping);
    }
    try {
      return review.ask();
    } finally {
      desks.release();
    }
  }
}
