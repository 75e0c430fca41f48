package dev.bridle.core.work.session;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.session.v1.CloseSessionRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.GetSessionRequest;
import dev.bridle.session.v1.ListSessionsRequest;
import dev.bridle.session.v1.ListSessionsResponse;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.session.v1.SessionState;
import dev.bridle.session.v1.TruncateSessionRequest;
import dev.bridle.session.v1.TruncateSessionResponse;
import dev.bridle.session.v1.UpdateSessionRequest;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Sessions (protocol section "Session"). */
public final class SessionService extends SessionServiceGrpc.SessionServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final SessionStore sessions;
  private final SessionCreator creator;
  private final SessionFork fork;
  private final SessionTruncation truncation;
  private final Events events;
  private final Pages pages;

  public SessionService(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = new WorkspaceStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.creator = new SessionCreator(context);
    this.fork = new SessionFork(context);
    this.truncation = new SessionTruncation(context);
    this.events = context.events();
    this.pages = context.pages();
  }

  @Override
  public void listSessions(
      ListSessionsRequest request, StreamObserver<ListSessionsResponse> response) {
    Caller caller = Caller.current();
    ListSessionsResponse listed =
        store.read(
            tr -> {
              if (request.hasWorkspaceId()
                  && workspaces.find(tr, caller, request.getWorkspaceId()).isEmpty()) {
                return ListSessionsResponse.newBuilder().setPage(Pages.Page.none().info()).build();
              }
              Pages.Ask ask =
                  Pages.Ask.of(
                      request,
                      request.hasWorkspaceId() ? SessionStore.WORKSPACE : SessionStore.ALL,
                      request.getWorkspaceId(),
                      true);
              Pages.Page<Session> page =
                  pages.read(
                      tr,
                      sessions.records(),
                      ask,
                      session -> caller.reaches(session.getWorkspaceId()));
              ListSessionsResponse.Builder list =
                  ListSessionsResponse.newBuilder().setPage(page.info());
              page.rows()
                  .forEach(row -> list.addData(sessions.withLastEvent(tr, caller.tenant(), row)));
              return list.build();
            });
    Replies.send(response, listed);
  }

  @Override
  public void createSession(CreateSessionRequest request, StreamObserver<Session> response) {
    Caller caller = Caller.current();
    Session made =
        commands.run(
            request,
            "",
            write -> workspaces.referenced(write.tr(), caller, request.getWorkspaceId()).getId(),
            write -> creator.create(write, request),
            Session.getDefaultInstance());
    Replies.send(response, made);
  }

  @Override
  public void getSession(GetSessionRequest request, StreamObserver<Session> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                sessions.withLastEvent(
                    tr, caller.tenant(), sessions.need(tr, caller, request.getSessionId()))));
  }

  @Override
  public void updateSession(UpdateSessionRequest request, StreamObserver<Session> response) {
    Caller caller = Caller.current();
    String id = request.getSessionId();
    Session changed =
        commands.run(
            request,
            id,
            write -> sessions.need(write.tr(), caller, id).getWorkspaceId(),
            write -> update(write, sessions.need(write.tr(), caller, id), request),
            Session.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Session update(Write write, Session before, UpdateSessionRequest request) {
    Session.Builder after = before.toBuilder();
    Payload changedFields = Payload.of();
    for (String member : request.getUpdateMask().getPathsList()) {
      if (member.equals("summary") && request.hasSummary()) {
        after.setSummary(request.getSummary());
        changedFields.anyText("summary", Optional.of(request.getSummary()));
      } else if (member.equals("summary")) {
        after.clearSummary();
        changedFields.anyText("summary", Optional.empty());
      } else if (member.equals("metadata")) {
        after.setMetadata(request.getMetadata());
        changedFields.json("metadata", request.getMetadata());
      }
    }
    return changed(write, before, after, EventDraft.of(EventKinds.SESSION_UPDATED, changedFields));
  }

  @Override
  public void closeSession(CloseSessionRequest request, StreamObserver<Session> response) {
    Caller caller = Caller.current();
    String id = request.getSessionId();
    Session closed =
        commands.run(
            request,
            id,
            write -> sessions.need(write.tr(), caller, id).getWorkspaceId(),
            write -> close(write, sessions.need(write.tr(), caller, id)),
            Session.getDefaultInstance());
    Replies.send(response, closed);
  }

  private Session close(Write write, Session before) {
    if (before.getState() == SessionState.SESSION_STATE_CLOSED) {
      return sessions.withLastEvent(write.tr(), write.tenant(), before);
    }
    Session.Builder after = before.toBuilder().setState(SessionState.SESSION_STATE_CLOSED);
    return changed(
        write,
        before,
        after,
        EventDraft.of(EventKinds.SESSION_CLOSED, Payload.of().text("state", "CLOSED")));
  }

  @Override
  public void forkSession(ForkSessionRequest request, StreamObserver<Session> response) {
    Caller caller = Caller.current();
    String id = request.getSessionId();
    Session made =
        commands.run(
            request,
            id,
            write -> sessions.need(write.tr(), caller, id).getWorkspaceId(),
            write -> fork.fork(write, sessions.need(write.tr(), caller, id), request),
            Session.getDefaultInstance());
    Replies.send(response, made);
  }

  @Override
  public void truncateSession(
      TruncateSessionRequest request, StreamObserver<TruncateSessionResponse> response) {
    Caller caller = Caller.current();
    String id = request.getSessionId();
    TruncateSessionResponse result =
        commands.run(
            request,
            id,
            write -> sessions.need(write.tr(), caller, id).getWorkspaceId(),
            write -> truncation.truncate(write, sessions.need(write.tr(), caller, id), request),
            TruncateSessionResponse.getDefaultInstance());
    Replies.send(response, result);
  }

  private Session changed(Write write, Session before, Session.Builder after, EventDraft event) {
    Session session = after.setUpdatedAt(Timestamps.fromMillis(write.nowMillis())).build();
    sessions.update(write, before, session);
    events.ofSession(write, session.getWorkspaceId(), session.getId(), event);
    return session;
  }
}
