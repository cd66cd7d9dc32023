package dev.berth.controllers.grouping.kinds;

/// An object that a shape reads besides the subject, as the trait of a member: two of them are
/// equal if the object and its content are.
record ObjectTrait(KubeObject thing) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectTrait(KubeObject that)
        && thing.uid().equals(that.uid())
        && thing.fields().equals(that.fields()); // mostly the same tree, which costs nothing
  }

  @Override
  public int hashCode() {
    return thing.uid().hashCode();
  }
}
