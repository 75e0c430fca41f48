package dev.bridle.core.api.redaction;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.redaction.RedactionOrders;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.redaction.v1.GetRedactionRequest;
import dev.bridle.redaction.v1.ListRedactionsRequest;
import dev.bridle.redaction.v1.ListRedactionsResponse;
import dev.bridle.redaction.v1.RedactRequest;
import dev.bridle.redaction.v1.Redaction;
import dev.bridle.redaction.v1.RedactionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Redactions (protocol section "Privacy and redaction"). */
public final class RedactionService extends RedactionServiceGrpc.RedactionServiceImplBase {
  private static final int LIST = 0;

  private final KeyValueStore store;
  private final RedactionStore redactions;
  private final RedactionOrders orders;
  private final Pages pages;

  public RedactionService(CoreContext context) {
    this.store = context.store();
    this.redactions = new RedactionStore(context.layout());
    this.orders = new RedactionOrders(context);
    this.pages = context.pages();
  }

  @Override
  public void redact(RedactRequest request, StreamObserver<Redaction> response) {
    Replies.send(response, orders.redact(request));
  }

  @Override
  public void getRedaction(GetRedactionRequest request, StreamObserver<Redaction> response) {
    Caller caller = Caller.current();
    String id = request.getRedactionId();
    Redaction found =
        store
            .read(tr -> redactions.find(tr, caller.tenant(), id))
            .map(RedactionRecord::getRedaction)
            .filter(redaction -> caller.reaches(redaction.getWorkspaceId()))
            .orElseThrow(() -> ProtocolException.notFound("redaction", id));
    Replies.send(response, found);
  }

  @Override
  public void listRedactions(
      ListRedactionsRequest request, StreamObserver<ListRedactionsResponse> response) {
    Caller caller = Caller.current();
    Pages.Page<Redaction> page =
        store.read(
            tr ->
                pages.named(
                    (before, limit) ->
                        redactions.page(tr, caller.tenant(), before, limit).stream()
                            .map(RedactionRecord::getRedaction)
                            .toList(),
                    Redaction::getId,
                    Pages.Ask.of(request, LIST, "redactions", true),
                    redaction -> caller.reaches(redaction.getWorkspaceId())));
    Replies.send(
        response,
        ListRedactionsResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }
}
