package dev.bridle.core.work.task;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Creation;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Subject;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.message.v1.Message;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.task.v1.AppendTaskMessageRequest;
import dev.bridle.task.v1.CancelTaskRequest;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.ListSessionTasksRequest;
import dev.bridle.task.v1.ListTasksRequest;
import dev.bridle.task.v1.ListTasksResponse;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Serves tasks to clients (protocol sections "Task", "Task lifecycle"). */
public final class TaskService extends TaskServiceGrpc.TaskServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final WorkspaceStore workspaces;
  private final SessionStore sessions;
  private final TaskStores stores;
  private final TaskSubmission submission;
  private final RunningWorkers workers;
  private final TaskCancellation cancellation;
  private final TaskMessages taskMessages;
  private final Pages pages;
  // A task's first event shows that it was submitted.
  private final Creation creation;

  TaskService(
      CoreContext context,
      TaskStores stores,
      TaskSubmission submission,
      RunningWorkers workers,
      TaskCancellation cancellation,
      TaskMessages taskMessages) {
    this.store = context.store();
    this.commands = context.commands();
    this.workspaces = new WorkspaceStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
    this.workers = workers;
    this.stores = stores;
    this.submission = submission;
    this.cancellation = cancellation;
    this.taskMessages = taskMessages;
    this.pages = context.pages();
    this.creation =
        new Creation(
            "task",
            (tr, tenant, id) ->
                context.log().taskEventId(tr, tenant, id, 0).map(EventId::commitStamp));
  }

  @Override
  public void listSessionTasks(
      ListSessionTasksRequest request, StreamObserver<ListTasksResponse> response) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    ListTasksResponse listed =
        store.read(
            tr -> {
              sessions.need(tr, caller, session);
              return list(tr, caller, Pages.Ask.of(request, TaskStore.SESSION, session, true), "");
            });
    Replies.send(response, listed);
  }

  @Override
  public void listTasks(ListTasksRequest request, StreamObserver<ListTasksResponse> response) {
    Caller caller = Caller.current();
    ListTasksResponse listed =
        store.read(
            tr -> {
              boolean reached =
                  (!request.hasWorkspaceId()
                          || workspaces.find(tr, caller, request.getWorkspaceId()).isPresent())
                      && (!request.hasSessionId()
                          || sessions.visible(tr, caller, request.getSessionId()));
              if (!reached) {
                return ListTasksResponse.newBuilder().setPage(Pages.Page.none().info()).build();
              }
              if (request.hasSessionId()) {
                return list(
                    tr,
                    caller,
                    Pages.Ask.of(request, TaskStore.SESSION, request.getSessionId(), true),
                    request.getWorkspaceId());
              }
              int index = request.hasWorkspaceId() ? TaskStore.WORKSPACE : TaskStore.ALL;
              return list(
                  tr, caller, Pages.Ask.of(request, index, request.getWorkspaceId(), true), "");
            });
    Replies.send(response, listed);
  }

  private ListTasksResponse list(
      ReadTransaction tr, Caller caller, Pages.Ask ask, String workspace) {
    Pages.Page<TaskRecord> page =
        pages.read(
            tr,
            stores.tasks().records(),
            ask,
            row ->
                caller.reaches(row.getTask().getWorkspaceId())
                    && (workspace.isEmpty() || workspace.equals(row.getTask().getWorkspaceId())));
    ListTasksResponse.Builder list = ListTasksResponse.newBuilder().setPage(page.info());
    page.rows().forEach(row -> list.addData(stores.tasks().resource(tr, caller.tenant(), row)));
    return list.build();
  }

  @Override
  public void submitSessionTask(SubmitTaskRequest request, StreamObserver<Task> response) {
    Replies.send(response, submit(request, request.getSessionId()));
  }

  @Override
  public void submitTask(SubmitTaskRequest request, StreamObserver<Task> response) {
    Replies.send(response, submit(request, ""));
  }

  private Task submit(SubmitTaskRequest request, String target) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    if (session.isEmpty()) {
      throw ProtocolException.invalid("session_id", "is needed to submit a task here");
    }
    try (DirectLeases.Offer offer = workers.offer(caller.tenant())) {
      Task task =
          commands.run(
              request,
              target,
              Subject.of(
                  write -> sessions.need(write.tr(), caller, session), Session::getWorkspaceId),
              (write, found) -> submission.submit(write, found, request, offer),
              Optional.of(creation),
              Task.getDefaultInstance());
      offer.deliver(task);
      return task;
    }
  }

  @Override
  public void getTask(GetTaskRequest request, StreamObserver<Task> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                stores
                    .tasks()
                    .resource(
                        tr,
                        caller.tenant(),
                        stores.tasks().need(tr, caller, request.getTaskId()))));
  }

  @Override
  public void cancelTask(CancelTaskRequest request, StreamObserver<Task> response) {
    Caller caller = Caller.current();
    String id = request.getTaskId();
    Task task =
        commands.run(
            request,
            id,
            task(caller, id),
            (write, before) -> cancel(write, before, request),
            Task.getDefaultInstance());
    if (!TaskLifecycle.terminal(task.getStatus())) {
      cancellation.notifyWorker(caller.tenant(), id);
    }
    Replies.send(response, task);
  }

  private Task cancel(Write write, TaskRecord before, CancelTaskRequest request) {
    TaskChange change = stores.change(write, before);
    boolean changed = cancellation.request(change, request.getReason());
    return stores.tasks().resource(write.tr(), write.tenant(), changed ? change.save() : before);
  }

  @Override
  public void appendTaskMessage(
      AppendTaskMessageRequest request, StreamObserver<Message> response) {
    Caller caller = Caller.current();
    String id = request.getTaskId();
    Message message =
        commands.run(
            request,
            id,
            task(caller, id),
            (write, before) -> {
              TaskChange change = stores.change(write, before);
              Message appended = taskMessages.append(change, request);
              if (appended.getTaskId().equals(id)) {
                change.save();
              }
              return appended;
            },
            Message.getDefaultInstance());
    if (MessageIntake.mayWait(request)) {
      workers.messageSent(caller.tenant(), id);
    }
    Replies.send(response, message);
  }

  private Subject<TaskRecord> task(Caller caller, String id) {
    return Subject.of(
        write -> stores.tasks().need(write.tr(), caller, id),
        record -> record.getTask().getWorkspaceId());
  }
}
