package dev.bridle.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left when a host is killed. */
@Timeout(180)
final class HostKillIT {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"HIDDEN_FOLDER", "NAMESPACES", "MARKED"})
  void aHostThatIsKilledLeavesNoProcess(IsolationTier tier) throws Exception {
    Process host =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                HostMain.class.getName(),
                tier.name(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String mark =
        new BufferedReader(new InputStreamReader(host.getInputStream(), StandardCharsets.UTF_8))
            .readLine();
    boolean possible = mark == null || !mark.startsWith("Skipped");
    if (!possible) {
      host.destroyForcibly();
      System.out.println(mark);
    }
    assumeTrue(possible, mark);
    assertThat(mark).startsWith("agent-");
    await()
        .untilAsserted(
            () ->
                assertThat(Agents.withText(mark))
                    .anyMatch(line -> line.startsWith("sleep\000301")));

    host.destroyForcibly().waitFor();

    await().untilAsserted(() -> assertThat(Agents.withText(mark)).isEmpty());
  }

  @Test
  void whatAHostLeftIsSweptByTheNext() throws Exception {
    String mark = UUID.randomUUID().toString();
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    HostMark living = HostMark.create();
    HostMark orphan = new HostMark(living.space(), dead.pid(), 1, mark);
    HostMark elsewhere = new HostMark("1", dead.pid(), 1, mark);
    try (Sleeper left = new Sleeper(orphan.text());
        Sleeper nested = new Sleeper(elsewhere.text());
        Sleeper held = new Sleeper(living.text())) {
      assertThat(MarkedProcesses.sweepOrphans()).isPositive();

      left.process.waitFor();
      assertThat(held.process.isAlive()).isTrue();
      assertThat(nested.process.isAlive()).isTrue();
    }
  }

  /** The number of a process that died may belong to another one by now. */
  @Test
  void aHostIsKnownByItsStartTimeToo() {
    HostMark own = HostMark.create();

    assertThat(own.started()).isPositive();
    assertThat(own.orphaned()).isFalse();
    assertThat(new HostMark(own.space(), own.host(), own.started() - 1, "x").orphaned()).isTrue();
    assertThat(HostMark.parse(own.text())).contains(own);
  }

  @Test
  void aVariableThatIsNoMarkIsNone() {
    for (String text : List.of("", "1/2/3", "1/a/b/c", "1/2/3/4/5")) {
      assertThat(HostMark.parse(text)).isEmpty();
    }
  }

  private static final class Sleeper implements AutoCloseable {
    private final Process process;

    Sleeper(String mark) throws Exception {
      ProcessBuilder builder = new ProcessBuilder("sleep", "300");
      builder.environment().putAll(Map.of(HostMark.VARIABLE, mark));
      process = builder.start();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
