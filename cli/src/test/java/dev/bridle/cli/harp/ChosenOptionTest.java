package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** For which of an agent's options a decision is signed. */
final class ChosenOptionTest {
  private static void need(String named, Answer answer, String... offered) {
    ObjectNode payload = JsonLines.object();
    ArrayNode options = payload.putArray("options");
    for (String option : offered) {
      String[] parts = option.split(":", 2);
      options.addObject().put("id", parts[0]).put("kind", parts[1]);
    }
    ChosenOption.need(artifact(payload), Optional.of(named).filter(id -> !id.isEmpty()), answer);
  }

  private static Artifact artifact(ObjectNode payload) {
    Instant now = Instant.parse("2026-11-25T10:00:00Z");
    try {
      return Artifact.create(
          new Artifact.About(
              "r1", "command.review", "repo:a", now, now.plusSeconds(60), Optional.empty()),
          payload);
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whereSeveralAllowOnceOneThatMeansAlwaysIsNeitherListedNorSigned() {
    String[] offered = {"staging:allow_once", "live:allow_once", "always:allow_always"};

    assertThatCode(() -> need("live", Answer.ALLOW, offered)).doesNotThrowAnyException();
    assertThatThrownBy(() -> need("always", Answer.ALLOW, offered))
        .isInstanceOf(CommandFailed.class)
        .hasMessage(
            "The artifact shows no option 'always' that can be named to approve: it shows staging,"
                + " live.");
    assertThatThrownBy(() -> need("", Answer.ALLOW, offered))
        .isInstanceOf(CommandFailed.class)
        .hasMessageEndingWith("choose one with --option, of staging, live.");
  }

  @Test
  void whereOneAllowsOnceNoneHasToBeNamedAndAlwaysCountsAsOnce() {
    String[] offered = {"once:allow_once", "always:allow_always", "no:reject_once"};

    assertThatCode(() -> need("", Answer.ALLOW, offered)).doesNotThrowAnyException();
    assertThatCode(() -> need("always", Answer.ALLOW, offered)).doesNotThrowAnyException();
    assertThatCode(() -> need("no", Answer.DENY, offered)).doesNotThrowAnyException();
    assertThatThrownBy(() -> need("no", Answer.ALLOW, offered)).isInstanceOf(CommandFailed.class);
  }

  @Test
  void whereNoneAllowsThatIsSaid() {
    assertThatThrownBy(() -> need("", Answer.ALLOW, "no:reject_once"))
        .hasMessage("The agent offers no option that allows it.");
  }

  @Test
  void aDecisionAboutAnArtifactWithoutOptionsNamesNone() {
    assertThatCode(() -> need("", Answer.ALLOW)).doesNotThrowAnyException();
    assertThatThrownBy(() -> need("once", Answer.ALLOW))
        .hasMessage("The artifact shows no option 'once' that can be named to approve.");
  }
}
