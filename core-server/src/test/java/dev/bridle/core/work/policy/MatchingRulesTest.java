package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.ApprovalRoleCount;
import dev.bridle.permission.v1.ApprovalRule;
import dev.bridle.permission.v1.GrantScope;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.RuleMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        row("of another kind", false, rule -> rule.addKinds("delete")),
        row("of its tool", true, rule -> rule.addTools("shell")),
        row("of another tool", false, rule -> rule.addTools("browser")),
        row("of its file", true, rule -> rule.addPaths("*.yaml")),
        row("of a file in its content", true, rule -> rule.addPaths("/srv")),
        row("of another file", false, rule -> rule.addPaths("*.tf")),
        row("of its command", true, rule -> rule.addCommands("kubectl*pod")),
        row("of another command", false, rule -> rule.addCommands("terraform")),
        row("of its program", true, rule -> rule.addInvocations("kubectl")),
        row("of its invocation", true, rule -> rule.addInvocations("kubectl delete")),
        row("of another invocation", false, rule -> rule.addInvocations("kubectl get")),
        row("of a kind that its content shows", true, rule -> rule.addKinds("edit")),
        row("of its kind as a tool", true, rule -> rule.addTools("command")),
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

  @ParameterizedTest(name = "{0}, of which a folder was assumed or it is not known exactly: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'command':'ls'} | true",
        "{'command':'ls','cwd':'/srv'} | true",
        "{'command':'ls','cwd':'/srv','cwd_assumed':true} | true",
        "{'command':'ls','cwd':'/srv','cwd_assumed':'x'} | false",
        "{'command':'ls','workdir':'/srv'} | false",
        "{'command':'ls','says':{'title':'x'}} | false",
        "{'command':['ls']} | false",
        "{'cwd':'/srv'} | false",
      })
  void onlyACommandThatIsKnownExactlyIsExempt(String content, boolean isExempt) {
    ApprovalRule rule =
        ApprovalRule.newBuilder().setName("r").setApprovers(1).addExceptCommands("ls").build();
    PermissionAction action = command(content.replace('\'', '"'));
    PermissionAction.Builder told =
        action.toBuilder().setTitle("rm").setSaid(json("{'title':'rm'}"));

    assertThat(match(rule, action).isEmpty()).isEqualTo(isExempt);
    assertThat(match(rule, told.build()).isEmpty()).as("said otherwise").isEqualTo(isExempt);
    assertThat(match(rule, told.setNotExact("Its input is missing.").build())).isPresent();
  }

  @ParameterizedTest(name = "{0} of the kind {1} is a command: {2}, an edit: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | command | true | false",
        "{} | edit | false | true",
        "{} | tool_call | false | false",
        "{'command':'ls'} | tool_call | true | false",
        "{'command':['ls','-l']} | tool_call | true | false",
        "{'cmd':'ls'} | read | true | false",
        "{'arguments':{'command':'ls'}} | tool_call | true | false",
        "{'command':{'x':1}} | tool_call | false | false",
        "{'command':[]} | tool_call | false | false",
        "{'changes':[{'path':'x'}]} | tool_call | false | true",
        "{'changes':{'/p/x':{'add':'y'}}} | tool_call | false | true",
        "{'changes':[]} | tool_call | false | false",
        "{'filepath':'x','diff':'+y'} | read | false | true",
        "{'path':'x','oldText':'a','newText':'b'} | read | false | true",
        "{'command':'ls','diff':'+y'} | delete | true | true",
      })
  void whatAnActionShowsCountsBesideTheKindThatIsSaid(
      String content, String kind, boolean isCommand, boolean isEdit) {
    PermissionAction action = command(content.replace('\'', '"')).toBuilder().setKind(kind).build();

    assertThat(match(rule(made -> made.addKinds("command")), action).isPresent())
        .isEqualTo(isCommand);
    assertThat(match(rule(made -> made.addKinds("edit")), action).isPresent()).isEqualTo(isEdit);
    assertThat(match(rule(made -> made.addKinds(kind)), action)).isPresent();
  }

  @Test
  void allNamesOfAToolMatch() {
    PermissionAction action =
        command("{}").toBuilder()
            .setTool("Bash")
            .setSaid(json("{'name':'run_shell_command','names':['shell','local_shell']}"))
            .build();

    for (String tool : List.of("Bash", "command", "run_shell_command", "shell", "local_shell")) {
      assertThat(match(rule(made -> made.addTools(tool)), action)).isPresent();
    }
    assertThat(match(rule(made -> made.addTools("bash")), action)).isEmpty();
  }

  @Test
  void whatTheAgentSaysMatchesAsItsContentDoes() {
    PermissionAction bare = command("{\"cwd\":\"/srv\"}");
    PermissionAction titled = bare.toBuilder().setTitle("rm -rf /etc/passwd").build();
    PermissionAction said =
        bare.toBuilder()
            .setSaid(json("{'title':'rm -rf x','texts':['in a/main.tf','git -C . push']}"))
            .build();

    assertThat(match(rule(made -> made.addCommands("rm -rf*")), bare)).isEmpty();
    assertThat(match(rule(made -> made.addCommands("rm -rf*")), titled)).isPresent();
    assertThat(match(rule(made -> made.addCommands("rm -rf*")), said)).isPresent();
    assertThat(match(rule(made -> made.addPaths("main.tf")), said)).isPresent();
    assertThat(match(rule(made -> made.addInvocations("git push")), said)).isPresent();
    assertThat(match(rule(made -> made.addInvocations("git pull")), said)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'command':'cd x && git --no-pager push'}",
        "{'command':['bash','-lc','git -c a.b=c push']}",
        "{'command':'git','args':['-C','a b','push']}",
        "{'arguments':{'program':'git','args':'push'}}",
        "{'script':{'lines':['set -e','git push']}}",
        "{'says':{'title':'git push'}}",
      })
  void anInvocationIsFoundInWhateverMember(String content) {
    assertThat(
            match(
                rule(made -> made.addInvocations("git push")), command(content.replace('\'', '"'))))
        .isPresent();
  }

  @Test
  void namesOfMembersThatLookLikePathsMatchAsPaths() {
    PermissionAction action = command("{\"changes\":{\"/srv/a/main.tf\":{\"add\":\"x\"}}}");

    assertThat(match(rule(made -> made.addPaths("*.tf")), action).orElseThrow().getText())
        .isEqualTo("/srv/a/main.tf");
    assertThat(match(rule(made -> made.addPaths("changes")), action)).isEmpty();
  }

  @Test
  void aMatchSaysByWhatItIsOne() {
    String text = "cd x; " + "y".repeat(400) + " && kubectl -n prod delete pod";
    PermissionAction action = command("{\"command\":\"" + text + "\"}");
    ApprovalRule all =
        rule(
            made ->
                made.addKinds("edit")
                    .addKinds("command")
                    .addCommands("z")
                    .addCommands("cd*kubectl")
                    .addInvocations("helm")
                    .addInvocations("kubectl delete"));

    assertThat(match(all, action))
        .contains(
            RuleMatch.newBuilder()
                .setRule("r")
                .setMember("invocations")
                .setPattern("kubectl delete")
                .setText("kubectl -n prod delete pod")
                .build());
    assertThat(match(all.toBuilder().clearInvocations().build(), action))
        .contains(
            RuleMatch.newBuilder()
                .setRule("r")
                .setMember("commands")
                .setPattern("cd*kubectl")
                .setText(text.substring(0, 256))
                .build());
    assertThat(match(rule(made -> made), action))
        .contains(RuleMatch.newBuilder().setRule("r").build());
  }

  private static ApprovalRule rule(UnaryOperator<ApprovalRule.Builder> members) {
    return members.apply(ApprovalRule.newBuilder().setName("r").setApprovers(1)).build();
  }

  private static Optional<RuleMatch> match(ApprovalRule rule, PermissionAction action) {
    return MatchingRules.of(List.of(rule), "w1", "", action).matches().stream().findFirst();
  }

  private static ByteString json(String text) {
    return ByteString.copyFromUtf8(text.replace('\'', '"'));
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
