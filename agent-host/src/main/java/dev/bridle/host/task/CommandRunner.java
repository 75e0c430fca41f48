package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.bridge.ToolFailure;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentEnvironment;
import dev.bridle.host.process.AgentExit;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.worker.SideEffect;
import dev.bridle.worker.v1.CallStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Runs commands for an agent, in the same isolation and with the same variables as the agent. */
final class CommandRunner {
  private static final int MOST_OUTPUT = 64 << 10;
  private static final int USUAL_SECONDS = 120;
  private static final int MOST_SECONDS = 600;

  private final AgentLauncher launcher;
  private final AgentEnvironment environment;
  private final ScheduledExecutorService timer;

  CommandRunner(
      AgentLauncher launcher, AgentEnvironment environment, ScheduledExecutorService timer) {
    this.launcher = launcher;
    this.environment = environment;
    this.timer = timer;
  }

  /**
   * How a command went.
   *
   * @param output what it wrote to both outputs, the end of it where it is long
   * @param isCut whether its beginning is left out
   * @param ended why it was ended: {@code timed_out} or {@code cancelled}; empty if it ended itself
   */
  record Result(int exitCode, String output, boolean isCut, Optional<String> ended) {
    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      ended.ifPresentOrElse(why -> json.put(why, true), () -> json.put("exit_code", exitCode));
      return json.put("output", output).put("truncated", isCut);
    }

    SideEffect effect(String command) {
      return ended.isPresent()
          ? SideEffect.command(command, CallStatus.CALL_STATUS_FAILED)
          : SideEffect.command(command, exitCode);
    }
  }

  static Duration time(JsonNode arguments) throws ToolFailure {
    return Duration.ofSeconds(
        ToolSchema.number(arguments, "timeout_seconds", USUAL_SECONDS, MOST_SECONDS));
  }

  /**
   * Runs a command to its end, or to that of its time; interrupted or where its call is cancelled,
   * it ends with what it began.
   */
  Result run(HostCall call, String command, Path folder, Duration time)
      throws IOException, InterruptedException {
    AgentProcess process =
        launcher.start(
            new AgentCommand(
                "command",
                List.of("sh", "-c", "exec 2>&1 </dev/null\n" + command),
                folder,
                environment,
                OptionalLong.empty()));
    ScheduledFuture<?> late =
        timer.schedule(
            () -> {
              var unused = process.kill(ExitReason.KILLED, "Its time was up");
            },
            time.toMillis(),
            TimeUnit.MILLISECONDS);
    call.begin(
        () -> {
          var unused = process.kill(ExitReason.KILLED, "Its call was cancelled");
        });
    try {
      byte[] kept = new byte[0];
      boolean cut = false;
      byte[] chunk = new byte[MOST_OUTPUT];
      InputStream output = process.output();
      for (int read = output.read(chunk); read >= 0; read = output.read(chunk)) {
        byte[] longer = Arrays.copyOf(kept, kept.length + read);
        System.arraycopy(chunk, 0, longer, kept.length, read);
        cut |= longer.length > MOST_OUTPUT;
        kept = Arrays.copyOfRange(longer, Math.max(0, longer.length - MOST_OUTPUT), longer.length);
      }
      AgentExit exit = process.exited().get();
      return new Result(
          exit.code(),
          new String(kept, StandardCharsets.UTF_8),
          cut,
          exit.reason() == ExitReason.KILLED
              ? Optional.of(call.isCancelled() ? "cancelled" : "timed_out")
              : Optional.empty());
    } catch (ExecutionException e) {
      throw new IllegalStateException("A process ended in no known way", e);
    } finally {
      call.end();
      late.cancel(false);
      var unused = process.kill(ExitReason.KILLED, "The task has ended");
    }
  }
}
