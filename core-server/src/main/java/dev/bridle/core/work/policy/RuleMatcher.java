package dev.bridle.core.work.policy;

import dev.bridle.core.work.policy.invocation.InvocationPattern;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.RuleMatch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Matches approval rules with an action, and says by which member, pattern and text. */
final class RuleMatcher {
  private static final int MAX_TEXT = 256;

  /** A pattern of a rule, with the text of the action that it matches. */
  private record Found(String pattern, String text) {}

  /**
   * A member of rules.
   *
   * @param patterns returns its patterns
   * @param written returns a pattern as the rule has it
   * @param textOf returns the text of the action that a pattern matches
   */
  private record Member<P>(
      String name,
      Function<ApprovalRule, List<P>> patterns,
      Function<P, String> written,
      Function<P, Optional<String>> textOf) {
    boolean isIn(ApprovalRule rule) {
      return !patterns.apply(rule).isEmpty();
    }

    Optional<Found> find(ApprovalRule rule) {
      return patterns.apply(rule).stream()
          .flatMap(
              pattern ->
                  textOf
                      .apply(pattern)
                      .map(text -> new Found(written.apply(pattern), text))
                      .stream())
          .findFirst();
    }
  }

  private final ActionFacts facts;
  private final List<Member<?>> members;

  RuleMatcher(ActionFacts facts) {
    this.facts = facts;
    this.members =
        List.of(
            member("kinds", ApprovalRule::getKindsList, kind -> among(facts.kinds(), kind)),
            member("tools", ApprovalRule::getToolsList, tool -> among(facts.tools(), tool)),
            member("paths", ApprovalRule::getPathsList, facts::fileOf),
            member("commands", ApprovalRule::getCommandsList, facts::textOf),
            new Member<>(
                "invocations", RuleInvocations::of, InvocationPattern::text, facts::invocationOf));
  }

  private static Member<String> member(
      String name,
      Function<ApprovalRule, List<String>> patterns,
      Function<String, Optional<String>> textOf) {
    return new Member<>(name, patterns, pattern -> pattern, textOf);
  }

  /** Returns why a rule matches; empty if it does not. */
  Optional<RuleMatch> match(ApprovalRule rule) {
    if (isExempt(rule)) {
      return Optional.empty();
    }
    RuleMatch.Builder match = RuleMatch.newBuilder().setRule(rule.getName());
    for (Member<?> member : members) {
      Optional<Found> found = member.find(rule);
      if (found.isPresent()) {
        match
            .setMember(member.name())
            .setPattern(found.get().pattern())
            .setText(cut(found.get().text()));
      } else if (member.isIn(rule)) {
        return Optional.empty();
      }
    }
    return Optional.of(match.build());
  }

  private boolean isExempt(ApprovalRule rule) {
    return rule.getExceptCommandsCount() > 0
        && facts.exactCommand().filter(rule.getExceptCommandsList()::contains).isPresent();
  }

  private static Optional<String> among(Set<String> names, String name) {
    return Optional.of(name).filter(names::contains);
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= MAX_TEXT
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_TEXT));
  }
}
