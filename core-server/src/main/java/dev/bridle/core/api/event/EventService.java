package dev.bridle.core.api.event;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.GetEventRequest;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.ListEventsResponse;
import dev.bridle.event.v1.ListSessionEventsRequest;
import dev.bridle.event.v1.ListTaskEventsRequest;
import dev.bridle.event.v1.ReadTaskLogRequest;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.event.v1.StreamSessionEventsRequest;
import dev.bridle.event.v1.StreamTaskEventsRequest;
import dev.bridle.event.v1.TaskLogPiece;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.task.v1.Task;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;

/**
 * Serves ranges of the event log and live streams (protocol sections "Event" and "Server-sent
 * events").
 */
public final class EventService extends EventServiceGrpc.EventServiceImplBase {
  private static final int MOST_TRIES = 10;

  private final KeyValueStore store;
  private final EventLog log;
  private final WorkspaceStore workspaces;
  private final SessionStore sessions;
  private final TaskStore tasks;
  private final EventStreams streams;

  public EventService(CoreContext context, EventStreams streams) {
    this.store = context.store();
    this.log = context.log();
    this.workspaces = new WorkspaceStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.tasks = new TaskStore(context.layout());
    this.streams = streams;
  }

  @Override
  public void listSessionEvents(
      ListSessionEventsRequest request, StreamObserver<ListEventsResponse> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        after(
            given(request.hasAfterEventId(), request.getAfterEventId()),
            given(request.hasCursor(), request.getCursor()));
    int limit = request.hasLimit() ? request.getLimit() : Pages.DEFAULT_LIMIT;
    Replies.send(response, page(tr -> session(tr, caller, request.getSessionId()), after, limit));
  }

  @Override
  public void listTaskEvents(
      ListTaskEventsRequest request, StreamObserver<ListEventsResponse> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        after(
            given(request.hasAfterEventId(), request.getAfterEventId()),
            given(request.hasCursor(), request.getCursor()));
    int limit = request.hasLimit() ? request.getLimit() : Pages.DEFAULT_LIMIT;
    Replies.send(response, page(tr -> task(tr, caller, request.getTaskId()), after, limit));
  }

  @Override
  public void readTaskLog(ReadTaskLogRequest request, StreamObserver<TaskLogPiece> response) {
    Caller caller = Caller.current();
    Task task = store.read(tr -> tasks.need(tr, caller, request.getTaskId())).getTask();
    ServerCallStreamObserver<TaskLogPiece> call = (ServerCallStreamObserver<TaskLogPiece>) response;
    call.setOnReadyHandler(new TaskLogStream(store, log, caller.tenant(), task, call)::pump);
  }

  @Override
  public void listEvents(ListEventsRequest request, StreamObserver<ListEventsResponse> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        after(
            given(request.hasAfterEventId(), request.getAfterEventId()),
            given(request.hasCursor(), request.getCursor()));
    int limit = request.hasLimit() ? request.getLimit() : Pages.DEFAULT_LIMIT;
    Filter filter =
        new Filter(
            given(request.hasWorkspaceId(), request.getWorkspaceId()),
            given(request.hasSessionId(), request.getSessionId()),
            given(request.hasTaskId(), request.getTaskId()));
    boolean reached = store.read(tr -> reached(tr, caller, filter));
    Replies.send(
        response,
        reached
            ? page(tr -> filtered(tr, caller, filter), after, limit)
            : ListEventsResponse.newBuilder().setPage(PageInfo.getDefaultInstance()).build());
  }

  @Override
  public void streamSessionEvents(
      StreamSessionEventsRequest request, StreamObserver<EventFrame> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        EventCursors.parse(request.hasLastEventId(), request.getLastEventId(), "Last-Event-ID");
    open(tr -> session(tr, caller, request.getSessionId()), after, response);
  }

  @Override
  public void streamTaskEvents(
      StreamTaskEventsRequest request, StreamObserver<EventFrame> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        EventCursors.parse(request.hasLastEventId(), request.getLastEventId(), "Last-Event-ID");
    open(tr -> task(tr, caller, request.getTaskId()), after, response);
  }

  @Override
  public void streamEvents(StreamEventsRequest request, StreamObserver<EventFrame> response) {
    Caller caller = Caller.current();
    Optional<EventId> after =
        EventCursors.parse(request.hasLastEventId(), request.getLastEventId(), "Last-Event-ID");
    Filter filter =
        new Filter(
            given(request.hasWorkspaceId(), request.getWorkspaceId()),
            given(request.hasSessionId(), request.getSessionId()),
            given(request.hasTaskId(), request.getTaskId()));
    open(tr -> filtered(tr, caller, filter), after, response);
  }

