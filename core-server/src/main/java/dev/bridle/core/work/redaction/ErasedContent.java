package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.Failure;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.event.ErasedPayload;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.message.v1.Message;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionAnswer;
import dev.bridle.permission.v1.PermissionDelegation;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Resources without their content. Erasing what is erased already changes nothing, so that an
 * erasure can be repeated.
 */
public final class ErasedContent {
  /** Stands for texts that are required. */
  static final String REDACTED = Redactions.REDACTED;

  private static final ByteString NOTHING = ByteString.copyFromUtf8("{}");

  /** Codes that receipts state; others are hidden by them, too. */
  private static final Pattern SHORT_NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  private final String redactionId;

  /**
   * Erases content for a redaction.
   *
   * @param redactionId its id, which is named in place of the content
   */
  public ErasedContent(String redactionId) {
    this.redactionId = redactionId;
  }

  /** Returns the id of the redaction. */
  String redactionId() {
    return redactionId;
  }

  /** Returns a message without its content. */
  public Message of(Message message) {
    Message.Builder erased = message.toBuilder().setMetadata(NOTHING).clearParts();
    message.getPartsList().forEach(part -> erased.addParts(Redactions.erased(part, redactionId)));
    return erased.build();
  }

  /** Returns an artifact without its content. */
  public Artifact of(Artifact artifact, OptionalLong size) {
    return Redactions.erased(artifact, size, redactionId);
  }

  /** Returns a task's input without its content. */
  public TaskInput of(TaskInput input) {
    return switch (input.getFormCase()) {
      case MESSAGE -> TaskInput.newBuilder().setMessage(of(input.getMessage())).build();
      case JSON -> TaskInput.newBuilder().setJson(json(input.getJson())).build();
      case FORM_NOT_SET -> input;
    };
  }

  /** Returns a task without what its submission said beside its input. */
  public Task submission(Task task) {
    return task.toBuilder().setMetadata(NOTHING).build();
  }

  /** Returns a task without the texts of its end. */
  public Task end(Task task) {
    return task.hasFailure() ? task.toBuilder().setFailure(of(task.getFailure())).build() : task;
  }

  /** Returns an outcome without its content. */
  public Outcome of(Outcome outcome) {
    Outcome.Builder erased =
        outcome.toBuilder()
            .setMetadata(NOTHING)
            .setSummary(REDACTED)
            .clearHandoffs()
            .clearCost()
            .clearMetrics();
    if (outcome.hasFailure()) {
      erased.setFailure(of(outcome.getFailure()));
    }
    return erased.build();
  }

  /** Returns a failure without its texts. */
  static Failure of(Failure failure) {
    boolean kept = SHORT_NAME.matcher(failure.getCode()).matches();
    return Failure.newBuilder()
        .setCode(kept ? failure.getCode() : REDACTED)
        .setMessage(REDACTED)
        .build();
  }

  /** Returns a permission request without its content. */
  public PermissionRequest of(PermissionRequest request) {
    PermissionRequest.Builder erased =
        request.toBuilder().setMetadata(NOTHING).setRequest(of(request.getRequest()));
    if (request.hasAction()) {
      PermissionAction action = request.getAction();
      erased.setAction(
          PermissionAction.newBuilder()
              .setKind(action.getKind())
              .setContent(json(action.getContent()))
              .setFingerprint(REDACTED));
    }
    if (request.hasResponse()) {
      erased.getResponseBuilder().clearAnswers().clearArguments();
      if (request.getResponse().hasFingerprint()) {
        erased.getResponseBuilder().setFingerprint(REDACTED);
      }
      request
          .getResponse()
          .getAnswersList()
          .forEach(answer -> erased.getResponseBuilder().addAnswers(of(answer)));
    }
    return erased.build();
  }

  private static PermissionQuestion of(PermissionQuestion asked) {
    PermissionQuestion.Builder erased =
        asked.toBuilder().setPrompt(REDACTED).setContentHash(REDACTED).clearArgumentsMember();
    erased.getOptionsBuilderList().forEach(option -> option.setName(REDACTED));
    erased
        .getOfferedGrantsBuilderList()
        .forEach(offered -> offered.setCovers(REDACTED).clearFolder());
    erased.getDelegationsBuilderList().forEach(PermissionDelegation.Builder::clearReason);
    return erased.build();
  }

  private static PermissionAnswer of(PermissionAnswer answer) {
    PermissionAnswer.Builder erased =
        answer.toBuilder()
            .clearReviewer()
            .clearReason()
            .clearAnswer()
            .clearMetadata()
            .clearArguments()
            .setContentHash(REDACTED);
    if (answer.hasEvidence()) {
      // What was delivered has the reason; without the salts, the hashes of the artifact and of the
      // reason say nothing.
      erased.getEvidenceBuilder().clearDelivered().clearSalt().clearReasonSalt();
    }
    return erased.build();
  }

  /**
   * Returns a grant without its content. A grant for one action, for a tool or for a folder can't
   * be matched any more, and so allows nothing from then on: a tool may be named as what stands for
   * an erased name, so there is none.
   */
  public PermissionGrant of(PermissionGrant grant) {
    PermissionGrant.Builder erased = grant.toBuilder().setMetadata(NOTHING).setCovers(REDACTED);
    erased.clearRevokeReason().clearTool();
    if (grant.hasFingerprint()) {
      erased.setFingerprint(REDACTED);
    }
    if (grant.hasFolder()) {
      erased.setFolder(REDACTED);
    }
    return erased.build();
  }

  /**
   * Returns the record of a step without its content, and without hashes from which that could be
   * guessed; the commitment stays.
   */
  public StepRecord of(StepRecord record) {
    StepRecord.Builder erased =
        record.toBuilder()
            .clearSalt()
            .clearInputHash()
            .clearRequestHash()
            .clearFailure()
            .clearHiddenPayload();
    if (record.hasReplaced()) {
      erased.getReplacedBuilder().clearAfter().clearReason();
    }
    var step = erased.getStepBuilder();
    switch (record.getStep().getResultCase()) {
      case VALUE -> {
        // A recorded value has a salt until it is erased, maybe by an earlier redaction.
        ByteString value = record.getStep().getValue();
        boolean before = record.getSalt().isEmpty() && ErasedPayload.isErased(value);
        step.setValue(before ? value : json(value));
      }
      case MESSAGE -> step.setMessage(of(record.getStep().getMessage()));
      case ANSWER -> step.setAnswer(of(record.getStep().getAnswer()));
      case ARTIFACT -> step.setArtifact(of(record.getStep().getArtifact(), OptionalLong.empty()));
      case PERMISSION -> step.getPermissionBuilder().setFingerprint(REDACTED).clearPersonaReason();
      case PENDING, TOLD, SECRET, TIMED_OUT, RESULT_NOT_SET -> {}
    }
    return erased.build();
  }

  /** Returns a webhook's delivery without what its receiver answered. */
  public static WebhookDelivery withoutAnswers(WebhookDelivery delivery) {
    WebhookDelivery.Builder erased = delivery.toBuilder();
    erased.getAttemptsBuilderList().forEach(WebhookAttempt.Builder::clearAnswer);
    return erased.build();
  }

  private ByteString json(ByteString content) {
    return ErasedPayload.isErased(content, redactionId)
        ? content
        : ErasedPayload.json(redactionId, content.size());
  }
}
