package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.bridge.ToolFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** A call of one of the host's tools by an agent, which the agent may cancel. Thread-safe. */
final class HostCall {
  private final String tool;
  private final JsonNode arguments;
  private final CompletableFuture<JsonNode> result = new CompletableFuture<>();

  /** Ends what is under way of the call, if anything is. */
  private Optional<Runnable> end = Optional.empty();

  private boolean cancelled;

  HostCall(String tool, JsonNode arguments) {
    this.tool = tool;
    this.arguments = arguments;
  }

  String tool() {
    return tool;
  }

  JsonNode arguments() {
    return arguments;
  }

  /** Completes with what the tool gives back, or exceptionally with {@link ToolFailure}. */
  CompletableFuture<JsonNode> result() {
    return result;
  }

  /**
   * Waits for what the tool gives back.
   *
   * @param countCancelled counts the call as one that was cancelled; false if it has ended before
   * @throws ToolFailure if it gives nothing back
   * @throws InterruptedException if nobody waits any more: the call is cancelled, and counted
   */
  JsonNode await(BooleanSupplier countCancelled) throws ToolFailure, InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ToolFailure failure
          ? failure
          : ToolFailure.of("The host failed");
    } catch (InterruptedException e) {
      cancel();
      if (!countCancelled.getAsBoolean()) {
        return ended(e);
      }
      throw e;
    }
  }

  /** Returns the result that is about to be there: the answer is the one that was counted. */
  private JsonNode ended(InterruptedException cancelled) throws InterruptedException {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw cancelled; // It has failed, which is how a cancelled one counts, too.
    }
  }

  /** Ends what is under way, and lets nothing more begin. */
  void cancel() {
    Optional<Runnable> underWay;
    synchronized (this) {
      underWay = cancelled ? Optional.empty() : end;
      cancelled = true;
    }
    underWay.ifPresent(Runnable::run);
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }

  /**
   * Throws if the call is cancelled, before something of it begins.
   *
   * @throws ToolFailure if it is
   */
  synchronized void throwIfCancelled() throws ToolFailure {
    if (cancelled) {
      throw ToolFailure.of("The call was cancelled");
    }
  }

  /**
   * Says what is under way from now on.
   *
   * @param how ends it, without waiting; at once if the call is cancelled already
   */
  void begin(Runnable how) {
    boolean over;
    synchronized (this) {
      end = Optional.of(how);
      over = cancelled;
    }
    if (over) {
      how.run();
    }
  }

  /** What was under way is over. */
  synchronized void end() {
    end = Optional.empty();
  }

  /** Returns whether something of the call is under way. */
  synchronized boolean isUnderWay() {
    return end.isPresent();
  }
}
