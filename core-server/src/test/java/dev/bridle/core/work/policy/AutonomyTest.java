package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.Persona;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AutonomyTest {
  @ParameterizedTest(name = "{0} and an action that changes ''{1}'': {2}")
  @CsvSource({
    "SHADOW, none, ALLOW",
    "SHADOW, file_write, SHADOW",
    "SHADOW, '', SHADOW",
    "SUGGEST, none, ALLOW",
    "SUGGEST, network, PROPOSE",
    "SUGGEST, '', PROPOSE",
    "ACT_WITH_APPROVAL, none, ASK",
    "ACT_WITH_APPROVAL, file_write, ASK",
    "ACT_WITH_APPROVAL, '', ASK",
    "ACT_AUTO, none, ALLOW",
    "ACT_AUTO, file_write, ALLOW",
    "ACT_AUTO, '', ALLOW",
    "UNSPECIFIED, none, ASK",
  })
  void theTierDecidesByWhatTheActionChanges(String tier, String sideEffect, Autonomy expected) {
    RequestPermissionRequest.Builder asked = asked("git");
    asked.getActionBuilder().setSideEffect(sideEffect);

    assertThat(Autonomy.of(persona(tier), asked.build())).isEqualTo(expected);
  }

  @Test
  void toolsAndCapabilitiesComeBeforeTheTier() {
    for (String tier : List.of("SHADOW", "SUGGEST", "ACT_WITH_APPROVAL", "ACT_AUTO")) {
      Persona tools = persona(tier).toBuilder().addTools("git").addTools("make").build();
      Persona kinds = persona(tier).toBuilder().addCapabilities("edit").build();

      assertThat(Autonomy.of(tools, asked("shell").build())).isEqualTo(Autonomy.DENY_TOOL);
      assertThat(Autonomy.of(tools, asked("").build()))
          .as("an action that names no tool")
          .isEqualTo(Autonomy.DENY_TOOL);
      assertThat(Autonomy.of(tools, asked("make").build())).isNotEqualTo(Autonomy.DENY_TOOL);
      assertThat(Autonomy.of(kinds, asked("git").build())).isEqualTo(Autonomy.DENY_CAPABILITY);
    }
  }

  @Test
  void whoWantsPeopleGetsPeopleOnlyWhereTheTierLetsAnythingBeDone() {
    RequestPermissionRequest workflow =
        asked("git").setSource(PermissionSource.PERMISSION_SOURCE_HITL).build();

    assertThat(Autonomy.of(persona("ACT_AUTO"), workflow)).isEqualTo(Autonomy.ASK);
    assertThat(Autonomy.of(persona("ACT_AUTO"), asked("git").addApprovers("ada").build()))
        .isEqualTo(Autonomy.ASK);
    assertThat(Autonomy.of(persona("ACT_AUTO"), asked("git").setApproversRequired(2).build()))
        .isEqualTo(Autonomy.ASK);
    assertThat(Autonomy.of(persona("SUGGEST"), workflow)).isEqualTo(Autonomy.PROPOSE);
    assertThat(Autonomy.of(persona("SHADOW"), workflow)).isEqualTo(Autonomy.SHADOW);
  }

  private static Persona persona(String tier) {
    return Persona.newBuilder()
        .setAutonomyTier(AutonomyTier.valueOf("AUTONOMY_TIER_" + tier))
        .build();
  }

  private static RequestPermissionRequest.Builder asked(String tool) {
    AskedAction.Builder action = AskedAction.newBuilder().setKind("tool_call");
    if (!tool.isEmpty()) {
      action.setTool(tool);
    }
    return RequestPermissionRequest.newBuilder()
        .setSource(PermissionSource.PERMISSION_SOURCE_ACP)
        .setAction(action);
  }
}
