package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.permission.v1.PermissionOption;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.worker.v1.AskedAction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
 * @param hold how long the handler's thread waits for the answer, at most 24 hours; after that, or
 *     at once if zero, the handler ends and runs again when the request is decided
 * @param metadata what the agent says beside the action, at most 64 KiB of JSON
 * @param argumentsMember the member of the content that an answer may replace; empty if none may
 * @param sessionGrantsOnly whether no grant is offered that outlasts the session
 * @param policyOnly whether people are not asked where no policy is against the action
 * @param signedOnly whether only decisions count that devices of approvers have signed
 * @param replaces the step key of the request in whose place this one comes; empty if there is none
 */
public record Permission(
    AskedAction action,
    String prompt,
    PermissionSource source,
    List<PermissionOption> options,
    List<String> approvers,
    int required,
    Optional<Duration> timeout,
    Duration hold,
    ObjectNode metadata,
    Optional<String> argumentsMember,
    boolean sessionGrantsOnly,
    boolean policyOnly,
    boolean signedOnly,
    Optional<String> replaces) {

  /** Copies the lists and the metadata. */
  public Permission {
    options = List.copyOf(options);
    approvers = List.copyOf(approvers);
    metadata = metadata.deepCopy();
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
        Duration.ZERO,
        JsonNodeFactory.instance.objectNode(),
        Optional.empty(),
        false,
        false,
        false,
        Optional.empty());
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

  /**
   * Returns a copy with what the agent says beside the action, for those who answer. It is part of
   * what they approve, but not of the action: {@code content} alone says what is done.
   *
   * @param said a JSON object of at most 64 KiB
   */
  public Permission withMetadata(ObjectNode said) {
    return changed(copy -> copy.metadata = said);
  }

  /**
   * Returns a copy with what the agent says of the action: its title, texts, the description of a
   * command. It is shown as the agent's words, and approval rules match it; a standing grant covers
   * the action whatever is said of it.
   *
   * @param said a JSON object of at most 64 KiB
   */
  public Permission withSaid(ObjectNode said) {
    return said.isEmpty() ? this : with(action.toBuilder().setSaid(Json.bytes(said)).build());
  }

  /**
   * Returns a copy for an action of which it is not known exactly what it does: no standing grant
   * is offered for it, and none covers it.
   *
   * @param why a sentence for people
   */
  public Permission notExactly(String why) {
    return with(action.toBuilder().setNotExact(why).build());
  }

  /**
   * Returns a copy that comes in the place of a request whose action the agent has {@linkplain
   * TaskContext#change changed}.
   */
  public Permission replacing(String stepKey) {
    return changed(copy -> copy.replaces = Optional.of(stepKey));
  }

  /**
   * Returns a copy whose answer may replace a member of the content. If {@link
   * Decision#modifiedArguments} has a value, only the action with that value is allowed, and not
   * the one that was asked for.
   *
   * @param member the name of a member of the content that is a JSON object
   */
  public Permission acceptingModified(String member) {
    return changed(copy -> copy.argumentsMember = Optional.of(member));
  }

  /**
   * Returns a copy with which no grant is offered that outlasts the session: for a worker that
   * can't keep its agent from answering in a person's name.
   */
  public Permission withSessionGrantsOnly() {
    return changed(copy -> copy.sessionGrantsOnly = true);
  }

  /**
   * Returns a copy that only decisions of devices answer: no credential does, and no standing grant
   * applies.
   */
  public Permission bySignedDecisionsOnly() {
    return changed(copy -> copy.signedOnly = true);
  }

  /**
   * Returns a copy for an action without side effects, of which people are not asked: what the
   * task's persona leaves open is allowed, unless it uses a skill that requires approval.
   */
  public Permission byPolicyOnly() {
    return withSideEffect("none").changed(copy -> copy.policyOnly = true);
  }

  private Permission with(AskedAction other) {
    return changed(copy -> copy.action = other);
  }

  /** Returns a copy as a request of a workflow, which only people's answers decide. */
  public Permission fromPeople() {
    return changed(copy -> copy.source = PermissionSource.PERMISSION_SOURCE_HITL);
  }

  /** Returns a copy with options to choose from. */
  public Permission withOptions(List<PermissionOption> offered) {
    return changed(copy -> copy.options = offered);
  }

  /**
   * Returns a copy with approvers and the number of required approvals; without approvers, anyone
   * may approve.
   */
  public Permission approvedBy(int count, List<String> actors) {
    return changed(
        copy -> {
          copy.approvers = actors;
          copy.required = count;
        });
  }

  /** Returns a copy with a timeout. */
  public Permission within(Duration time) {
    return changed(copy -> copy.timeout = Optional.of(time));
  }

  /** Returns a copy whose answer the handler's thread waits for up to the given time. */
  public Permission holding(Duration time) {
    return changed(copy -> copy.hold = time);
  }

  private Permission changed(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.made();
  }

  /** The members of a copy while they change. */
  private static final class Copy {
    private final String prompt;
    private AskedAction action;
    private PermissionSource source;
    private List<PermissionOption> options;
    private List<String> approvers;
    private int required;
    private Optional<Duration> timeout;
    private Duration hold;
    private ObjectNode metadata;
    private Optional<String> argumentsMember;
    private boolean sessionGrantsOnly;
    private boolean policyOnly;
    private boolean signedOnly;
    private Optional<String> replaces;

    private Copy(Permission of) {
      this.action = of.action;
      this.prompt = of.prompt;
      this.source = of.source;
      this.options = of.options;
      this.approvers = of.approvers;
      this.required = of.required;
      this.timeout = of.timeout;
      this.hold = of.hold;
      this.metadata = of.metadata;
      this.argumentsMember = of.argumentsMember;
      this.sessionGrantsOnly = of.sessionGrantsOnly;
      this.policyOnly = of.policyOnly;
      this.signedOnly = of.signedOnly;
      this.replaces = of.replaces;
    }

    private Permission made() {
      return new Permission(
          action,
          prompt,
          source,
          options,
          approvers,
          required,
          timeout,
          hold,
          metadata,
          argumentsMember,
          sessionGrantsOnly,
          policyOnly,
          signedOnly,
          replaces);
    }
  }
}
