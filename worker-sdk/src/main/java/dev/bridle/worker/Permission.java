package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.worker.v1.AskedAction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An action that a handler wants to do, and how it asks for it.
 *
 * @param action what is to be done, exactly
 * @param prompt the question, for a person
 * @param source who asks: an agent, whose question a standing grant may answer, or a workflow that
 *     wants a person's word
 * @param options what the agent offers to choose from, at most 16
 * @param approvers the actors who may answer, at most 16; empty: everybody who may answer requests
 * @param required how many of them must approve
 * @param timeout how long there is to answer; 24 hours where empty
 * @param hold how long the handler's thread stays for the answer, at most 10 minutes; after that,
 *     or at once where it is zero, the handler ends and runs again when it is decided
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
   * Asks, as an agent, to do something; one approval is enough.
   *
   * @param kind what kind of action it is, such as `command` or `tool_call`
   * @param content the exact content, a JSON object: what is approved is this and nothing else
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

  /** Returns this with the tool that is used; a person may grant all of a tool's actions. */
  public Permission withTool(String tool) {
    return with(action.toBuilder().setTool(tool).build());
  }

  /** Returns this with a line that says what is to be done. */
  public Permission withTitle(String title) {
    return with(action.toBuilder().setTitle(title).build());
  }

  /**
   * Returns this with what it changes outside, such as `file_write` or `network`; `none` where it
   * changes nothing. An action that does not say so counts as one that changes something.
   */
  public Permission withSideEffect(String sideEffect) {
    return with(action.toBuilder().setSideEffect(sideEffect).build());
  }

  private Permission with(AskedAction changed) {
    return new Permission(changed, prompt, source, options, approvers, required, timeout, hold);
  }

  /** Returns this as a workflow's question, which nothing but people's answers decide. */
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

  /** Returns this with what there is to choose from. */
  public Permission withOptions(List<PermissionOption> offered) {
    return new Permission(action, prompt, source, offered, approvers, required, timeout, hold);
  }

  /** Returns this for those approvers, so many of whom must approve; none named: anybody. */
  public Permission approvedBy(int count, List<String> actors) {
    return new Permission(action, prompt, source, options, actors, count, timeout, hold);
  }

  /** Returns this, to be decided within a time. */
  public Permission within(Duration time) {
    return new Permission(
        action, prompt, source, options, approvers, required, Optional.of(time), hold);
  }

  /** Returns this, for whose answer the handler's thread stays that long. */
  public Permission holding(Duration time) {
    return new Permission(action, prompt, source, options, approvers, required, timeout, time);
  }
}
