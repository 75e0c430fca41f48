package dev.bridle.core.work.policy;

import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.RuleMatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * The approval rules that match an action, joined so that none lessens another.
 *
 * @param rules the rules, oldest first
 * @param matches why each of them matches
 */
record MatchingRules(List<ApprovalRule> rules, List<RuleMatch> matches) {
  /** What a requester asks for by itself, which stands among the names of the rules. */
  private static final ApprovalRule SIGNED_ONLY =
      ApprovalRule.newBuilder()
          .setName("(asked for)")
          .setApprovers(1)
          .addChannels(ApprovalChannel.APPROVAL_CHANNEL_HARP)
          .build();

  /** Returns those of a tenant's rules that match an action of a task. */
  static MatchingRules of(
      Collection<ApprovalRule> all, String workspace, String persona, PermissionAction action) {
    List<ApprovalRule> ofTask = ofTask(all, workspace, persona);
    List<ApprovalRule> rules = new ArrayList<>();
    List<RuleMatch> matches = new ArrayList<>();
    if (!ofTask.isEmpty()) {
      RuleMatcher matcher = new RuleMatcher(new ActionFacts(action));
      for (ApprovalRule rule : ofTask) {
        matcher
            .match(rule)
            .ifPresent(
                match -> {
                  rules.add(rule);
                  matches.add(match);
                });
      }
    }
    return new MatchingRules(List.copyOf(rules), List.copyOf(matches));
  }

  /** Returns those of a tenant's rules that apply to the actions of a task. */
  static List<ApprovalRule> ofTask(Collection<ApprovalRule> all, String workspace, String persona) {
    return all.stream()
        .filter(rule -> !rule.getDisabled())
        .filter(rule -> !rule.hasWorkspaceId() || rule.getWorkspaceId().equals(workspace))
        .filter(rule -> !rule.hasPersonaId() || rule.getPersonaId().equals(persona))
        .toList();
  }

  /** Returns these rules with what a requester requires who takes decisions of devices alone. */
  MatchingRules withSignedOnly() {
    List<ApprovalRule> all = new ArrayList<>(rules);
    all.add(SIGNED_ONLY);
    List<RuleMatch> why = new ArrayList<>(matches);
    why.add(RuleMatch.newBuilder().setRule(SIGNED_ONLY.getName()).build());
    return new MatchingRules(List.copyOf(all), List.copyOf(why));
  }

  /** Returns whether no rule matches. */
  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Returns what the rules require together; empty if none matches. */
  Optional<ApprovalRequirement> requirement() {
    if (rules.isEmpty()) {
      return Optional.empty();
    }
    TreeMap<String, Integer> roles = new TreeMap<>();
    rules.stream()
        .flatMap(rule -> rule.getRolesList().stream())
        .forEach(role -> roles.merge(role.getRole(), role.getCount(), Math::max));
    int approvers = rules.stream().mapToInt(ApprovalRule::getApprovers).max().orElse(1);
    int ofOneRole = roles.values().stream().mapToInt(count -> count).max().orElse(1);
    ApprovalRequirement.Builder required =
        ApprovalRequirement.newBuilder()
            .setApprovers(Math.max(1, Math.max(approvers, ofOneRole)))
            .addAllMayGrant(grants());
    if (rules.stream().anyMatch(ApprovalRule::getNotSubmitter)) {
      required.setNotSubmitter(true);
    }
    rules.forEach(rule -> required.addRules(rule.getName()));
    roles.forEach(
        (role, count) ->
            required.addRoles(ApprovalRoleCount.newBuilder().setRole(role).setCount(count)));
    if (rules.stream().anyMatch(rule -> rule.getChannelsCount() > 0)) {
      required.addAllChannels(channels());
    }
    least(ApprovalRule::hasAnswerWithinSeconds, ApprovalRule::getAnswerWithinSeconds)
        .ifPresent(required::setAnswerWithinSeconds);
    least(ApprovalRule::hasUsableForSeconds, ApprovalRule::getUsableForSeconds)
        .ifPresent(required::setUsableForSeconds);
    return Optional.of(required.build());
  }

  /** Returns whether the rules leave no channel for an answer. */
  boolean leaveNoChannel() {
    return channels().isEmpty();
  }

  private Set<ApprovalChannel> channels() {
    EnumSet<ApprovalChannel> left =
        EnumSet.of(
            ApprovalChannel.APPROVAL_CHANNEL_REST,
            ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET,
            ApprovalChannel.APPROVAL_CHANNEL_HARP);
    rules.stream()
        .filter(rule -> rule.getChannelsCount() > 0)
        .forEach(rule -> left.retainAll(rule.getChannelsList()));
    return left;
  }

  private Set<GrantScope> grants() {
    EnumSet<GrantScope> left = EnumSet.allOf(GrantScope.class);
    rules.forEach(rule -> left.retainAll(rule.getMayGrantList()));
    return left;
  }

  private OptionalInt least(Predicate<ApprovalRule> has, ToIntFunction<ApprovalRule> seconds) {
    return rules.stream().filter(has).mapToInt(seconds).min();
  }
}
