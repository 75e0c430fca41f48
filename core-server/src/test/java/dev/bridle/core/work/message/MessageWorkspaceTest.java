package dev.bridle.core.work.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.api.v1.Visibility;
import dev.bridle.core.CoreFixture;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.GetMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.MessageServiceGrpc.MessageServiceBlockingStub;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.storage.layer.RecordStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MessageWorkspaceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  @Test
  void aMessageNamesItsWorkspaceAlsoWhereAnEarlierVersionStoredIt() {
    MessageServiceBlockingStub messages = MessageServiceGrpc.newBlockingStub(core.owner());
    String session = core.session(core.owner(), CoreFixture.WORKSPACE);
    Message message =
        messages.appendSessionMessage(
            AppendSessionMessageRequest.newBuilder()
                .setSessionId(session)
                .setMessage(
                    MessageInput.newBuilder()
                        .setRole(Role.ROLE_USER)
                        .addParts(
                            Part.newBuilder()
                                .setText(
                                    TextPart.newBuilder()
                                        .setText("hello")
                                        .setVisibility(Visibility.VISIBILITY_PUBLIC))))
                .build());
    assertThat(message.getWorkspaceId()).isEqualTo(CoreFixture.WORKSPACE);

    RecordStore<Message> records = MessageStore.MESSAGE.store(core.layout);
    core.store()
        .transact(
            tr -> {
              Message earlier = message.toBuilder().clearWorkspaceId().build();
              records.update(tr, CoreFixture.TENANT, message.getId(), message, earlier);
              return true;
            });

    assertThat(
            messages.getMessage(
                GetMessageRequest.newBuilder().setMessageId(message.getId()).build()))
        .isEqualTo(message);
    assertThat(
            messages
                .listSessionMessages(
                    ListSessionMessagesRequest.newBuilder().setSessionId(session).build())
                .getDataList())
        .containsExactly(message);
  }
}
