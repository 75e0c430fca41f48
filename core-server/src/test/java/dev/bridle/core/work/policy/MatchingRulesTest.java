package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class MatchingRulesTest {
  private static final PermissionAction DELETION =
      PermissionAction.newBuilder()
          .setKind("command")
          .setTool("shell")
          .setContent(
              ByteString.copyFromUtf8("{\"command\":\"kubectl delete pod x\",\"cwd\":\"/srv\"}"))
          .addEditedFiles("/srv/app/pod.yaml")
          .build();

  static List<Arguments> rules() {
    return List.of(
        row("that says nothing", true, rule -> rule),
        row("of the persona", true, rule -> rule.setPersonaId("p1")),
        row("of another persona", false, rule -> rule.setPersonaId("p2")),
        row("of the workspace", true, rule -> rule.setWorkspaceId("w1")),
        row("of another workspace", false, rule -> rule.setWorkspaceId("w2")),
        row("of its kind", true, rule -> rule.addKinds("edit").addKinds("command")),
        row("of another kind", false, rule -> rule.addKinds("edit")),
        row("of its tool", true, rule -> rule.addTools("shell")),
        row("of another tool", false, rule -> rule.addTools("browser")),
        row("of its file", true, rule -> rule.addPaths("*.yaml")),
        row("of a file in its content", true, rule -> rule.addPaths("/srv")),
        row("of another file", false, rule -> rule.addPaths("*.tf")),
        row("of its command", true, rule -> rule.addCommands("kubectl*pod")),
        row("of another command", false, rule -> rule.addCommands("terraform")),
        row("of its kind and another file", false, rule -> rule.addKinds("command").addPaths("x")),
        row("that is disabled", false, rule -> rule.setDisabled(true)),
        row(
            "that exempts exactly its command",
            false,
            rule -> rule.addExceptCommands("kubectl delete pod x")),
        row("that exempts a part of it", true, rule -> rule.addExceptCommands("kubectl delete")));
  }

  private static Arguments row(
      String what, boolean matches, UnaryOperator<ApprovalRule.Builder> rule) {
    return Arguments.of(
        what, matches, rule.apply(ApprovalRule.newBuilder().setName("r").setApprovers(1)).build());
  }

  @ParameterizedTest(name = "a rule {0}: {1}")
  @MethodSource("rules")
  void aRuleMatchesIfEachOfItsMembersDoes(String what, boolean matches, ApprovalRule rule) {
    assertThat(MatchingRules.of(List.of(rule), "w1", "p1", DELETION).isEmpty()).isEqualTo(!matches);
  }

  @Test
  void aCommandWithMoreThanItsTextIsNotExempt() {
    ApprovalRule rule =
        ApprovalRule.newBuilder().setName("r").setApprovers(1).addExceptCommands("ls").build();
    PermissionAction bare = command("{\"command\":\"ls\"}");
    PermissionAction more = command("{\"command\":\"ls\",\"env\":{\"PATH\":\"/tmp/evil\"}}");

    assertThat(MatchingRules.of(List.of(rule), "w1", "", bare).isEmpty()).isTrue();
    assertThat(MatchingRules.of(List.of(rule), "w1", "", more).isEmpty()).isFalse();
    assertThat(
            MatchingRules.of(List.of(rule), "w1", "", bare.toBuilder().setKind("tool_call").build())
                .isEmpty())
        .as("another kind of action with that text")
        .isFalse();
  }

  @Test
  void wordsOfACommandMatchAsOneLine() {
    ApprovalRule rule =
        ApprovalRule.newBuilder().setName("r").addCommands("git push").setApprovers(1).build();

    assertThat(
            MatchingRules.of(
                    List.of(rule), "w1", "", command("{\"argv\":[\"git\",\"push\",\"-f\"]}"))
                .isEmpty())
        .isFalse();
  }

  private static PermissionAction command(String content) {
    return PermissionAction.newBuilder()
        .setKind("command")
        .setContent(ByteString.copyFromUtf8(content))
        .build();
  }

  @Test
  void noRuleLessensWhatOthersRequire() {
    Random random = new Random(20261125);
    for (int run = 0; run < 2000; run++) {
      List<ApprovalRule> rules = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        rules.add(random(random, "r" + i));
      }
      MatchingRules matching = MatchingRules.of(rules, "w1", "", DELETION);
      ApprovalRequirement joined = matching.requirement().orElseThrow();
      Map<String, Integer> roles = new HashMap<>();
      joined.getRolesList().forEach(role -> roles.put(role.getRole(), role.getCount()));
      for (ApprovalRule rule : rules) {
        assertThat(joined.getRulesList()).contains(rule.getName());
        assertThat(joined.getApprovers()).isGreaterThanOrEqualTo(rule.getApprovers());
        rule.getRolesList()
            .forEach(
                role ->
                    assertThat(roles.get(role.getRole())).isGreaterThanOrEqualTo(role.getCount()));
        assertThat(rule.getMayGrantList()).containsAll(joined.getMayGrantList());
        if (rule.getChannelsCount() > 0 && !matching.leaveNoChannel()) {
          assertThat(joined.getChannelsList()).isNotEmpty().isSubsetOf(rule.getChannelsList());
        }
        if (rule.hasAnswerWithinSeconds()) {
          assertThat(joined.getAnswerWithinSeconds())
              .isPositive()
              .isLessThanOrEqualTo(rule.getAnswerWithinSeconds());
        }
        if (rule.hasUsableForSeconds()) {
          assertThat(joined.getUsableForSeconds())
              .isPositive()
              .isLessThanOrEqualTo(rule.getUsableForSeconds());
        }
      }
    }
  }

  private static ApprovalRule random(Random random, String name) {
    ApprovalRule.Builder rule =
        ApprovalRule.newBuilder().setName(name).setApprovers(1 + random.nextInt(4));
    for (String role : List.of("sre", "owner")) {
      if (random.nextBoolean()) {
        rule.addRoles(ApprovalRoleCount.newBuilder().setRole(role).setCount(1 + random.nextInt(5)));
      }
    }
    for (ApprovalChannel channel :
        List.of(
            ApprovalChannel.APPROVAL_CHANNEL_REST, ApprovalChannel.APPROVAL_CHANNEL_WEBSOCKET)) {
      if (random.nextInt(3) == 0) {
        rule.addChannels(channel);
      }
    }
    for (GrantScope scope :
        List.of(GrantScope.GRANT_SCOPE_ACTION, GrantScope.GRANT_SCOPE_SESSION)) {
      if (random.nextInt(4) > 0) {
        rule.addMayGrant(scope);
      }
    }
    if (random.nextBoolean()) {
      rule.setAnswerWithinSeconds(1 + random.nextInt(100));
    }
    if (random.nextBoolean()) {
      rule.setUsableForSeconds(1 + random.nextInt(100));
    }
    return rule.build();
  }
}
