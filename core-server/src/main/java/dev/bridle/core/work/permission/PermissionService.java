package dev.bridle.core.work.permission;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.permission.v1.DelegatePermissionRequestRequest;
import dev.bridle.permission.v1.GetPermissionGrantRequest;
import dev.bridle.permission.v1.GetPermissionRequestRequest;
import dev.bridle.permission.v1.ListPermissionGrantsRequest;
import dev.bridle.permission.v1.ListPermissionGrantsResponse;
import dev.bridle.permission.v1.ListPermissionRequestsRequest;
import dev.bridle.permission.v1.ListPermissionRequestsResponse;
import dev.bridle.permission.v1.ListTaskPermissionRequestsRequest;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionServiceGrpc;
import dev.bridle.permission.v1.RespondPermissionRequestRequest;
import dev.bridle.permission.v1.RevokePermissionGrantRequest;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Serves permission requests and standing grants to clients. */
public final class PermissionService extends PermissionServiceGrpc.PermissionServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final SessionStore sessions;
  private final TaskStores stores;
  private final PermissionStore permissions;
  private final GrantStore grants;
  private final Answers answers;
  private final GrantRevocation revocation;
  private final Pages pages;

  PermissionService(
      CoreContext context,
      SessionStore sessions,
      TaskStores stores,
      PermissionStore permissions,
      GrantStore grants,
      Answers answers) {
    this.store = context.store();
    this.commands = context.commands();
    this.sessions = sessions;
    this.stores = stores;
    this.permissions = permissions;
    this.grants = grants;
    this.answers = answers;
    this.revocation = new GrantRevocation(grants, stores.events());
    this.pages = context.pages();
  }

  @Override
  public void listPermissionRequests(
      ListPermissionRequestsRequest request,
      StreamObserver<ListPermissionRequestsResponse> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> list(tr, caller, request)));
  }

  private ListPermissionRequestsResponse list(
      ReadTransaction tr, Caller caller, ListPermissionRequestsRequest request) {
    boolean reached =
        (!request.hasSessionId() || sessions.visible(tr, caller, request.getSessionId()))
            && (!request.hasTaskId()
                || stores.tasks().reached(tr, caller, request.getTaskId()).isPresent());
    if (!reached) {
      return ListPermissionRequestsResponse.newBuilder().setPage(Pages.Page.none().info()).build();
    }
    Pages.Ask ask =
        request.hasTaskId()
            ? Pages.Ask.of(request, PermissionStore.TASK, request.getTaskId(), true)
            : request.hasSessionId()
                ? Pages.Ask.of(request, PermissionStore.SESSION, request.getSessionId(), true)
                : Pages.Ask.of(request, PermissionStore.ALL, "", true);
    return page(
        tr,
        ask,
        record ->
            caller.reaches(record.getWorkspaceId())
                && (!request.hasSessionId()
                    || record.getRequest().getSessionId().equals(request.getSessionId()))
                && (!request.hasStatus()
                    || record.getRequest().getStatus() == request.getStatus()));
  }

  @Override
  public void listTaskPermissionRequests(
      ListTaskPermissionRequestsRequest request,
      StreamObserver<ListPermissionRequestsResponse> response) {
    Caller caller = Caller.current();
    ListPermissionRequestsResponse listed =
        store.read(
            tr -> {
              stores.tasks().need(tr, caller, request.getTaskId());
              return page(
                  tr,
                  Pages.Ask.of(request, PermissionStore.TASK, request.getTaskId(), true),
                  record -> true);
            });
    Replies.send(response, listed);
  }

  private ListPermissionRequestsResponse page(
      ReadTransaction tr, Pages.Ask ask, Predicate<PermissionRecord> visible) {
    Pages.Page<PermissionRecord> page = pages.read(tr, permissions.records(), ask, visible);
    return ListPermissionRequestsResponse.newBuilder()
        .addAllData(page.rows().stream().map(PermissionStore::shown).toList())
        .setPage(page.info())
        .build();
  }

  @Override
  public void getPermissionRequest(
      GetPermissionRequestRequest request, StreamObserver<PermissionRequest> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr -> PermissionStore.shown(permissions.need(tr, caller, request.getRequestId()))));
  }

  @Override
  public void respondPermissionRequest(
      RespondPermissionRequestRequest request, StreamObserver<PermissionRequest> response) {
    Replies.send(
        response,
        change(
            request,
            request.getRequestId(),
            (change, record) -> answers.applyOwn(change, record, request, Optional.empty())));
  }

  @Override
  public void delegatePermissionRequest(
      DelegatePermissionRequestRequest request, StreamObserver<PermissionRequest> response) {
    Optional<String> reason =
        request.hasReason() ? Optional.of(request.getReason()) : Optional.empty();
    Replies.send(
        response,
        change(
            request,
            request.getRequestId(),
            (change, record) -> answers.delegate(change, record, request.getTo(), reason)));
  }

  private PermissionRequest change(
      Message request,
      String id,
      BiFunction<TaskChange, PermissionRecord, PermissionRequest> work) {
    Caller caller = Caller.current();
    return commands.run(
        request,
        id,
        write -> permissions.need(write.tr(), caller, id).getWorkspaceId(),
        write -> {
          PermissionRecord record = permissions.need(write.tr(), caller, id);
          TaskChange change =
              stores.change(
                  write, stores.tasks().need(write.tr(), caller, record.getRequest().getTaskId()));
          PermissionRequest after = work.apply(change, record);
          change.save();
          return PermissionStore.shown(record.toBuilder().setRequest(after).build());
        },
        PermissionRequest.getDefaultInstance());
  }

  @Override
  public void listPermissionGrants(
      ListPermissionGrantsRequest request, StreamObserver<ListPermissionGrantsResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<PermissionGrantRecord> page =
        store.read(
            tr -> {
              if (request.hasSessionId() && !sessions.visible(tr, caller, request.getSessionId())) {
                return Pages.Page.none();
              }
              int index = request.hasSessionId() ? GrantStore.SESSION : GrantStore.ALL;
              return pages.read(
                  tr,
                  grants.records(),
                  Pages.Ask.of(request, index, request.getSessionId(), true),
                  record -> caller.reaches(record.getWorkspaceId()));
            });
    Replies.send(
        response,
        ListPermissionGrantsResponse.newBuilder()
            .addAllData(page.rows().stream().map(PermissionGrantRecord::getGrant).toList())
            .setPage(page.info())
            .build());
  }

  @Override
  public void getPermissionGrant(
      GetPermissionGrantRequest request, StreamObserver<PermissionGrant> response) {
    Caller caller = Caller.current();
    Replies.send(
        response, store.read(tr -> grants.need(tr, caller, request.getGrantId()).getGrant()));
  }

  @Override
  public void revokePermissionGrant(
      RevokePermissionGrantRequest request, StreamObserver<PermissionGrant> response) {
    Caller caller = Caller.current();
    String id = request.getGrantId();
    Replies.send(
        response,
        commands.run(
            request,
            id,
            write -> grants.need(write.tr(), caller, id).getWorkspaceId(),
            write ->
                revocation.revoke(write, grants.need(write.tr(), caller, id), request.getReason()),
            PermissionGrant.getDefaultInstance()));
  }
}
