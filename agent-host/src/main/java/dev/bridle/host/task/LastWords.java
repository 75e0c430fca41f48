package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.process.AgentExit;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.rpc.JsonRpcPeer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What is known of an agent that has ended or is of no use any more: how it ended, and what it
 * wrote that was no message, without secrets.
 *
 * @param exit how its process ended by itself; empty if it lives, or was ended
 * @param errors the end of what it wrote to stderr
 * @param noiseLines how many lines it wrote to stdout that were no messages
 * @param noise the end of these
 */
record LastWords(Optional<AgentExit> exit, String errors, long noiseLines, String noise) {
  /** Whose output has ended has mostly ended itself, a moment later. */
  private static final Duration END = Duration.ofSeconds(2);

  private static final int SIGNALS = 128;
  private static final int MOST_ERRORS = 16 << 10;
  private static final int MOST_NOISE = 2000;

  /** How much of stderr the message of a failure has. */
  private static final int MOST_IN_MESSAGE = 6000;

  /** Returns the last words of an agent; waits for a moment for its end. */
  static LastWords of(AgentProcess process, JsonRpcPeer peer) {
    Optional<AgentExit> exit = Optional.empty();
    try {
      exit = Optional.of(process.exited().get(END.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      // It lives on without its output.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Whoever waits for the task is told in its next wait.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // Nothing completes it so.
    }
    return of(exit, process, peer);
  }

  /** Returns what an agent has written that lives, and is about to be ended. */
  static LastWords ofRunning(AgentProcess process, JsonRpcPeer peer) {
    return of(Optional.empty(), process, peer);
  }

  private static LastWords of(Optional<AgentExit> exit, AgentProcess process, JsonRpcPeer peer) {
    long noise = peer.figures().noiseLines() + peer.figures().longLines();
    return new LastWords(
        exit.filter(end -> end.reason() == ExitReason.EXITED),
        process.errors().strip(),
        noise,
        noise == 0 ? "" : process.withoutSecrets(peer.noise()).strip());
  }

  /** Returns a sentence with what is known, to follow the reason of a failure. */
  String sentence() {
    StringBuilder text = new StringBuilder();
    exit.ifPresent(end -> text.append("; ").append(status(end.code())));
    if (noiseLines > 0) {
      text.append("; lines that were no messages: ").append(noiseLines);
    }
    if (!errors.isEmpty()) {
      text.append("; it wrote: ").append(end(errors, MOST_IN_MESSAGE));
    }
    return text.toString();
  }

  private static String status(int code) {
    return code > SIGNALS ? "it was ended by signal " + (code - SIGNALS) : "exit code " + code;
  }

  /** Adds all that is known to an event. */
  void putInto(ObjectNode event) {
    exit.ifPresent(
        end -> {
          boolean signal = end.code() > SIGNALS;
          event.put(signal ? "signal" : "exit_code", signal ? end.code() - SIGNALS : end.code());
        });
    if (!errors.isEmpty()) {
      event.put("stderr", end(errors, MOST_ERRORS));
    }
    if (noiseLines > 0) {
      event.put("noise_lines", noiseLines).put("noise", end(noise, MOST_NOISE));
    }
  }

  private static String end(String text, int most) {
    int from = Math.max(0, text.length() - most);
    return KeptText.of(text.substring(from), most);
  }
}
