package dev.berth.extender.access;

import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.AccessReviewer.Verdict;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Authorizes requests before routes, as the cluster does.
///
/// A yes is remembered for some seconds, so a right that is taken away ends that much later; a no
/// for less. Remembered is a hash of the token, never the token.
public final class Access {
  private static final String SCHEME = "bearer ";

  private final AccessReviewer reviews;
  private final AccessSettings settings;
  private final Semaphore desks;
  private final AnswerCache<Question, Verdict> remembered;

  private record Question(TokenHash token, String verb, String path) {}

  public Access(AccessReviewer reviews, AccessSettings settings, InstantSource time) {
    this.reviews = reviews;
    this.settings = settings;
    this.desks = new Semaphore(settings.atOnce());
    this.remembered = new AnswerCache<>(settings.most(), time);
  }

  /// Stands before the routes of a path.
  ///
  /// @param path as routes have it, and as RBAC is asked: nothing that Kubernetes has itself
  public Consumer<RoutesConfig> before(String path) {
    return routes -> routes.before(path, http -> admit(http, http.path()));
  }

  private void admit(Context http, String path) {
    String shown = Optional.ofNullable(http.header("Authorization")).orElse("").strip();
    if (!shown.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      http.header("WWW-Authenticate", "Bearer");
      refuse(http, 401, "show a token of the cluster: Authorization: Bearer …");
      return;
    }
    String token = shown.substring(SCHEME.length()).strip();
    String verb = verb(http.method().name());
    try {
      switch (verdict(token, verb, path)) {
        case Verdict.Allowed _ -> {}
        case Verdict.Unknown _ -> {
          http.header("WWW-Authenticate", "Bearer error=\"invalid_token\"");
          refuse(http, 401, "the cluster does not know this token, or it has run out");
        }
        case Verdict.Forbidden(var user) ->
            refuse(
                http,
                403,
                user
                    + " may not "
                    + verb
                    + " "
                    + path
                    + ". Bind a ClusterRole with nonResourceURLs ["
                    + path
                    + "] to it");
      }
    } catch (TooMany busy) {
      http.header("Retry-After", "1");
      refuse(http, 503, "too many tokens are being judged, come again");
    } catch (NoVerdict unknown) {
      refuse(http, 503, "the token could not be judged: " + unknown.getMessage());
    }
  }

  private static void refuse(Context http, int status, String why) {
    http.status(status).result("berth: " + why).skipRemainingHandlers();
  }

  private Verdict verdict(String token, String verb, String path) throws NoVerdict, TooMany {
    var question = new Question(TokenHash.of(token), verb, path);
    var known = remembered.recall(question);
    if (known.isPresent()) {
      return known.get();
    }
    if (!desks.tryAcquire()) {
      throw new TooMany();
    }
    try {
      var verdict = reviews.review(token, verb, path);
      boolean isYes = verdict instanceof Verdict.Allowed;
      remembered.remember(question, verdict, isYes ? settings.remembered() : settings.doubted());
      return verdict;
    } finally {
      desks.release();
    }
  }

  private static String verb(String method) {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS" -> "get";
      case "POST" -> "create";
      case "PUT" -> "update";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }

  /// All desks are taken.
  private static final class TooMany extends Exception {
    private static final long serialVersionUID = 1;
  }
}
