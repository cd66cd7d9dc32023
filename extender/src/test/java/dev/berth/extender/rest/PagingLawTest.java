package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All pages together are the list: what is there from the first to the last is on exactly one of
/// them, whatever comes and goes meanwhile.
class PagingLawTest {
  private final RestCluster rest = new RestCluster();

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whatStaysIsOnExactlyOnePage(long seed) throws Exception {
    var random = new Random(seed);
    var stays = new TreeSet<String>();
    var passing = new ArrayList<String>();
    for (int i = 0; i < 60; i++) {
      String name = "w" + (1000 + random.nextInt(9000));
      rest.waiting(name, 1);
      if (random.nextBoolean()) {
        stays.add(name);
      } else {
        passing.add(name);
      }
    }
    passing.removeAll(stays);
    rest.plan();
    var shown = new ArrayList<String>();
    String next = "";
    int pages = 0;
    do {
      String path = "/api/v1/workloads?limit=" + (1 + random.nextInt(7));
      JsonNode page =
          new ObjectMapper()
              .readTree(rest.get(path + (next.isEmpty() ? "" : "&continue=" + next)).body());
      page.get("items").forEach(item -> shown.add(item.get("name").asText()));
      next = page.path("continue").asText("");
      pages++;
      if (!passing.isEmpty()) { // the last one of the page may be gone, and others come before it
        rest.cluster.gone(passing.remove(random.nextInt(passing.size())));
      }
      rest.waiting("w" + (1000 + random.nextInt(9000)) + "x", 1);
      Thread.sleep(210); // until there is another revision
    } while (!next.isEmpty());
    assertThat(pages).isGreaterThan(5);
    assertThat(shown).isSorted().doesNotHaveDuplicates().containsAll(stays);
  }
}
