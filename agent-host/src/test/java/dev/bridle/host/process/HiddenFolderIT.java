package dev.bridle.host.process;

import static dev.bridle.host.process.ExitReason.KILLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent can try to read what is hidden from it. */
@Timeout(180)
final class HiddenFolderIT {
  private static final String KEY = "planted-key-5b1f";

  @TempDir Path folder;

  private String said(Agents agents, String script) throws Exception {
    AgentProcess process = agents.start("exec 2>&1; cd /; " + script);
    Runnable kill = () -> Objects.requireNonNull(process.kill(KILLED, "late"));
    var late = agents.timer().schedule(kill, 60, TimeUnit.SECONDS);
    process.input().close();
    String output = new String(process.output().readAllBytes(), StandardCharsets.UTF_8);
    process.exited().get(60, TimeUnit.SECONDS);
    late.cancel(false);
    return output;
  }

  private Agents agents() throws Exception {
    Path hidden = Files.createDirectories(folder.resolve("hidden"));
    Files.writeString(hidden.resolve("key"), KEY);
    return new Agents(IsolationTier.HIDDEN_FOLDER, folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat HIDDEN/key",
        "ls -la HIDDEN; find HIDDEN -type f -exec cat {} +",
        "umount HIDDEN; cat HIDDEN/key",
        "umount -l HIDDEN; cat HIDDEN/key",
        "chmod 700 HIDDEN; cat HIDDEN/key",
        "mv HIDDEN PARENT/other; cat PARENT/other/key HIDDEN/key",
        "mv PARENT PARENT-moved; cat PARENT-moved/hidden/key; mv PARENT-moved PARENT",
        "unshare --user --map-root-user --mount sh -c 'umount HIDDEN; cat HIDDEN/key'",
        "unshare --user --map-root-user --mount sh -c 'umount -l HIDDEN; cat HIDDEN/key'",
        "unshare --user --map-root-user --mount sh -c"
            + " 'mkdir PARENT/b; mount --bind PARENT PARENT/b; cat PARENT/b/hidden/key'",
        "unshare --user --map-root-user --mount sh -c"
            + " 'mkdir PARENT/b; mount --rbind PARENT PARENT/b; umount PARENT/b/hidden;"
            + " cat PARENT/b/hidden/key'",
        "unshare --user --map-root-user --pid --fork --mount-proc sh -c 'cat /proc/*/root/HIDDEN/key'",
        "nsenter --target 1 --mount cat HIDDEN/key",
        "cat /proc/*/root/HIDDEN/key /proc/*/cwd/hidden/key",
        "ls -l /proc/[0-9]*/fd; cat /proc/[0-9]*/environ",
      })
  void itStaysHidden(String attempt) throws Exception {
    try (Agents agents = agents()) {
      Path real = folder.toRealPath();
      String script =
          attempt
              .replace("HIDDEN", real.resolve("hidden").toString())
              .replace("PARENT", real.toString());

      assertThat(said(agents, script)).doesNotContain(KEY);
      assertThat(Files.readString(folder.resolve("hidden/key"))).isEqualTo(KEY);
    }
  }

  /** Whoever reaches the socket of a terminal multiplexer types outside of the isolation. */
  @Test
  void theSocketsOfTheUsersTerminalsAreHidden() throws Exception {
    Path sockets = Path.of("/tmp/tmux-" + Files.getAttribute(folder, "unix:uid"));
    boolean made = !Files.exists(sockets);
    if (made) {
      Files.createDirectory(sockets);
    }
    Path planted = sockets.resolve("bridle-test-" + UUID.randomUUID());
    try (Agents agents = agents()) {
      Files.writeString(planted, KEY);

      assertThat(said(agents, "ls -la " + sockets + "; cat " + planted)).doesNotContain(KEY);
      assertThat(said(agents, "umount -l " + sockets + "; cat " + planted)).doesNotContain(KEY);
      assertThat(Files.readString(planted)).isEqualTo(KEY);
    } finally {
      Files.deleteIfExists(planted);
      if (made) {
        Files.deleteIfExists(sockets);
      }
    }
  }

  /** A parent of what is hidden may be renamed, and another folder put in its place. */
  @Test
  void noAgentStartsOnceAnotherFolderHasThePlaceOfTheHiddenOne() throws Exception {
    try (Agents agents = agents()) {
      Path hidden = folder.toRealPath().resolve("hidden");
      Path moved = folder.toRealPath().resolve("moved");
      assertThat(said(agents, "mv " + hidden + " " + moved + "; cat " + moved + "/key"))
          .doesNotContain(KEY);
      Files.move(hidden, moved);
      Files.createDirectory(hidden);

      assertThat(said(agents, "cat " + moved + "/key; echo started"))
          .doesNotContain(KEY, "started");

      Files.delete(hidden);
      Files.move(moved, hidden);
      assertThat(said(agents, "cat " + hidden + "/key; echo started"))
          .doesNotContain(KEY)
          .contains("started");
    }
  }

  @Test
  void otherFilesAreTheUsersAsEver() throws Exception {
    try (Agents agents = agents()) {
      Path file = folder.toRealPath().resolve("project.txt");
      Files.writeString(file, "before");

      assertThat(said(agents, "cat " + file + "; echo after > " + file + "; id -u"))
          .isEqualTo("before" + Files.getAttribute(folder, "unix:uid") + "\n");
      assertThat(Files.readString(file)).isEqualTo("after\n");
      assertThat(Files.getOwner(file)).isEqualTo(Files.getOwner(folder));
    }
  }

  @Test
  void itSeesItsOwnProcessesAlone() throws Exception {
    try (Agents agents = agents()) {
      assertThat(
              said(agents, "kill -KILL " + ProcessHandle.current().pid() + "; ls -d /proc/[0-9]*"))
          .doesNotContain("/proc/" + ProcessHandle.current().pid() + "\n");
    }
  }

  @Test
  void noAgentRunsInIt() throws Exception {
    try (Agents agents = agents()) {
      AgentCommand command = agents.script("true");
      AgentCommand inside =
          new AgentCommand(
              "inside",
              List.of("true"),
              folder.resolve("hidden"),
              command.environment(),
              OptionalLong.empty());

      assertThatThrownBy(() -> agents.launcher.start(inside))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is hidden from agents");
    }
  }
}
