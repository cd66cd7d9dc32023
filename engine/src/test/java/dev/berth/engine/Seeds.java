package dev.berth.engine;

import java.util.stream.LongStream;

/// Which worlds a law is tried on: few by default, `-Dworlds=10000 -Dchains=200` for long,
/// `-Dseed=123` to replay one.
public final class Seeds {
  private Seeds() {}

  public static LongStream worlds(int few) {
    return seeds("worlds", few);
  }

  public static LongStream chains(int few) {
    return seeds("chains", few);
  }

  private static LongStream seeds(String count, int few) {
    long one = Long.getLong("seed", -1);
    return one >= 0 ? LongStream.of(one) : LongStream.range(0, Long.getLong(count, few));
  }
}
