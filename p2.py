import re
p='engine/src/main/java/dev/berth/engine/model/Reason.java'
s=open(p).read()
# OverLimit
s=s.replace('''  /// @param members that ask for it
  record OverLimit(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long limit,
      List<Excess> more,
      List<CountedClaim> counted,
      AskingMembers members)
      implements Reason {
    public OverLimit {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
    }
''','''  /// @param members that ask for it
  /// @param besides what else is in the way: bounds of this queue and of those above it, and nodes
  ///   without room
  record OverLimit(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long limit,
      List<Excess> more,
      List<CountedClaim> counted,
      AskingMembers members,
      List<Reason> besides)
      implements Reason {
    public OverLimit {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
      besides = List.copyOf(besides);
    }
''')
s=s.replace("this(queue, resource, used, asked, limit, more, List.of(), AskingMembers.ALL);","this(queue, resource, used, asked, limit, more, List.of(), AskingMembers.ALL, List.of());")
s=s.replace("return new OverLimit(queue, resource, used, asked, limit, more, claims, members);","return new OverLimit(\n          queue, resource, used, asked, limit, more, claims, members, besides);")
s=s.replace("return new OverLimit(queue, resource, used, asked, limit, more, counted, some);\n    }","return new OverLimit(queue, resource, used, asked, limit, more, counted, some, besides);\n    }\n\n    public OverLimit besides(List<Reason> others) {\n      return new OverLimit(\n          queue, resource, used, asked, limit, more, counted, members, others);\n    }")
# NonPreemptible
s=s.replace('''  /// @param stays why the group is not preemptible
  record NonPreemptibleOverQuota(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long quota,
      List<Excess> more,
      List<CountedClaim> counted,
      AskingMembers members,
      Stays stays)
      implements Reason {
    public NonPreemptibleOverQuota {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
    }
''','''  /// @param stays why the group is not preemptible
  /// @param besides what else is in the way: bounds of this queue and of those above it, and nodes
  ///   without room
  record NonPreemptibleOverQuota(
      QueueName queue,
      Resource resource,
      long used,
      long asked,
      long quota,
      List<Excess> more,
      List<CountedClaim> counted,
      AskingMembers members,
      Stays stays,
      List<Reason> besides)
      implements Reason {
    public NonPreemptibleOverQuota {
      more = List.copyOf(more);
      counted = List.copyOf(counted);
      besides = List.copyOf(besides);
    }
''')
s=s.replace("this(queue, resource, used, asked, quota, more, List.of(), AskingMembers.ALL, stays);","this(\n          queue,\n          resource,\n          used,\n          asked,\n          quota,\n          more,\n          List.of(),\n          AskingMembers.ALL,\n          stays,\n          List.of());")
s=s.replace('''          queue, resource, used, asked, quota, more, claims, members, stays);''','''          queue, resource, used, asked, quota, more, claims, members, stays, besides);''')
s=s.replace('''          queue, resource, used, asked, quota, more, counted, some, stays);
    }''','''          queue, resource, used, asked, quota, more, counted, some, stays, besides);
    }

    public NonPreemptibleOverQuota besides(List<Reason> others) {
      return new NonPreemptibleOverQuota(
          queue, resource, used, asked, quota, more, counted, members, stays, others);
    }''')
open(p,'w').write(s)

