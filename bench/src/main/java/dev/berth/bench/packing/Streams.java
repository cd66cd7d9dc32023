package dev.berth.bench.packing;

import java.util.SplittableRandom;

/// One stream of random numbers per purpose, so that what draws more does not change what another
/// sees. All of them follow from one seed.
public enum Streams {
  ARRIVALS,
  DRAWS,
  NODES,
  LIVES,
  TIES,
  PEER;

  public SplittableRandom of(long seed) {
    var root = new SplittableRandom(seed);
    var stream = root.split();
    for (int i = 0; i < ordinal(); i++) {
      stream = root.split();
    }
    return stream;
  }

  public static void shuffle(int[] numbers, SplittableRandom random) {
    for (int i = numbers.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = swapped;
    }
  }
}
