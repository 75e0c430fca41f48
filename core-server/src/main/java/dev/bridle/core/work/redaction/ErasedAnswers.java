package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.core.kernel.command.StoredAnswers;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.task.v1.Task;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Erases redacted content from stored answers to commands. */
public final class ErasedAnswers implements StoredAnswers {
  /** The types of answers that hold content which can be redacted, by their full names. */
  private static final Map<String, Message> TYPES =
      Stream.of(
              dev.bridle.message.v1.Message.getDefaultInstance(),
              Task.getDefaultInstance(),
              Artifact.getDefaultInstance(),
              Outcome.getDefaultInstance(),
              PermissionRequest.getDefaultInstance(),
              PermissionGrant.getDefaultInstance(),
              WebhookDelivery.getDefaultInstance())
          .collect(
              Collectors.toUnmodifiableMap(
                  type -> type.getDescriptorForType().getFullName(), Function.identity()));

  /** What an answer can be, or hold, that has content. */
  private static final List<String> OBJECTS =
      List.of(
          RedactionStore.MESSAGE,
          RedactionStore.ARTIFACT,
          RedactionStore.TASK,
          RedactionStore.OUTCOME,
          RedactionStore.PERMISSION_REQUEST,
          RedactionStore.PERMISSION_GRANT);

  private static final Pattern ID = Pattern.compile("[a-z][a-z_]*_[0-9a-z]{26}");

  private final RedactionStore redactions;

  public ErasedAnswers(RedactionStore redactions) {
    this.redactions = redactions;
  }

  /** What was redacted. */
  public interface Marks {
    /** Returns the redaction of a resource; empty: its content was not redacted. */
    Optional<String> redactionOf(String object, String id);

    /** Returns whether a webhook's delivery of an event, and of its task, sent redacted content. */
    boolean ofDelivery(String event, String task);
  }

  /** Returns the full names of the types that hold content which can be redacted. */
  static List<String> types() {
    return List.copyOf(TYPES.keySet());
  }

  @Override
  public Message shown(ReadTransaction tr, String tenant, Message answer) {
    return erased(answer, marks(tr, tenant));
  }

  /**
   * Returns a stored command without redacted content; the same one if it has none.
   *
   * @throws InvalidProtocolBufferException if its answer is damaged
   */
  public CommandRecord erased(ReadTransaction tr, String tenant, CommandRecord command)
      throws InvalidProtocolBufferException {
    return erased(command, marks(tr, tenant));
  }

  private Marks marks(ReadTransaction tr, String tenant) {
    return new StoredMarks(redactions, tr, tenant);
  }

  /**
   * Returns a stored command without redacted content; the same one if it has none. An answer of an
   * unknown type, of an earlier release, is erased whole if it names any of the resources.
   */
  static CommandRecord erased(CommandRecord command, Marks marks)
      throws InvalidProtocolBufferException {
    if (command.getResponseType().isEmpty()) {
      return namesRedacted(command.getResponse(), marks)
          ? command.toBuilder().clearResponse().setResponseRedacted(true).build()
          : command;
    }
    Message type = TYPES.get(command.getResponseType());
    if (type == null) {
      return command;
    }
    Message answer = type.getParserForType().parseFrom(command.getResponse());
    Message erased = erased(answer, marks);
    return erased.equals(answer)
        ? command
        : command.toBuilder().setResponse(erased.toByteString()).build();
  }

  private static boolean namesRedacted(ByteString answer, Marks marks) {
    return ID.matcher(answer.toString(StandardCharsets.ISO_8859_1))
        .results()
        .map(MatchResult::group)
        .distinct()
        .anyMatch(id -> OBJECTS.stream().anyMatch(of -> marks.redactionOf(of, id).isPresent()));
  }

  /** Returns a message of any type without redacted content. */
  static Message erased(Message answer, Marks marks) {
    if (answer instanceof dev.bridle.message.v1.Message message) {
      return marks
          .redactionOf(RedactionStore.MESSAGE, message.getId())
          .map(id -> new ErasedContent(id).of(message))
          .orElse(message);
    }
    if (answer instanceof Artifact artifact) {
      return marks
          .redactionOf(RedactionStore.ARTIFACT, artifact.getId())
          .map(id -> new ErasedContent(id).of(artifact, OptionalLong.empty()))
          .orElse(artifact);
    }
    if (answer instanceof PermissionRequest request) {
      return marks
          .redactionOf(RedactionStore.PERMISSION_REQUEST, request.getId())
          .map(id -> new ErasedContent(id).of(request))
          .orElse(request);
    }
    if (answer instanceof PermissionGrant grant) {
      return marks
          .redactionOf(RedactionStore.PERMISSION_GRANT, grant.getId())
          .map(id -> new ErasedContent(id).of(grant))
          .orElse(grant);
    }
    if (answer instanceof WebhookDelivery delivery) {
      return marks.ofDelivery(delivery.getEventId(), delivery.getTaskId())
          ? ErasedContent.withoutAnswers(delivery)
          : delivery;
    }
    if (answer instanceof Task task) {
      return inner(task(task, marks), marks);
    }
    if (answer instanceof Outcome outcome) {
      Outcome erased =
          marks
              .redactionOf(RedactionStore.OUTCOME, outcome.getId())
              .map(id -> new ErasedContent(id).of(outcome))
              .orElse(outcome);
      return inner(erased, marks);
    }
    return inner(answer, marks);
  }

  private static Task task(Task task, Marks marks) {
    Task submitted =
        marks
            .redactionOf(RedactionStore.TASK, task.getId())
            .map(ErasedContent::new)
            .map(
                erased ->
                    erased.submission(task).toBuilder()
                        .setInput(erased.of(task.getInput()))
                        .build())
            .orElse(task);
    return marks
        .redactionOf(RedactionStore.OUTCOME, task.getOutcomeId())
        .map(id -> new ErasedContent(id).end(submitted))
        .orElse(submitted);
  }

  private static Message inner(Message answer, Marks marks) {
    Message.Builder erased = answer.toBuilder();
    answer
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                if (!field.isRepeated()) {
                  erased.setField(field, erased((Message) value, marks));
                  return;
                }
                for (int i = 0; i < answer.getRepeatedFieldCount(field); i++) {
                  Message one = (Message) answer.getRepeatedField(field, i);
                  erased.setRepeatedField(field, i, erased(one, marks));
                }
              }
            });
    return erased.build();
  }
}
