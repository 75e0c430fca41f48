package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which tier is in force, and why no better one. */
@Timeout(180)
final class IsolationProbeIT {
  private final Spawner spawner = new Spawner();

  @TempDir Path folder;

  private Isolation find(Optional<Path> hidden) throws InterruptedException {
    return new IsolationProbe(spawner, IsolationProbe.identity()).find(hidden, List.of());
  }

  @Test
  void aFolderThatCannotBeHiddenIsNotCalledHidden() throws Exception {
    Isolation isolation = find(Optional.of(Path.of("/no/such/folder")));

    assertThat(isolation.tier().hidesFiles()).isFalse();
    assertThat(isolation.hidden()).isEmpty();
    assertThat(isolation.reasons()).anyMatch(reason -> reason.startsWith("HIDDEN_FOLDER: "));
  }

  @Test
  void theBestTierHasNoReasons() throws Exception {
    Isolation isolation = find(Optional.of(folder.toRealPath()));

    System.out.println("This machine has tier " + isolation.tier() + " " + isolation.reasons());
    assertThat(isolation.reasons().isEmpty()).isEqualTo(isolation.tier().hidesFiles());
  }

  @Test
  void aFolderThatDoesNotExistIsAnErrorForTheLauncher() {
    var timer = Executors.newSingleThreadScheduledExecutor();
    try {
      assertThatThrownBy(
              () -> AgentLauncher.create(spawner, Optional.of(folder.resolve("none")), timer))
          .isInstanceOf(IOException.class);
    } finally {
      timer.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTierSaysThatItIsNoSandbox(IsolationTier tier) {
    assertThat(tier.promise()).isNotBlank();
    assertThat(tier.limits()).contains("This is no sandbox");
    assertThat(tier.limits().contains("approve its own actions")).isNotEqualTo(tier.hidesFiles());
  }

  @Test
  void aTierThatHidesNeedsAFolder() {
    assertThatThrownBy(
            () -> new Isolation(IsolationTier.HIDDEN_FOLDER, Optional.empty(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyTheTierOfAProfileDeniesPorts() {
    Optional<Path> hidden = Optional.of(folder);
    List<Integer> ports = List.of(8080);

    assertThat(new Isolation(IsolationTier.DENIED_FOLDER, hidden, List.of(), ports).deniedPorts())
        .isEqualTo(ports);
    assertThatThrownBy(() -> new Isolation(IsolationTier.HIDDEN_FOLDER, hidden, List.of(), ports))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void descendantsEndWithTheirAgentWithoutAnyHelpOfTheSystem() throws Exception {
    try (Agents agents = new Agents(IsolationTier.DESCENDANTS, folder)) {
      AgentProcess process = agents.start("trap '' TERM; sleep 300 & echo ready; wait");
      assertThat(process.output().read()).isEqualTo('r');

      AgentExit exit = process.stop(AgentProcessIT.SHORT).get(60, TimeUnit.SECONDS);
      assertThat(exit.left()).isZero();
      assertThat(agents.left()).isEmpty();
    }
  }
}
