package dev.berth.extender;

import dev.berth.extender.verbs.BindVerb;
import dev.berth.extender.verbs.FilterVerb;
import dev.berth.extender.verbs.PreemptVerb;
import dev.berth.extender.verbs.PrioritizeVerb;

/// The four verbs that a server answers.
public record Verbs(
    FilterVerb filter, PrioritizeVerb prioritize, PreemptVerb preempt, BindVerb bind) {}
