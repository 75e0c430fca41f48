package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.task.v1.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * The context of a handler's task. Whatever a method records is applied once by its step key (1 to
 * 255 characters, unique within the task, the same in every run), in the order of the calls; on a
 * rerun, the first run's record is returned without a call.
 *
 * <p>A method that returns a result has stored what it records durably when it returns. Progress,
 * events and usage are only accepted then: they wait in a bounded buffer and become durable with
 * the next call of the core for a result, with the end of the handler, with {@link #flush}, or
 * after {@link WorkerBuilder#reportDelay}, whichever is first. Accepted reports are lost if the
 * process crashes or the lease is lost; the next run reports them again.
 *
 * <p>Each method throws {@link TaskCancelled} when the handler must stop, and {@link CallRefused}
 * if the core rejects the call. The rejection of an accepted report is thrown by a later call, with
 * its {@link CallRefused#stepKey}, and that call is not made; if the handler has returned its
 * result by then, the task fails with `handler_error` instead, since another attempt would skip a
 * recorded step and the reports inside it; it is attempted again if the core neither applied nor
 * rejected the report. While the core can't be reached, calls are retried as long as the lease may
 * be valid.
 */
public interface TaskContext {
  /** Returns the task as it was when it was leased. */
  Task task();

  /** Returns the input of the task. */
  GivenInput input();

  /**
   * Returns the number of this attempt, from 1. A run after an answered question is not a new
   * attempt.
   */
  int attempt();

  /**
   * Returns the id of the trace that the task belongs to (W3C Trace Context), for what the handler
   * calls: 32 lower-case hexadecimal digits. Empty for tasks from before traces were kept.
   */
  String traceId();

  /**
   * Returns the absolute path of the folder on this machine that the task's workspace is; empty for
   * a workspace of another kind.
   */
  Optional<String> folder();

  /**
   * Reports progress without waiting, with a step key derived from the number of such calls in this
   * run.
   */
  void progress(String text);

  /** Reports progress with a completed fraction, 0 to 1, without waiting. */
  void progress(String text, double fraction);

  /**
   * Reports progress with an explicit step key, without waiting; for runs that may differ in the
   * number of reports.
   */
  void progressAs(String stepKey, String text, OptionalDouble fraction);

  /** Sends a message to the user, as the agent. */
  Message message(String stepKey, List<Part> parts);

  /** Sends a text message to the user, as the agent. */
  default Message message(String stepKey, String text) {
    return message(stepKey, List.of(Parts.text(text)));
  }

  /** Creates a public artifact of the task with its content, at most 1 MiB. */
  default Artifact artifact(String stepKey, ArtifactKind kind, String mimeType, byte[] content) {
    return artifact(stepKey, kind, mimeType, content, Visibility.VISIBILITY_PUBLIC);
  }

  /** Creates an artifact as above, with a statement of who may see it. */
  Artifact artifact(
      String stepKey, ArtifactKind kind, String mimeType, byte[] content, Visibility visibility);

  /**
   * Appends an event whose kind begins with `agent.`, `tool.`, `span.` or `vendor.`, without
   * waiting; the payload is a JSON object. Its time is that at which it becomes durable.
   */
  default void event(String stepKey, String kind, JsonNode payload) {
    event(stepKey, kind, payload, Visibility.VISIBILITY_PUBLIC);
  }

  /**
   * Appends an event as above. If its payload is not public, the event has size and commitment
   * only.
   */
  void event(String stepKey, String kind, JsonNode payload, Visibility visibility);

  /**
   * Returns a value that is not deterministic (a model's answer, the time, a fact about the host):
   * the first run computes and records it, later runs return the record. Conventional keys:
   * `llm:main:1`, `mcp:server:call`, `time:label`, `host:cap:call`; what comes before the first
   * colon is recorded as the value's kind. What the computing thread reports within `compute` names
   * this step as its parent.
   *
   * @throws Exception what `compute` throws; no value is recorded then, only an event
   *     `vendor.worker_sdk.step_failed` with the exception's type
   */
  JsonNode step(String stepKey, Callable<JsonNode> compute) throws Exception;

  /**
   * Returns a value as {@link #step(String, Callable)} does, and records the hash of what it
   * depends on: a replay that would compute it from something else is a divergence.
   *
   * @param inputHash `sha256:` and 64 lower-case hexadecimal digits, such as of the request to a
   *     model
   * @throws Exception what `compute` throws; no value is recorded then, only an event
   *     `vendor.worker_sdk.step_failed` with the exception's type
   */
  JsonNode step(String stepKey, String inputHash, Callable<JsonNode> compute) throws Exception;

  /**
   * Returns a value as {@link #step(String, Callable)} does, bound to a Java type by Jackson. The
   * first run also returns the recorded form.
   *
   * @throws Exception what `compute` throws; no value is recorded then, only an event
   *     `vendor.worker_sdk.step_failed` with the exception's type
   */
  <T> T step(String stepKey, Class<T> type, Callable<T> compute) throws Exception;

  /**
   * Returns the time, which the first run reads from the clock and records under `time:` and the
   * label.
   *
   * @param label distinguishes it from the task's other times, the same in every run
   */
  default Instant now(String label) {
    return Instant.parse(
        Deterministic.recorded(
                this, "time:" + label, () -> TextNode.valueOf(Instant.now().toString()))
            .textValue());
  }

  /**
   * Returns a source of random numbers that are the same in every run of the task, and other ones
   * for other tasks and labels. Whoever knows the task's id can compute them: not for keys.
   *
   * @param label distinguishes it from the task's other sources
   */
  default Random random(String label) {
    return Deterministic.random(task().getId(), label);
  }

  /**
   * Returns an id (a UUID of version 8) that is the same in every run of the task, and unique to
   * task and label. It is no secret.
   *
   * @param label distinguishes it from the task's other ids
   */
  default String newId(String label) {
    return Deterministic.id(task().getId(), label);
  }

  /**
   * Records how far the handler has come, under `checkpoint:` and the key, and returns the state
   * that the first run recorded there. A replay may begin at a checkpoint.
   *
   * @param key the name, the same in every run, and unique within the task
   * @param state all that what comes later depends on, without secrets
   */
  default JsonNode checkpoint(String key, JsonNode state) {
    return Deterministic.recorded(this, "checkpoint:" + key, () -> state);
  }

  /**
   * Returns what was said in the task's session before the task: the newest messages, oldest first.
   * For an agent that does not remember it. Parts that are not public are redacted.
   *
   * @param limit how many at most, from 1 to 200; very long ones are fewer
   */
  List<SaidMessage> transcript(int limit);

  /**
   * Returns what this agent has kept about the task's session, in this or an earlier task of it;
   * empty if nothing is kept.
   */
  Optional<byte[]> sessionState();

  /**
   * Keeps something about the task's session for this agent's next tasks of it, such as where an
   * agent's own session continues: at most 16 KiB, without secrets. It replaces what was kept, and
   * is durable when this returns.
   */
  void keepSessionState(byte[] state);

  /** Returns whether an earlier run has recorded this step. */
  boolean recorded(String stepKey);

  /**
   * Holds the recorded values of a task that this replay goes back to against what was committed to
   * when they were recorded. Returns the first that is wrong; empty if none is, and where there are
   * no values but those of a file.
   *
   * @param sourceTaskId the task: the origin, or one of the session that is replayed
   */
  Optional<WrongValue> wrongValue(String sourceTaskId);

  /**
   * Asks the user and returns the answer. If there is no answer yet, the task waits as
   * INPUT_REQUIRED, and this throws {@link TaskSuspended}: the handler ends, and runs again when
   * there is an answer.
   */
  default Message requestInput(String stepKey, String prompt) {
    return requestInput(stepKey, Question.of(prompt));
  }

  /**
   * Asks the user as above; if the question has a hold time, the handler's thread waits for the
   * answer without using a slot.
   *
   * @throws QuestionWithdrawn if the question was withdrawn
   */
  Message requestInput(String stepKey, Question question);

  /**
   * Requests permission for an action. If there is no decision yet, the task waits as
   * AUTH_REQUIRED, and this throws {@link TaskSuspended}: the handler ends, and runs again when
   * there is a decision.
   *
   * <p>An approval is for this one action and is consumed by the run that receives it: a later run
   * that asks again creates a new request, since it is unknown whether the action was done. So
   * perform the action at once, and do both within {@link #step}, whose record prevents later runs
   * from asking. A denial or an expiry is returned to every later run.
   */
  Decision requestPermission(String stepKey, Permission permission);

  /**
   * Withdraws a question or a permission request that another thread of the handler waits for: that
   * thread gets {@link QuestionWithdrawn}, or a decision {@link Decision.Verdict#EXPIRED}. May be
   * called by any thread.
   *
   * @return whether the task waited for it, and does not wait any more; false if it is decided, or
   *     was not asked yet
   */
  boolean withdraw(String stepKey);

  /**
   * Says that the action of a permission request is another one by now, since the agent says more
   * of it; another request, which {@linkplain Permission#replacing names} this one, takes its
   * place. An open request ends, and the thread that waits for it gets {@link
   * Decision.Verdict#EXPIRED}; what was allowed counts for nothing any more; a denial stands. May
   * be called by any thread.
   *
   * @return what has become of it
   */
  ChangedQuestion change(String stepKey);

  /**
   * Records that the agent has acted otherwise than was allowed, before the handler ends the task
   * because of that. The standing grants by which it was allowed are revoked, and the task's
   * receipt is going to say so. Applied once by its step key.
   *
   * @param questionStepKey the key under which the action was allowed
   * @param title one line about the action, for users; at most 1,024 characters
   * @param difference what differs, at most 64 KiB: by the name of the member, {@code allowed} and
   *     {@code acted}
   */
  default void diverge(
      String stepKey, String questionStepKey, String title, ObjectNode difference) {
    boolean unused = divergeByName(stepKey, questionStepKey, title, difference, "");
  }

  /**
   * Does the same where nothing differs but the name of the tool, which the agent has first said
   * after the answer: that is another action only if an approval rule names the tool.
   *
   * @return whether it is one, which is recorded then
   */
  boolean divergeByName(
      String stepKey, String questionStepKey, String title, ObjectNode difference, String toolName);

  /**
   * Requests the client that watches the task to run one of its tools, and returns the result. If
   * there is no result yet, the task waits as INPUT_REQUIRED, or as AUTH_REQUIRED while the
   * permission is undecided, and this throws {@link TaskSuspended}: the handler ends, and runs
   * again when the result is available. A result is returned to every later run.
   *
   * <p>It is an action of the kind `host_tool`: the persona, standing grants and people decide it
   * as for {@link #requestPermission}, so no separate permission request is needed.
   */
  HostResult hostTool(String stepKey, HostTool tool);

  /**
   * Reports the usage of the task since the previous call, for its quotas, without waiting. If a
   * hard quota is exhausted, the task fails once this is durable; calls after that throw {@link
   * TaskCancelled}.
   */
  void usage(String stepKey, Usage usage);

  /**
   * Reports a call of a model, without waiting: its usage counts to quotas as that of {@link
   * #usage} does, so report a call only once.
   */
  void modelCall(String stepKey, ModelCall call);

  /**
   * Reports what the handler has changed or contacted outside of Bridle, without waiting. It asks
   * for no permission and counts to no quota.
   */
  void sideEffect(String stepKey, SideEffect effect);

  /** Returns once all progress, events and usage that were reported before are durable. */
  void flush();

  /**
   * Returns the secret with this name from the first of the session's vaults that has it. Each use
   * is recorded by name. Use the value only for the call that needs it: do not put it into logs,
   * messages, artifacts, events or steps; a later run requests it again.
   *
   * @throws CallRefused `resource_not_found` if no vault of the session has it, `policy_violation`
   *     if a policy denies it
   */
  default String secret(String name) {
    return secret("", name);
  }

  /** Returns a secret of one of the session's vaults, as above. */
  String secret(String vaultId, String name);

  /**
   * Returns the content of an artifact that the worker's credentials may read. Content that is not
   * public is read only if it belongs to this task, or to its session or workspace and no other
   * task. Throws {@link CallRefused} with `payload_too_large` beyond `maxBytes`, with
   * `resource_not_found` if it is absent or has no content, or with `permission_denied`.
   */
  byte[] download(String artifactId, int maxBytes);

  /**
   * Sets what is called when a message of the user may wait, at once if one may wait already. It is
   * called by threads of the worker and must neither block nor call the context: a thread that it
   * wakes calls {@link #nextMessage()}. Only the last listener is called.
   */
  void onMessage(Runnable listener);

  /**
   * Takes the next message that the user sent to this task while it worked; empty if none waits.
   * Never waits for one, and calls the core only if there may be one. May be called by any thread,
   * also while the handler is parked ({@link WorkerBuilder#worksWhileParked}).
   *
   * <p>A message is delivered once: the core keeps it until a run has taken it, across crashes and
   * lost leases. A later run gets it from {@link #takenMessages()}, since it is unknown what the
   * earlier one did with it. Needs {@link WorkerBuilder#takesMessages()}.
   */
  Optional<SentMessage> nextMessage();

  /** Returns the messages that earlier runs have taken, oldest first, the newest 16 at most. */
  List<SentMessage> takenMessages();

  /**
   * Completes the task before the handler returns, unless a message of the user waits that {@link
   * #nextMessage()} has not returned. Returns whether the task has ended: if so, the handler
   * returns this result and calls nothing more; if not, it takes the message and goes on. A handler
   * that only returns its result ends the task whatever waits.
   */
  boolean complete(TaskResult result);

  /** Returns whether the handler must stop. */
  boolean cancelled();

  /** Throws {@link TaskCancelled} if the handler must stop; reveals no rejected reports. */
  void throwIfCancelled();

  /** Waits, and throws {@link TaskCancelled} as soon as the handler must stop. */
  void pause(Duration time);
}
