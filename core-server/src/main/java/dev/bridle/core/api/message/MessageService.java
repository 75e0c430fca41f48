package dev.bridle.core.api.message;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.core.work.session.SessionMessages;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.GetMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.ListSessionMessagesResponse;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Messages of sessions (protocol section "Message, part, and artifact"). */
public final class MessageService extends MessageServiceGrpc.MessageServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final SessionStore sessions;
  private final MessageStore messages;
  private final Transcripts transcripts;
  private final SessionMessages appending;
  private final Pages pages;

  public MessageService(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.sessions = new SessionStore(context.layout(), context.log());
    this.messages = new MessageStore(context.layout());
    this.transcripts = new Transcripts(context.layout(), context.log());
    this.appending = new SessionMessages(context);
    this.pages = context.pages();
  }

  @Override
  public void listSessionMessages(
      ListSessionMessagesRequest request, StreamObserver<ListSessionMessagesResponse> response) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    ListSessionMessagesResponse listed =
        store.read(
            tr -> {
              String workspace = sessions.need(tr, caller, session).getWorkspaceId();
              Pages.Page<Message> page =
                  pages.read(
                      tr,
                      messages.records(),
                      Pages.Ask.of(request, MessageStore.SESSION, session, false),
                      message -> true,
                      transcripts.gaps(tr, caller.tenant(), session));
              ListSessionMessagesResponse.Builder list =
                  ListSessionMessagesResponse.newBuilder().setPage(page.info());
              page.rows().forEach(row -> list.addData(MessageStore.inWorkspace(row, workspace)));
              return list.build();
            });
    Replies.send(response, listed);
  }

  @Override
  public void appendSessionMessage(
      AppendSessionMessageRequest request, StreamObserver<Message> response) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    Message appended =
        commands.run(
            request,
            session,
            write -> sessions.need(write.tr(), caller, session).getWorkspaceId(),
            write ->
                appending.append(
                    write, sessions.need(write.tr(), caller, session), request.getMessage()),
            Message.getDefaultInstance());
    Replies.send(response, appended);
  }

  @Override
  public void getMessage(GetMessageRequest request, StreamObserver<Message> response) {
    Caller caller = Caller.current();
    String id = request.getMessageId();
    Message message =
        store.read(
            tr -> {
              Message found =
                  messages
                      .find(tr, caller.tenant(), id)
                      .orElseThrow(() -> ProtocolException.notFound("message", id));
              return sessions
                  .find(tr, caller, found.getSessionId())
                  .map(session -> MessageStore.inWorkspace(found, session.getWorkspaceId()))
                  .orElseThrow(() -> ProtocolException.notFound("message", id));
            });
    Replies.send(response, message);
  }
}