  private void open(
      Function<ReadTransaction, EventScope> scoped,
      Optional<EventId> after,
      StreamObserver<EventFrame> response) {
    streams.open(() -> store.read(scoped), after, (ServerCallStreamObserver<EventFrame>) response);
  }

  @Override
  public void getEvent(GetEventRequest request, StreamObserver<Event> response) {
    Caller caller = Caller.current();
    Event event =
        store.read(
            tr ->
                EventId.parse(request.getEventId())
                    .flatMap(id -> streams.reader().find(tr, caller.tenant(), id))
                    .filter(found -> caller.reaches(found.record().getWorkspaceId()))
                    .map(LoadedEvent::event)
                    .orElseThrow(() -> ProtocolException.notFound("event", request.getEventId())));
    Replies.send(response, event);
  }

  /** Returns whether the resources that a list is filtered by exist for the caller. */
  private boolean reached(ReadTransaction tr, Caller caller, Filter filter) {
    return filter.workspace().stream().allMatch(id -> workspaces.find(tr, caller, id).isPresent())
        && filter.session().stream().allMatch(id -> sessions.visible(tr, caller, id))
        && filter.task().stream().allMatch(id -> tasks.reached(tr, caller, id).isPresent());
  }

  /** Parses the start of a range, which either of two parameters gives. */
  private static Optional<EventId> after(Optional<String> after, Optional<String> cursor) {
    if (after.isPresent() && cursor.isPresent() && !after.equals(cursor)) {
      throw ProtocolException.invalid(
          "cursor", "differs from after_event_id, which means the same; give one of them");
    }
    return after.isPresent()
        ? EventCursors.parse(true, after.get(), "after_event_id")
        : EventCursors.parse(cursor.isPresent(), cursor.orElse(""), "cursor");
  }

  private static Optional<String> given(boolean has, String value) {
    return has ? Optional.of(value) : Optional.empty();
  }

  private EventScope session(ReadTransaction tr, Caller caller, String id) {
    sessions.need(tr, caller, id);
    return new EventScope(caller, Optional.empty(), Optional.of(id), Optional.empty());
  }

  private EventScope task(ReadTransaction tr, Caller caller, String id) {
    TaskRecord task = tasks.need(tr, caller, id);
    return new EventScope(
        caller, Optional.of(task), Optional.of(task.getTask().getSessionId()), Optional.empty());
  }

  /** What events are asked for: those of resources that are given. */
  private record Filter(
      Optional<String> workspace, Optional<String> session, Optional<String> task) {}

  private EventScope filtered(ReadTransaction tr, Caller caller, Filter filter) {
    filter.workspace().ifPresent(id -> workspaces.need(tr, caller, id));
    if (filter.task().isPresent()) {
      EventScope scope = task(tr, caller, filter.task().get());
      if (filter.session().isPresent() && !scope.session().equals(filter.session())) {
        throw ProtocolException.invalid("session_id", "is not the session of the task");
      }
      return new EventScope(caller, scope.task(), scope.session(), filter.workspace());
    }
    filter.session().ifPresent(id -> sessions.need(tr, caller, id));
    return new EventScope(caller, Optional.empty(), filter.session(), filter.workspace());
  }

  /**
   * Returns a page of events. Uses several short transactions if many events are hidden from the
   * caller, and returns a shorter page after {@link #MOST_TRIES} of them.
   */
  private ListEventsResponse page(
      Function<ReadTransaction, EventScope> scope, Optional<EventId> after, int limit) {
    ListEventsResponse.Builder page =
        store.read(tr -> range(tr, scope.apply(tr), after, limit)).toBuilder();
    for (int tries = 1;
        tries < MOST_TRIES
            && page.getPage().getHasMore()
            && page.getDataCount() < limit
            && page.build().getSerializedSize() < EventLog.PAGE_BYTES;
        tries++) {
      Optional<EventId> from = EventId.parse(page.getPage().getNextCursor());
      int wanted = limit - page.getDataCount();
      ListEventsResponse more;
      try {
        more = store.read(tr -> range(tr, scope.apply(tr), from, wanted));
      } catch (ProtocolException e) {
        if (e.code() != ErrorCode.ERROR_CODE_CURSOR_EXPIRED) {
          throw e;
        }
        break; // The next events have been dropped meanwhile; the request for them gets the error.
      }
      page.addAllData(more.getDataList()).setPage(more.getPage());
    }
    return page.build();
  }

  private ListEventsResponse range(
      ReadTransaction tr, EventScope scope, Optional<EventId> after, int limit) {
    if (after.isPresent()
        && (EventCursors.expired(tr, log, scope, after.get())
            || !log.mayExist(tr, scope.tenant(), after.get()))) {
      throw EventCursors.refused();
    }
    Optional<EventId> from = after.isPresent() ? after : EventCursors.oldest(tr, log, scope);
    return EventRange.read(tr, streams.reader(), scope, from, limit);
  }
}