p='engine/src/main/java/dev/berth/engine/session/QueueLimits.java'
s=open(p).read()
a=s.index('  /// The first level, from the leaf'); b=s.index('  private static Reason.Stays stays(')
s=s[:a]+'''  /// The first level, from the leaf to the root, that has no room for `charge` more of a group, with
  /// all others besides: as long as one of them has none, room on another does not help.
  public static Optional<Reason> refusal(QueueTree queues, Group group, Charge charge) {
    for (int q : queues.chain(group.queue())) {
      if (isBeyond(queues, q, group, charge)) {
        return Optional.of(told(queues, group, charge));
      }
    }
    return Optional.empty();
  }

  private static boolean isBeyond(QueueTree queues, int q, Group group, Charge charge) {
    boolean mayBorrow = group.mayBorrow();
    for (int r = 0; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondLimit(queues, q, r, asked)
          || !mayBorrow && isBeyondQuota(queues, q, r, asked)) {
        return true;
      }
    }
    return false;
  }

  private static Reason told(QueueTree queues, Group group, Charge charge) {
    var all = new ArrayList<Reason>();
    for (int q : queues.chain(group.queue())) {
      var beyondLimit = beyondLimit(queues, q, charge);
      var beyondQuota =
          group.mayBorrow() ? List.<Reason.Excess>of() : beyondQuota(queues, q, charge);
      var ofLevel = new ArrayList<Reason>();
      if (!beyondLimit.isEmpty()) {
        ofLevel.add(overLimit(queues.queue(q).name(), beyondLimit));
      }
      if (!beyondQuota.isEmpty()) {
        ofLevel.add(overQuota(queues.queue(q).name(), beyondQuota, group));
      }
      all.addAll(isQuotaFirst(queues, beyondLimit, beyondQuota) ? ofLevel.reversed() : ofLevel);
    }
    var besides = all.subList(1, all.size());
    return switch (all.getFirst()) {
      case Reason.OverLimit over -> over.besides(besides);
      case Reason.NonPreemptibleOverQuota over -> over.besides(besides);
      default -> all.getFirst();
    };
  }

  /// Whether the first resource that a queue would have too much of is beyond its quota alone.
  private static boolean isQuotaFirst(
      QueueTree queues, List<Reason.Excess> beyondLimit, List<Reason.Excess> beyondQuota) {
    return !beyondLimit.isEmpty()
        && !beyondQuota.isEmpty()
        && queues.indexOf(beyondQuota.getFirst().resource())
            < queues.indexOf(beyondLimit.getFirst().resource());
  }

  private static Reason overLimit(QueueName queue, List<Reason.Excess> all) {
    var first = all.getFirst();
    return new Reason.OverLimit(
        queue,
        first.resource(),
        first.used(),
        first.asked(),
        first.most(),
        all.subList(1, all.size()));
  }

  private static Reason overQuota(QueueName queue, List<Reason.Excess> all, Group group) {
    var first = all.getFirst();
    return new Reason.NonPreemptibleOverQuota(
        queue,
        first.resource(),
        first.used(),
        first.asked(),
        first.most(),
        all.subList(1, all.size()),
        stays(group));
  }

'''+s[b:]
s=s.replace("beyondLimit(QueueTree queues, int q, int from, Charge charge)","beyondLimit(QueueTree queues, int q, Charge charge)")
s=s.replace("beyondQuota(QueueTree queues, int q, int from, Charge charge)","beyondQuota(QueueTree queues, int q, Charge charge)")
s=s.replace("for (int r = from; r < queues.width(); r++)","for (int r = 0; r < queues.width(); r++)")
open(p,'w').write(s)
p='engine/src/main/java/dev/berth/engine/action/QueueRefusal.java'
s=open(p).read()
s=s.replace('''        .map(reason -> told(reason, group, step));
  }

  private static Reason told(Reason reason, Group group, PlacementStep step) {
    return switch (reason) {
      case Reason.OverLimit over -> over.of(members(group, step));
      case Reason.NonPreemptibleOverQuota over -> over.of(members(group, step));
      default -> reason;
    };
  }
''','''        .map(reason -> told(reason, members(group, step)));
  }

  private static Reason told(Reason reason, AskingMembers members) {
    return switch (reason) {
      case Reason.OverLimit over -> over.of(members).besides(told(over.besides(), members));
      case Reason.NonPreemptibleOverQuota over ->
          over.of(members).besides(told(over.besides(), members));
      default -> reason;
    };
  }

  private static List<Reason> told(List<Reason> reasons, AskingMembers members) {
    return reasons.stream().map(reason -> told(reason, members)).toList();
  }
''')
s=s.replace("import java.util.Optional;","import java.util.List;\nimport java.util.Optional;")
open(p,'w').write(s)
