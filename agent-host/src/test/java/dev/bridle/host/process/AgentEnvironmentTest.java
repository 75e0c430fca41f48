package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an agent is told of its surroundings. */
final class AgentEnvironmentTest {
  private static final Map<String, String> WHOLE =
      Map.of(
          "PATH", "/bin",
          "LC_TIME", "C",
          "XDG_DATA_HOME", "/x",
          "XDG_RUNTIME_DIR", "/run/user/1000",
          "https_proxy", "http://p",
          "NODE_EXTRA_CA_CERTS", "/ca.pem",
          "BRIDLE_MASTER_KEY", "k1",
          "AWS_SECRET_ACCESS_KEY", "k2",
          "SSH_AUTH_SOCK", "/agent",
          "LD_PRELOAD", "/evil.so");

  @Test
  void whatIsNotAllowedIsWithheldAndCounted() {
    AgentEnvironment chosen = AgentEnvironment.choose(WHOLE, Set.of(), Map.of());

    assertThat(chosen.variables())
        .containsOnlyKeys("PATH", "LC_TIME", "XDG_DATA_HOME", "https_proxy", "NODE_EXTRA_CA_CERTS");
    assertThat(chosen.withheld()).isEqualTo(5);
  }

  @Test
  void namingIsTheWayForCredentials() {
    AgentEnvironment chosen =
        AgentEnvironment.choose(
            WHOLE, Set.of("SSH_AUTH_SOCK", "NOT_THERE"), Map.of("LD_PRELOAD", "", "PATH", "/own"));

    assertThat(chosen.variables())
        .containsEntry("SSH_AUTH_SOCK", "/agent")
        .containsEntry("PATH", "/own")
        .containsEntry("LD_PRELOAD", "")
        .doesNotContainKey("NOT_THERE");
    assertThat(chosen.withheld()).isEqualTo(3);
  }

  @Test
  void valuesAreNotShown() {
    Map<String, String> set = new HashMap<>(Map.of("OPENAI_API_KEY", "k3"));
    AgentEnvironment chosen = AgentEnvironment.choose(WHOLE, Set.of(), set);
    set.clear();

    assertThat(chosen.variables()).containsEntry("OPENAI_API_KEY", "k3");
    assertThat(chosen.toString()).contains("OPENAI_API_KEY").doesNotContain("k3");
  }

  @Test
  void aNameWithAnEqualsSignIsRefused() {
    assertThatThrownBy(() -> AgentEnvironment.choose(WHOLE, Set.of(), Map.of("A=B", "c")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
