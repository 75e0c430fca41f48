package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.task.v1.Task;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * What a handler has of its task. Every method that tells something is durable when it returns, is
 * applied once by its step key (1 to 255 characters, unique within the task, the same in every
 * run), and gives back the first run's record on a rerun, without a call.
 *
 * <p>Each method throws {@link TaskCancelled} once the task is not the handler's any more, and
 * {@link CallRefused} when the core refuses what is told. While the core can't be reached, calls
 * are repeated as long as the lease may live.
 */
public interface TaskContext {
  /** Returns the task as it was when it was leased. */
  Task task();

  /** Returns what the task was given. */
  GivenInput input();

  /**
   * Returns the number of this attempt, from 1. A run after an answered question is no new attempt.
   */
  int attempt();

  /** Tells how far the work is, under a step key made of this run's count of such calls. */
  void progress(String text);

  /** Tells how far the work is, with the part that is done, 0 to 1. */
  void progress(String text, double fraction);

  /**
   * Tells how far the work is under a key of its own, for runs that may differ in how often they
   * tell.
   */
  void progressAs(String stepKey, String text, OptionalDouble fraction);

  /** Says something to the user, as the agent. */
  Message message(String stepKey, List<Part> parts);

  /** Says a sentence to the user, as the agent. */
  default Message message(String stepKey, String text) {
    return message(stepKey, List.of(Parts.text(text)));
  }

  /** Makes an artifact of the task with its content, at most 1 MiB. */
  Artifact artifact(String stepKey, ArtifactKind kind, String mimeType, byte[] content);

  /**
   * Tells an event whose kind begins with `agent.`, `tool.`, `span.` or `vendor.`; the payload is a
   * JSON object.
   */
  void event(String stepKey, String kind, JsonNode payload);

  /**
   * Returns a value that can't be computed again (a model's answer, a clock, a host's fact): the
   * first run computes and records it, later ones get the record. Keys by custom: `llm:main:1`,
   * `mcp:server:call`, `time:label`, `host:cap:call`.
   *
   * @throws Exception what `compute` throws; nothing is recorded then
   */
  JsonNode step(String stepKey, Callable<JsonNode> compute) throws Exception;

  /**
   * Returns a value as {@link #step(String, Callable)} does, bound to a Java type by Jackson. The
   * first run, too, gets it as it was recorded.
   *
   * @throws Exception what `compute` throws; nothing is recorded then
   */
  <T> T step(String stepKey, Class<T> type, Callable<T> compute) throws Exception;

  /** Returns whether an earlier run has left this step. */
  boolean recorded(String stepKey);

  /**
   * Asks the user and returns the answer. Where it is not there yet, the task waits as
   * INPUT_REQUIRED, and this throws {@link TaskSuspended}: the handler ends, and runs again once
   * there is an answer.
   */
  default Message requestInput(String stepKey, String prompt) {
    return requestInput(stepKey, Question.of(prompt));
  }

  /**
   * Asks the user as above; where the question says so, the handler's thread stays for the answer
   * without a slot.
   */
  Message requestInput(String stepKey, Question question);

  /**
   * Asks whether an action may be done. Where that is not decided, the task waits as AUTH_REQUIRED,
   * and this throws {@link TaskSuspended}: the handler ends, and runs again once it is decided.
   *
   * <p>An approval is for this one action and is used up by the run that it is answered to: a later
   * run that asks again makes people be asked again, since nobody knows whether the action was
   * done. So do the action at once, and both within {@link #step}, whose record keeps later runs
   * from asking. A denial, or that nobody decided in time, is answered to every later run.
   */
  Decision requestPermission(String stepKey, Permission permission);

  /**
   * Asks the client that watches the task to run a tool of its own, and returns what came of it.
   * Where that is not there yet, the task waits as INPUT_REQUIRED, or as AUTH_REQUIRED while people
   * decide whether the tool may be run, and this throws {@link TaskSuspended}: the handler ends,
   * and runs again then. A result is answered to every later run.
   *
   * <p>It is an action of the kind `host_tool`: the persona, standing grants and people decide it
   * as they decide {@link #requestPermission}, so there is no need to ask for that before.
   */
  HostResult hostTool(String stepKey, HostTool tool);

  /**
   * Tells what the task has used since the call before, for the quotas that bind it. Where a hard
   * quota is used up by it, the task ends as failed, and the next call throws {@link
   * TaskCancelled}.
   */
  void usage(String stepKey, Usage usage);

  /**
   * Returns a secret of the first of the session's vaults that has one of this name. Each use is
   * recorded by name. The value is for the call that needs it: it belongs into no log, message,
   * artifact, event or step, and a later run asks again.
   *
   * @throws CallRefused `resource_not_found` where no vault of the session has it,
   *     `policy_violation` where it is not given out
   */
  default String secret(String name) {
    return secret("", name);
  }

  /** Returns a secret of a vault that the session names, as above. */
  String secret(String vaultId, String name);

  /**
   * Returns the content of an artifact that the worker's credentials may read; `payload_too_large`
   * beyond `maxBytes`, `resource_not_found` where it is absent or has no content.
   */
  byte[] download(String artifactId, int maxBytes);

  /** Returns whether the handler must stop. */
  boolean cancelled();

  /** Throws {@link TaskCancelled} where the handler must stop. */
  void throwIfCancelled();

  /** Waits, and throws {@link TaskCancelled} as soon as the handler must stop. */
  void pause(Duration time);
}
