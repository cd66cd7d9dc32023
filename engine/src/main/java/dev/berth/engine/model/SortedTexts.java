package dev.berth.engine.model;

import java.util.AbstractList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Texts in order, of which it is asked all the time whether one is among them: with thousands of
/// them that is one look, too. Equal to any list of the same texts.
final class SortedTexts extends AbstractList<String> implements RandomAccess {
  private static final int FEW = 8;

  private final List<String> texts;
  private final Set<String> set; // looked up only

  private SortedTexts(List<String> texts) {
    this.texts = texts;
    this.set = new HashSet<>(texts);
  }

  static List<String> of(List<String> texts) {
    if (texts instanceof SortedTexts) {
      return texts;
    }
    var copy = List.copyOf(texts);
    return copy.size() <= FEW ? copy : new SortedTexts(copy);
  }

  @Override
  public String get(int index) {
    return texts.get(index);
  }

  @Override
  public int size() {
    return texts.size();
  }

  @Override
  public boolean contains(@Nullable Object text) {
    return set.contains(text);
  }
}
