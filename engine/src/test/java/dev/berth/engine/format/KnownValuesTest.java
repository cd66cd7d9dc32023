package dev.berth.engine.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KnownValuesTest {
  /// What is equal is not the same.
  private static String fresh() {
    return new String("equal");
  }

  @Test
  void knowsObjectsByIdentity() {
    var values = new KnownValues();
    var one = fresh();
    var other = fresh();
    values.add(one);
    assertThat(values.reference(one)).isOne();
    assertThat(values.reference(other)).isZero();
    values.add(other);
    assertThat(values.reference(other)).isEqualTo(2);
    assertThat(values.numbers()).isEqualTo(2);
  }

  /// Objects come and go, and numbers of those that stay are never lost nor given again.
  @Test
  void numbersStayWhileOthersGo() {
    var random = new Random(3);
    var values = new KnownValues();
    var objects = new ArrayList<String>();
    var numbers = new ArrayList<Integer>();
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 500; i++) {
        var each = fresh();
        assertThat(values.reference(each)).isZero();
        values.add(each);
        objects.add(each);
        numbers.add(values.numbers());
      }
      for (int i = 0; i < 400; i++) {
        int at = random.nextInt(objects.size());
        objects.remove(at);
        numbers.remove(at);
      }
      if (round % 10 == 9) {
        System.gc();
      }
      for (int i = 0; i < objects.size(); i++) {
        assertThat(values.reference(objects.get(i))).isEqualTo(numbers.get(i));
      }
    }
    assertThat(values.numbers()).isEqualTo(20_000);
  }

  @Test
  void keepsNoObject() {
    var values = new KnownValues();
    var gone = new ArrayList<>(List.of(fresh(), fresh()));
    var references = gone.stream().map(WeakReference::new).toList();
    gone.forEach(values::add);
    gone.clear();
    System.gc();
    assertThat(references).allMatch(each -> each.refersTo(null));
  }
}
