package dev.bridle.core.api.outcome;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.outcome.v1.GetOutcomeRequest;
import dev.bridle.outcome.v1.ListOutcomesRequest;
import dev.bridle.outcome.v1.ListOutcomesResponse;
import dev.bridle.outcome.v1.Outcome;
import dev.bridle.outcome.v1.OutcomeServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import io.grpc.stub.StreamObserver;

/** Results of tasks (protocol section "Outcome"). */
public final class OutcomeService extends OutcomeServiceGrpc.OutcomeServiceImplBase {
  private final KeyValueStore store;
  private final TaskStore tasks;
  private final OutcomeStore outcomes;
  private final OutcomeResources resources;
  private final Pages pages;

  public OutcomeService(CoreContext context) {
    this.store = context.store();
    this.tasks = new TaskStore(context.layout());
    this.outcomes = new OutcomeStore(context.layout());
    this.resources = new OutcomeResources(context.layout());
    this.pages = context.pages();
  }

  @Override
  public void listOutcomes(
      ListOutcomesRequest request, StreamObserver<ListOutcomesResponse> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> list(tr, caller, request)));
  }

  private ListOutcomesResponse list(
      ReadTransaction tr, Caller caller, ListOutcomesRequest request) {
    if (request.hasTaskId() && tasks.reached(tr, caller, request.getTaskId()).isEmpty()) {
      return ListOutcomesResponse.newBuilder().setPage(Pages.Page.none().info()).build();
    }
    int index = request.hasTaskId() ? OutcomeStore.TASK : OutcomeStore.ALL;
    Pages.Page<Outcome> page =
        pages.shown(
            tr,
            outcomes.records(),
            Pages.Ask.of(request, index, request.getTaskId(), true),
            record -> caller.reaches(record.getWorkspaceId()),
            record -> resources.toResource(tr, caller.tenant(), record));
    return ListOutcomesResponse.newBuilder().setPage(page.info()).addAllData(page.rows()).build();
  }

  @Override
  public void getOutcome(GetOutcomeRequest request, StreamObserver<Outcome> response) {
    Caller caller = Caller.current();
    Replies.send(
        response,
        store.read(
            tr ->
                resources.toResource(
                    tr, caller.tenant(), outcomes.need(tr, caller, request.getOutcomeId()))));
  }
}
