package dev.bridle.core.work.permission;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.validate.CanonicalJson;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.ApprovalRequirement;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRepeat;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionSource;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.AskedAction;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.time.Duration;
import java.util.Optional;

/** Turns what a worker asks into the permission request that people are shown. */
final class PermissionQuestions {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);
  private static final String ARGUMENTS = "arguments";
  private static final ByteString NOTHING = ByteString.copyFromUtf8("{}");

  private final StandingGrants grants;

  PermissionQuestions(StandingGrants grants) {
    this.grants = grants;
  }

  /** Checks what a worker asks; {@code invalid_request} if its members do not fit together. */
  static void check(RequestPermissionRequest request) {
    int named = request.getApproversCount();
    if (named > 0 && request.getApproversRequired() > named) {
      throw ProtocolException.invalid(
          "approvers_required", "must not exceed the number of approvers, " + named + "");
    }
    long options =
        request.getOptionsList().stream().map(option -> option.getId()).distinct().count();
    if (options < request.getOptionsCount()) {
      throw ProtocolException.invalid("options", "must have distinct ids");
    }
    if (request.getPolicyOnly()
        && (!request.getAction().getSideEffect().equals(PermissionPolicy.NO_SIDE_EFFECT)
            || request.getSource() == PermissionSource.PERMISSION_SOURCE_HITL
            || named > 0
            || request.getApproversRequired() > 1)) {
      throw ProtocolException.invalid(
          "policy_only", "is only valid for an action without side effects that needs no people");
    }
    if (request.getReplaces().equals(request.getStepKey()) && !request.getReplaces().isEmpty()) {
      throw ProtocolException.invalid("replaces", "must not be the request's own key");
    }
    if (request.hasArgumentsMember() && !request.getAcceptsModified()) {
      throw ProtocolException.invalid("arguments_member", "is only valid with 'accepts_modified'");
    }
    if (request.getAcceptsModified()
        && ModifiedAction.arguments(request.getAction().getContent(), argumentsMember(request))
            .isEmpty()) {
      throw ProtocolException.invalid(
          "arguments_member", "must name a member of the action's content that is an object");
    }
  }

  /** Returns the member of the action's content that answers may replace. */
  static String argumentsMember(RequestPermissionRequest request) {
    return request.hasArgumentsMember() ? request.getArgumentsMember() : ARGUMENTS;
  }

  /** Returns the action that a worker of a task asks for. */
  static PermissionAction action(Task task, AskedAction asked) {
    PermissionAction.Builder action =
        PermissionAction.newBuilder().setKind(asked.getKind()).setContent(asked.getContent());
    if (!asked.getTool().isEmpty()) {
      action.setTool(asked.getTool());
    }
    if (!asked.getTitle().isEmpty()) {
      action.setTitle(asked.getTitle());
    }
    if (!asked.getSideEffect().isEmpty()) {
      action.setSideEffect(asked.getSideEffect());
    }
    if (!asked.getSaid().isEmpty() && !CanonicalJson.of(asked.getSaid()).equals(NOTHING)) {
      action.setSaid(asked.getSaid());
    }
    if (asked.hasNotExact()) {
      action.setNotExact(asked.getNotExact());
    }
    return action
        .addAllEditedFiles(asked.getEditedFilesList())
        .setFingerprint(ActionHashes.fingerprint(action.build(), task))
        .build();
  }

  /**
   * What was asked before a question.
   *
   * @param repeats why the same action is asked for again
   * @param replaces the request that the question replaces
   */
  record Earlier(Optional<PermissionRepeat> repeats, Optional<String> replaces) {}

  /** Returns the request that people are asked. */
  PermissionRequest question(
      TaskChange change,
      RequestPermissionRequest request,
      PermissionAction action,
      Optional<ApprovalRequirement> required,
      Earlier earlier) {
    Write write = change.write();
    var now = Timestamps.fromMillis(write.nowMillis());
    long time =
        request.hasTimeout()
            ? Durations.toMillis(request.getTimeout())
            : DEFAULT_TIMEOUT.toMillis();
    PermissionQuestion.Builder asked =
        PermissionQuestion.newBuilder()
            .setPrompt(request.getPrompt())
            .addAllOptions(request.getOptionsList())
            .addAllApprovers(request.getApproversList())
            .setApproversRequired(Math.max(1, request.getApproversRequired()))
            .setExpiresAt(Timestamps.fromMillis(write.nowMillis() + Math.max(1, time)))
            .setStepKey(request.getStepKey());
    required.ifPresent(policy -> Requirements.add(policy, asked, write.nowMillis()));
    earlier.repeats().ifPresent(asked::setRepeats);
    earlier.replaces().ifPresent(asked::setReplaces);
    if (request.getAcceptsModified()) {
      asked.setAcceptsModified(true).setArgumentsMember(argumentsMember(request));
    }
    if (request.getSource() == PermissionSource.PERMISSION_SOURCE_ACP
        && !OptionRules.needChoice(request.getOptionsList())
        && grants.roomIn(write, change.task().getSessionId())) {
      asked.addAllOfferedGrants(
          OfferedGrants.of(
                  action,
                  !request.getSessionGrantsOnly() && grants.roomInWorkspace(write, change.task()),
                  grants.folderOf(change, action),
                  write.nowMillis())
              .stream()
              .filter(offered -> Requirements.permit(required, offered.getScope()))
              .toList());
    }
    PermissionRequest.Builder made =
        PermissionRequest.newBuilder()
            .setId(write.id("permission"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setSessionId(change.task().getSessionId())
            .setTaskId(change.id())
            .setWorkspaceId(change.task().getWorkspaceId())
            .setStatus(PermissionStatus.PERMISSION_STATUS_PENDING)
            .setSource(request.getSource())
            .setAction(action)
            .setRequest(asked);
    if (!CanonicalJson.of(metadata(request)).equals(NOTHING)) {
      made.setMetadata(request.getMetadata());
    }
    made.getRequestBuilder().setContentHash(ActionHashes.shown(made.build()));
    return made.build();
  }

  private static ByteString metadata(RequestPermissionRequest request) {
    return request.getMetadata().isEmpty() ? NOTHING : request.getMetadata();
  }
}
