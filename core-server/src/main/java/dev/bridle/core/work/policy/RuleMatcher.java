package dev.bridle.core.work.policy;

import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.RuleMatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Matches approval rules with an action, and says by which member, pattern and text. */
final class RuleMatcher {
  private static final int MAX_TEXT = 256;

  /** A member of rules, with the text of the action that a pattern of it matches. */
  private record Member(
      String name,
      Function<ApprovalRule, List<String>> patterns,
      Function<String, Optional<String>> textOf) {}

  private final ActionFacts facts;
  private final List<Member> members;

  RuleMatcher(ActionFacts facts) {
    this.facts = facts;
    this.members =
        List.of(
            new Member("kinds", ApprovalRule::getKindsList, kind -> among(facts.kinds(), kind)),
            new Member("tools", ApprovalRule::getToolsList, tool -> among(facts.tools(), tool)),
            new Member("paths", ApprovalRule::getPathsList, facts::fileOf),
            new Member("commands", ApprovalRule::getCommandsList, facts::textOf),
            new Member("invocations", ApprovalRule::getInvocationsList, facts::invocationOf));
  }

  /** Returns why a rule matches; empty if it does not. */
  Optional<RuleMatch> match(ApprovalRule rule) {
    if (facts.exactCommand().filter(rule.getExceptCommandsList()::contains).isPresent()) {
      return Optional.empty();
    }
    RuleMatch.Builder match = RuleMatch.newBuilder().setRule(rule.getName());
    for (Member member : members) {
      List<String> patterns = member.patterns().apply(rule);
      Optional<Map.Entry<String, String>> found =
          patterns.stream()
              .flatMap(
                  pattern ->
                      member.textOf().apply(pattern).map(text -> Map.entry(pattern, text)).stream())
              .findFirst();
      if (found.isPresent()) {
        match
            .setMember(member.name())
            .setPattern(found.get().getKey())
            .setText(cut(found.get().getValue()));
      } else if (!patterns.isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.of(match.build());
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
