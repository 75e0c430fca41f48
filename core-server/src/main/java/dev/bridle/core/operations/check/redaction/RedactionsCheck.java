package dev.bridle.core.operations.check.redaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.integrations.webhook.WebhookDeliveryStore;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.IdempotencyRows;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.redaction.ErasedAnswers;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.redaction.v1.RedactionStatus;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.TenantSpace;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the content of every redacted resource is gone: from the resource itself, from the
 * steps of its task, and, once the redaction says that it is done, from all copies.
 */
public final class RedactionsCheck implements Check {
  private static final int PAGE = 200;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("redactions of " + scope.tenant());
    KeyRange marks =
        scope
            .rows()
            .recordKeys()
            .recordRange(scope.tenant(), RedactionStore.REDACTED_RESOURCE.number());
    if (scope.store().read(tr -> tr.getRange(marks, 1)).isEmpty()) {
      return;
    }
    ErasedResources resources = new ErasedResources(scope);
    RowCheck.eachRecord(
        scope,
        RedactionStore.REDACTED_RESOURCE,
        (tr, id, mark) ->
            resources.left(tr, mark).map(left -> fault(scope, mark.getId(), mark, left)));
    answers(scope);
    deliveries(scope);
  }

  private static void answers(CheckScope scope) {
    ErasedAnswers erased = new ErasedAnswers(new RedactionStore(scope.layout()));
    for (TenantSpace space : List.of(TenantSpace.IDEMPOTENCY, TenantSpace.KEYED_COMMAND)) {
      RowCheck.each(
          scope,
          scope.rows().below(scope.tenant(), space),
          (tr, row) -> {
            IdempotencyRows rows = IdempotencyRows.around(scope, row);
            return rows.itemsAfterHead(row) == 1
                ? rows.find(tr)
                    .filter(command -> isLeft(scope, tr, erased, command))
                    .map(
                        command ->
                            Fault.of(
                                FaultKind.REDACTION_WRONG,
                                scope.tenant(),
                                rows.id(),
                                "The answer of an idempotency record has redacted content."))
                : Optional.empty();
          });
    }
  }

  /** Until all redactions are done, answers may still have content that nobody is shown. */
  private static boolean isLeft(
      CheckScope scope, ReadTransaction tr, ErasedAnswers erased, CommandRecord command) {
    try {
      return !erased.erased(tr, scope.tenant(), command).equals(command) && allDone(scope, tr);
    } catch (InvalidProtocolBufferException e) {
      return false; // IdempotencyCheck reports it.
    }
  }

  private static boolean allDone(CheckScope scope, ReadTransaction tr) {
    RedactionStore store = new RedactionStore(scope.layout());
    Optional<String> before = Optional.empty();
    while (true) {
      var page = store.page(tr, scope.tenant(), before, PAGE);
      if (page.stream()
          .anyMatch(
              record ->
                  record.getRedaction().getStatus() != RedactionStatus.REDACTION_STATUS_DONE)) {
        return false;
      }
      if (page.size() < PAGE) {
        return true;
      }
      before = Optional.of(page.get(PAGE - 1).getRedaction().getId());
    }
  }

  private static void deliveries(CheckScope scope) {
    RedactionStore store = new RedactionStore(scope.layout());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        WebhookDeliveryStore.WEBHOOK_DELIVERY,
        (tr, id, record) -> {
          if (record.getDelivery().getAttemptsList().stream()
              .noneMatch(attempt -> attempt.hasAnswer())) {
            return Optional.empty();
          }
          return store
              .ofDelivery(
                  tr,
                  scope.tenant(),
                  record.getDelivery().getEventId(),
                  record.getDelivery().getTaskId())
              .flatMap(mark -> records.find(tr, RedactionStore.REDACTION, mark.getRedactionId()))
              .filter(redaction -> redaction.getDueAt() == 0)
              .map(
                  redaction ->
                      Fault.of(
                          FaultKind.REDACTION_WRONG,
                          scope.tenant(),
                          id,
                          "The delivery of a webhook has an answer that may repeat redacted"
                              + " content."));
        });
  }

  private static Fault fault(
      CheckScope scope, String id, RedactedResourceRecord mark, String left) {
    return Fault.of(
        FaultKind.REDACTION_WRONG,
        scope.tenant(),
        id,
        "The content of the " + mark.getObject().replace('_', ' ') + " was redacted, but " + left);
  }
}
