package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.browser.BrowserTab;
import dev.berth.cli.browser.Chromium;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The pages over a demo, in a real browser: they show what the API says, without an error and
/// without a serious fault of accessibility. Pictures of all are in `target/pages`.
class PagesTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path PICTURES = Path.of("target", "pages");

  private static DemoForPages demo;
  private static Chromium browser;

  @BeforeAll
  static void begin() throws Exception {
    var chromium = Chromium.found();
    assumeTrue(chromium.isPresent(), "there is no chromium: apt-get install chromium");
    demo = new DemoForPages();
    browser = Chromium.open(chromium.get());
    waiting();
    Thread.sleep(6000); // until there are two samples of queues
  }

  @AfterAll
  static void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (demo != null) {
      demo.close();
    }
  }

  /// The workload that the page is about may end before it is shown.
  private static final String IS_GONE =
      "(document.body?.innerText ?? '').includes('There is no workload')";

  private static final int TRIES = 5;

  private BrowserTab tab;

  @AfterEach
  void closeTab() throws IOException {
    tab.close();
  }

  private static JsonNode api(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(demo.address() + "api/v1/" + path)).build();
    return new ObjectMapper().readTree(CLIENT.send(request, BodyHandlers.ofString()).body());
  }

  /// The workload that waits longest.
  private static JsonNode waiting() throws Exception {
    long giveUp = System.nanoTime() + 60_000_000_000L;
    while (true) {
      var oldest = Optional.<JsonNode>empty();
      for (JsonNode each : api("workloads?phase=Queued&limit=1000").get("items")) {
        if (each.has("reason")
            && oldest
                .map(other -> each.get("created").asText().compareTo(other.get("created").asText()))
                .filter(order -> order >= 0)
                .isEmpty()) {
          oldest = Optional.of(each);
        }
      }
      if (oldest.isPresent()) {
        return oldest.get();
      }
      assertThat(System.nanoTime()).as("a workload of the demo waits").isLessThan(giveUp);
      Thread.sleep(500);
    }
  }

  /// The latest eviction.
  private static JsonNode evicted() throws Exception {
    long giveUp = System.nanoTime() + 120_000_000_000L;
    while (true) {
      var receipts = api("receipts?limit=1").get("items");
      if (!receipts.isEmpty()) {
        return receipts.get(0);
      }
      assertThat(System.nanoTime()).as("a pod of the demo is evicted").isLessThan(giveUp);
      Thread.sleep(500);
    }
  }

  /// Name of a page → its address, and what is there when it is shown.
  private static Map<String, List<String>> pages() throws Exception {
    var waiting = waiting();
    String workload = waiting.get("namespace").asText() + "/" + waiting.get("name").asText();
    var pages = new LinkedHashMap<String, List<String>>();
    pages.put(
        "cluster",
        List.of(
            "#/cluster",
            "performance.getEntriesByName('map-all').length > 0"
                + " && document.querySelectorAll('tbody th').length === 14"));
    pages.put("queues", List.of("#/queues", "document.querySelectorAll('tbody tr').length === 6"));
    pages.put("queue", List.of("#/queues/vision", "document.querySelector('.chart canvas')"));
    pages.put("workloads", List.of("#/workloads", "document.querySelector('tbody tr')"));
    pages.put("workload", List.of("#/workloads/" + workload, "document.querySelector('.facts')"));
    var evicted = evicted();
    String pod = evicted.get("namespace").asText() + "/" + evicted.get("pod").asText();
    pages.put(
        "evictions",
        List.of(
            "#/evictions?namespace=" + evicted.get("namespace").asText(),
            "document.querySelector('tbody tr')"));
    pages.put("receipt", List.of("#/evictions/" + pod, "document.querySelector('.facts')"));
    pages.put("offers", List.of("#/offers", "document.querySelector('textarea')"));
    pages.put("what-if", List.of("#/what-if", "document.querySelector('datalist option')"));
    return pages;
  }

  private static BrowserTab shown(BrowserTab tab, String page) throws Exception {
    boolean isGone = true;
    for (int i = 0; i < TRIES && isGone; i++) {
      tab.open("about:blank");
      var place = pages().get(page);
      tab.open(demo.address() + place.get(0));
      tab.await("location.host && (" + place.get(1) + " || " + IS_GONE + ")");
      isGone = tab.value(IS_GONE).asBoolean();
    }
    assertThat(isGone).as("the workload of the page went each time").isFalse();
    return tab;
  }

  /// Without those of a workload that ended meanwhile: the browser tells each answer 404.
  private static List<String> complaints(BrowserTab tab) {
    return tab.complaints().stream()
        .filter(each -> !(each.contains("404") && each.contains("/api/v1/workloads/")))
        .toList();
  }

  @Test
  void everyPageIsShownInLightDarkAndOnAPhoneWithoutFault() throws Exception {
    tab = browser.tab();
    var faults = new ArrayList<String>();
    for (String look : List.of("light", "dark", "phone")) {
      look(look);
      for (String page : pages().keySet()) {
        shown(tab, page);
        if (page.equals("workload")
            && tab.value("!!document.querySelector('button.main')").asBoolean()) {
          tab.value("document.querySelector('button.main').click()");
          tab.await(
              "!document.querySelector('button.main')"
                  + " || document.querySelector('button.main').textContent === 'Ask again'");
        }
        Thread.sleep(300);
        tab.picture(PICTURES.resolve(page + "-" + look + ".png"));
        faults.addAll(faults(tab, page + " " + look));
        assertThat(tab.value("document.documentElement.scrollWidth <= innerWidth").asBoolean())
            .as(page + " " + look + " is as wide as the screen")
            .isTrue();
      }
    }
    assertThat(faults).isEmpty();
    assertThat(complaints(tab)).as("errors of scripts, and what the policy refused").isEmpty();
  }

  /// `light`, `dark` or `phone`.
  private void look(String look) throws Exception {
    boolean isPhone = look.equals("phone");
    tab.prefers(look.equals("dark") ? "dark" : "light");
    tab.size(isPhone ? 390 : 1360, isPhone ? 844 : 900, isPhone);
  }

  /// Serious and critical ones, by axe-core.
  private static List<String> faults(BrowserTab tab, String where) throws Exception {
    try (var axe = PagesTest.class.getResourceAsStream("/axe.min.js")) {
      tab.value(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + ";0");
    }
    var found = new ArrayList<String>();
    for (JsonNode fault : tab.value("axe.run().then(found => found.violations)")) {
      if (List.of("serious", "critical").contains(fault.get("impact").asText())) {
        found.add(
            where
                + ": "
                + fault.get("id").asText()
                + " "
                + fault.at("/nodes/0/html").asText()
                + " "
                + fault.at("/nodes/0/failureSummary").asText());
      }
    }
    return found;
  }

  @Test
  void theCheckOfAccessibilitySeesFaults() throws Exception {
    tab = shown(browser.tab(), "queues");
    tab.value("document.querySelector('main').append(document.createElement('input'))");
    assertThat(faults(tab, "queues")).anyMatch(fault -> fault.contains("label"));
  }

  @Test
  void theClusterIsWalkedByKeyboard() throws Exception {
    tab = shown(browser.tab(), "cluster");
    for (int i = 0;
        i < 20 && !tab.value("document.activeElement.tagName").asText().equals("CANVAS");
        i++) {
      tab.press("Tab");
    }
    assertThat(tab.value("document.activeElement.tagName").asText()).isEqualTo("CANVAS");
    tab.press("ArrowRight");
    assertThat(node(tab)).isEqualTo("rack-a-1");
    tab.press("ArrowRight");
    assertThat(node(tab)).isEqualTo("rack-a-2");
  }

  @Test
  void aReceiptIsReachedByKeyboard() throws Exception {
    tab = shown(browser.tab(), "evictions");
    String link = "(document.activeElement.hash ?? '').startsWith('#/evictions/')";
    for (int i = 0; i < 30 && !tab.value(link).asBoolean(); i++) {
      tab.press("Tab");
    }
    String receipt = tab.value("document.activeElement.hash").asText();
    tab.press("Enter");
    tab.await("location.hash === '" + receipt + "' && document.querySelector('.reasoned')");
    assertThat(tab.value("document.querySelector('.reasoned').textContent").asText())
        .matches("(Reclaimed|Preempted|Consolidated|Stale|Overdue): .*");
  }

  private static String node(BrowserTab tab) throws Exception {
    tab.await("document.querySelector('aside h2')");
    return tab.value("document.querySelector('aside h2').textContent").asText();
  }

  @Test
  void theMapFollowsTheCluster() throws Exception {
    tab = shown(browser.tab(), "cluster");
    tab.await("document.querySelector('.live.on')");
    tab.await("performance.getEntriesByName('map-some').length > 2");
    tab.value("window.usedAtFirst = document.querySelectorAll('dd')[2].firstChild.textContent");
    tab.await("document.querySelectorAll('dd')[2].firstChild.textContent !== usedAtFirst");
    var sums =
        tab.value("[...document.querySelectorAll('dd')].map(e => parseFloat(e.textContent))");
    double gpus = 0;
    for (int i = 2; i <= 5; i++) {
      gpus += sums.get(i).asDouble();
    }
    assertThat(sums.get(2).asDouble()).as("GPUs in use").isGreaterThan(10);
    assertThat(gpus).as("used, planned and free, in " + sums).isCloseTo(112, within(1.0));
  }

  @Test
  void aWhatIfIsAskedByItsForm() throws Exception {
    tab = shown(browser.tab(), "what-if");
    tab.value(
        "const kind = document.querySelector('form select'); kind.value = 'quota';"
            + " kind.dispatchEvent(new Event('change', {bubbles: true}))");
    tab.value(
        """
        const set = (element, value) => {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, value);
          element.dispatchEvent(new Event("input", {bubbles: true}));
        };
        const [queue, amount] = document.querySelectorAll("form input");
        set(queue, "vision");
        set(amount, "112"); // so it is owed what others have
        """);
    tab.value("document.querySelector('form button').click()");
    tab.await("document.querySelector('.changes li')");
    tab.value("document.querySelector('button.main').click()");
    tab.await("document.querySelector('[aria-live] section')");
    assertThat(tab.value("document.querySelector('[aria-live] section').innerText").asText())
        .startsWith("What would follow");
    for (String look : List.of("light", "dark", "phone")) {
      look(look);
      tab.picture(PICTURES.resolve("what-if-answered-" + look + ".png"));
      assertThat(faults(tab, "what-if answered")).isEmpty();
    }
    assertThat(complaints(tab)).isEmpty();
  }

  /// No node has that label, and without it there is room: it asks for no GPUs.
  private static final String CHOOSY =
      """
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata:
        name: choosy
        labels: {berth.dev/queue: vision}
      spec:
        replicatedJobs:
        - name: workers
          template:
            spec:
              parallelism: 3
              template:
                spec:
                  schedulerName: berth
                  nodeSelector: {disk: none}
                  containers: [{name: main, image: work}]
      """;

  @Test
  void anOfferIsAskedByKeyboardWithAPastedManifest() throws Exception {
    tab = shown(browser.tab(), "offers");
    tab.value("document.querySelector('textarea').focus()");
    tab.value("document.execCommand('insertText', false, " + JSON.valueToTree(CHOOSY) + ")");
    tab.press("Tab");
    assertThat(tab.value("document.activeElement.textContent").asText())
        .isEqualTo("What would it get?");
    tab.press("Enter");
    tab.await("document.querySelector('[aria-live] section, [role=alert]')");
    assertThat(tab.value("document.querySelector('[aria-live] section').innerText").asText())
        .startsWith("JobSet choosy")
        .contains("queue vision, 3 × no GPU", "Waits: ", "no node selector disk=none");
    tab.value("document.querySelectorAll('details').forEach(each => each.open = true)");
    assertThat(tab.value("document.querySelector('pre').innerText").asText())
        .startsWith("kubectl patch --local --type merge -o yaml -f FILE -p '{\"spec\":")
        .contains("\"nodeSelector\":{}"); // lists are given whole
    for (String look : List.of("light", "dark", "phone")) {
      look(look);
      Thread.sleep(300);
      tab.picture(PICTURES.resolve("offers-answered-" + look + ".png"));
      assertThat(faults(tab, "offers answered " + look)).isEmpty();
      assertThat(tab.value("document.documentElement.scrollWidth <= innerWidth").asBoolean())
          .as("offers answered " + look + " is as wide as the screen")
          .isTrue();
    }
    assertThat(complaints(tab)).isEmpty();
  }

  @Test
  void aManifestThatCannotBeReadIsToldWithTheWayOut() throws Exception {
    tab = shown(browser.tab(), "offers");
    tab.value("document.querySelector('textarea').focus()");
    tab.value("document.execCommand('insertText', false, 'kind: Foo')");
    tab.value("document.querySelector('button.main').click()");
    tab.await("document.querySelector('[role=alert]')");
    assertThat(tab.value("document.querySelector('[role=alert]').innerText").asText())
        .contains("Foo: it is not known which pods come of it; give Pod, Job,");
  }

  @Test
  void theThemeIsChosenAndKept() throws Exception {
    tab = browser.tab();
    tab.prefers("light");
    shown(tab, "queues");
    String ground = "getComputedStyle(document.body).backgroundColor";
    var light = tab.value(ground).asText();
    tab.value(
        "const theme = document.querySelector('.theme select'); theme.value = 'dark';"
            + " theme.dispatchEvent(new Event('change', {bubbles: true}))");
    tab.await(ground + " !== '" + light + "'");
    shown(tab, "queues");
    tab.await(ground + " !== '" + light + "'");
    tab.value("localStorage.clear()");
  }
}
