package dev.bridle.core.work.policy;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.bridle.core.work.policy.invocation.InvocationPattern;
import dev.bridle.permission.v1.ApprovalRule;
import java.util.List;

/**
 * The patterns of invocations of approval rules, parsed once for each rule that is remembered. Keys
 * are weak, so they go with the rule, which is remembered with the rest of its tenant's
 * configuration.
 */
final class RuleInvocations {
  private static final LoadingCache<ApprovalRule, List<InvocationPattern>> PARSED =
      Caffeine.newBuilder().weakKeys().build(RuleInvocations::parse);

  private RuleInvocations() {}

  /** Returns the patterns of a rule, in their order. */
  static List<InvocationPattern> of(ApprovalRule rule) {
    // Most rules have none, and need no place.
    return rule.getInvocationsCount() == 0 ? List.of() : PARSED.get(rule);
  }

  private static List<InvocationPattern> parse(ApprovalRule rule) {
    return rule.getInvocationsList().stream().map(InvocationPattern::of).toList();
  }
}
