package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.worker.v1.AskedAction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A request for permission to perform an action.
 *
 * @param action the exact action
 * @param prompt the question, for a person
 * @param source the source of the request: an agent, whose request a standing grant may answer, or
 *     a workflow that requires a person's answer
 * @param options the options to choose from, at most 16
 * @param approvers the actors who may answer, at most 16; if empty, everyone who may answer
 *     requests
 * @param required the number of required approvals
 * @param timeout the time in which the request must be answered; 24 hours if empty
 * @param hold how long the handler's thread waits for the answer, at most 10 minutes; after that,
 *     or at once if zero, the handler ends and runs again when the request is decided
 */
public record Permission(
    AskedAction action,
    String prompt,
    PermissionSource source,
    List<PermissionOption> options,
    List<String> approvers,
    int required,
    Optional<Duration> timeout,
    Duration hold) {

  /** Copies the lists. */
  public Permission {
    options = List.copyOf(options);
    approvers = List.copyOf(approvers);
  }

  /**
   * Returns a request of an agent that needs one approval.
   *
   * @param kind the kind of the action, such as `command` or `tool_call`
   * @param content the exact content, a JSON object: only this content is approved
   * @param prompt the question, for a person
   */
  public static Permission of(String kind, JsonNode content, String prompt) {
    return new Permission(
        AskedAction.newBuilder().setKind(kind).setContent(Json.bytes(content)).build(),
        prompt,
        PermissionSource.PERMISSION_SOURCE_ACP,
        List.of(),
        List.of(),
        1,
        Optional.empty(),
        Duration.ZERO);
  }

  /** Returns a copy with the tool; a reviewer may grant all actions of a tool. */
  public Permission withTool(String tool) {
    return with(action.toBuilder().setTool(tool).build());
  }

  /** Returns a copy with a one-line title of the action. */
  public Permission withTitle(String title) {
    return with(action.toBuilder().setTitle(title).build());
  }

  /**
   * Returns a copy with a side effect, such as `file_write` or `network`, or `none`. An action
   * without one is treated as having a side effect.
   */
  public Permission withSideEffect(String sideEffect) {
    return with(action.toBuilder().setSideEffect(sideEffect).build());
  }

  /**
   * Returns a copy of an edit with all files that it writes, none of which it deletes or moves: a
   * reviewer may grant edits below a folder.
   *
   * @param files absolute paths, with all links resolved; at most 64
   */
  public Permission withEditedFiles(List<String> files) {
    return with(action.toBuilder().clearEditedFiles().addAllEditedFiles(files).build());
  }

  private Permission with(AskedAction changed) {
    return new Permission(changed, prompt, source, options, approvers, required, timeout, hold);
  }

  /** Returns a copy as a request of a workflow, which only people's answers decide. */
  public Permission fromPeople() {
    return new Permission(
        action,
        prompt,
        PermissionSource.PERMISSION_SOURCE_HITL,
        options,
        approvers,
        required,
        timeout,
        hold);
  }

  /** Returns a copy with options to choose from. */
  public Permission withOptions(List<PermissionOption> offered) {
    return new Permission(action, prompt, source, offered, approvers, required, timeout, hold);
  }

  /**
   * Returns a copy with approvers and the number of required approvals; without approvers, anyone
   * may approve.
   */
  public Permission approvedBy(int count, List<String> actors) {
    return new Permission(action, prompt, source, options, actors, count, timeout, hold);
  }

  /** Returns a copy with a timeout. */
  public Permission within(Duration time) {
    return new Permission(
        action, prompt, source, options, approvers, required, Optional.of(time), hold);
  }

  /** Returns a copy whose answer the handler's thread waits for up to the given time. */
  public Permission holding(Duration time) {
    return new Permission(action, prompt, source, options, approvers, required, timeout, time);
  }
}
