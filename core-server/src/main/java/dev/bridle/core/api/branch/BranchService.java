package dev.bridle.core.api.branch;

import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchServiceGrpc;
import dev.bridle.branch.v1.CreateSessionBranchRequest;
import dev.bridle.branch.v1.GetBranchRequest;
import dev.bridle.branch.v1.ListSessionBranchesRequest;
import dev.bridle.branch.v1.ListSessionBranchesResponse;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Branches (protocol section "Branch"). */
public final class BranchService extends BranchServiceGrpc.BranchServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final SessionStore sessions;
  private final TaskStore tasks;
  private final BranchStore branches;
  private final Pages pages;

  public BranchService(CoreContext context) {
    this.store = context.store();
    this.commands = context.commands();
    this.sessions = new SessionStore(context.layout(), context.log());
    this.tasks = new TaskStore(context.layout());
    this.branches = new BranchStore(context.layout(), context.events());
    this.pages = context.pages();
  }

  @Override
  public void listSessionBranches(
      ListSessionBranchesRequest request, StreamObserver<ListSessionBranchesResponse> response) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    Pages.Page<BranchRecord> page =
        store.read(
            tr -> {
              sessions.need(tr, caller, session);
              return pages.read(
                  tr,
                  branches.records(),
                  Pages.Ask.of(request, BranchStore.SESSION, session, true),
                  branch -> true);
            });
    ListSessionBranchesResponse.Builder list =
        ListSessionBranchesResponse.newBuilder().setPage(page.info());
    page.rows().forEach(record -> list.addData(record.getBranch()));
    Replies.send(response, list.build());
  }

  @Override
  public void createSessionBranch(
      CreateSessionBranchRequest request, StreamObserver<Branch> response) {
    Caller caller = Caller.current();
    String session = request.getSessionId();
    Branch made =
        commands.run(
            request,
            session,
            write -> sessions.need(write.tr(), caller, session).getWorkspaceId(),
            write -> create(write, caller, sessions.need(write.tr(), caller, session), request),
            Branch.getDefaultInstance());
    Replies.send(response, made);
  }

  private Branch create(
      Write write, Caller caller, Session session, CreateSessionBranchRequest request) {
    SessionStore.needOpen(session);
    if (request.hasParentBranchId()) {
      branches.referenced(
          write.tr(),
          caller,
          session.getWorkspaceId(),
          request.getParentBranchId(),
          "parent_branch_id");
    }
    if (request.hasTaskId()
        && tasks
            .find(write.tr(), write.tenant(), request.getTaskId())
            .filter(task -> task.getTask().getSessionId().equals(session.getId()))
            .isEmpty()) {
      throw ProtocolException.notFound("task", request.getTaskId()).blaming("task_id");
    }
    Branch branch =
        Members.create(write, write.id("branch"), request, Branch.getDefaultInstance()).toBuilder()
            .setWorkspaceId(session.getWorkspaceId())
            .setCreatedBy(write.actor())
            .build();
    branches.insert(write, session.getId(), branch);
    return branch;
  }

  @Override
  public void getBranch(GetBranchRequest request, StreamObserver<Branch> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> branches.need(tr, caller, request.getBranchId())));
  }
}
