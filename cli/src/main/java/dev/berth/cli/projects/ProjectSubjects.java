package dev.berth.cli.projects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Users, groups and service accounts that a binding names.
///
/// @param accounts service accounts as `NAMESPACE/NAME`
record ProjectSubjects(
    SortedSet<String> users, SortedSet<String> groups, SortedSet<String> accounts) {
  private static final String GROUP = "rbac.authorization.k8s.io";

  ProjectSubjects {
    users = Collections.unmodifiableSortedSet(new TreeSet<>(users));
    groups = Collections.unmodifiableSortedSet(new TreeSet<>(groups));
    accounts = Collections.unmodifiableSortedSet(new TreeSet<>(accounts));
  }

  boolean isEmpty() {
    return users.isEmpty() && groups.isEmpty() && accounts.isEmpty();
  }

  /// These and the others, each once.
  ProjectSubjects and(ProjectSubjects others) {
    return new ProjectSubjects(
        both(users, others.users), both(groups, others.groups), both(accounts, others.accounts));
  }

  private static SortedSet<String> both(SortedSet<String> some, SortedSet<String> others) {
    var both = new TreeSet<>(some);
    both.addAll(others);
    return both;
  }

  /// `subjects` of a binding: groups, users, service accounts, each by name.
  List<Map<String, Object>> manifests() {
    var all = new ArrayList<Map<String, Object>>();
    groups.forEach(name -> all.add(subject("Group", "apiGroup", GROUP, name)));
    users.forEach(name -> all.add(subject("User", "apiGroup", GROUP, name)));
    for (String account : accounts) {
      int slash = account.indexOf('/');
      String namespace = account.substring(0, slash);
      all.add(subject("ServiceAccount", "namespace", namespace, account.substring(slash + 1)));
    }
    return all;
  }

  private static Map<String, Object> subject(String kind, String key, String value, String name) {
    var subject = new LinkedHashMap<String, Object>();
    subject.put("kind", kind);
    subject.put(key, value);
    subject.put("name", name);
    return subject;
  }
}
