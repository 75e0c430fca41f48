package dev.bridle.core.work.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.Options;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactServiceGrpc;
import dev.bridle.branch.v1.BranchServiceGrpc;
import dev.bridle.connector.v1.ConnectorServiceGrpc;
import dev.bridle.connector.v1.DeliveryServiceGrpc;
import dev.bridle.memory.v1.MemoryServiceGrpc;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.schedule.v1.ScheduleServiceGrpc;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErasedAnswersTest {
  private static final Set<Descriptor> WITH_CONTENT =
      Set.of(
          Message.getDescriptor(),
          Task.getDescriptor(),
          Artifact.getDescriptor(),
          Outcome.getDescriptor(),
          PermissionRequest.getDescriptor(),
          PermissionGrant.getDescriptor(),
          WebhookDelivery.getDescriptor());

  @Test
  void everyAnswerToACommandThatHoldsContentIsOfAKnownType() {
    List<String> types =
        Stream.of(
                TaskServiceGrpc.getServiceDescriptor(),
                MessageServiceGrpc.getServiceDescriptor(),
                SessionServiceGrpc.getServiceDescriptor(),
                ArtifactServiceGrpc.getServiceDescriptor(),
                PermissionServiceGrpc.getServiceDescriptor(),
                BranchServiceGrpc.getServiceDescriptor(),
                MemoryServiceGrpc.getServiceDescriptor(),
                WorkspaceServiceGrpc.getServiceDescriptor(),
                ConnectorServiceGrpc.getServiceDescriptor(),
                DeliveryServiceGrpc.getServiceDescriptor(),
                WebhookServiceGrpc.getServiceDescriptor(),
                ScheduleServiceGrpc.getServiceDescriptor(),
                ReceiptServiceGrpc.getServiceDescriptor(),
                RedactionServiceGrpc.getServiceDescriptor())
            .map(ServiceDescriptor::getMethods)
            .flatMap(methods -> methods.stream())
            .map(method -> (ProtoMethodDescriptorSupplier) method.getSchemaDescriptor())
            .map(ProtoMethodDescriptorSupplier::getMethodDescriptor)
            .filter(method -> method.getOptions().getExtension(Options.method).getCommand())
            .map(MethodDescriptor::getOutputType)
            .filter(type -> reaches(type, new HashSet<>()))
            .map(Descriptor::getFullName)
            .distinct()
            .toList();

    assertThat(types).contains("bridle.task.v1.Task");
    assertThat(ErasedAnswers.types()).containsAll(types);
  }

  @Test
  void anAnswerOfAnEarlierReleaseIsErasedIfItNamesWhatWasRedacted()
      throws InvalidProtocolBufferException {
    String redacted = "message_06h0kzc91xd56qspjqh0xpp4h0";
    CommandRecord naming = earlier(redacted);
    CommandRecord other = earlier("message_06h0kzccy5qkm00c5vc8qpk088");

    assertThat(ErasedAnswers.erased(naming, of(redacted)))
        .isEqualTo(naming.toBuilder().clearResponse().setResponseRedacted(true).build());
    assertThat(ErasedAnswers.erased(other, of(redacted))).isEqualTo(other);
  }

  /** An answer without its type. */
  private static CommandRecord earlier(String message) {
    return CommandRecord.newBuilder()
        .setResponse(Message.newBuilder().setId(message).setSessionId("s").build().toByteString())
        .build();
  }

  private static ErasedAnswers.Marks of(String redacted) {
    return new ErasedAnswers.Marks() {
      @Override
      public Optional<String> redactionOf(String object, String id) {
        return object.equals(RedactionStore.MESSAGE) && id.equals(redacted)
            ? Optional.of("redaction_1")
            : Optional.empty();
      }

      @Override
      public boolean ofDelivery(String event, String task) {
        return false;
      }
    };
  }

  private static boolean reaches(Descriptor type, Set<Descriptor> seen) {
    return WITH_CONTENT.contains(type)
        || (seen.add(type)
            && type.getFields().stream()
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .anyMatch(field -> reaches(field.getMessageType(), seen)));
  }
}
