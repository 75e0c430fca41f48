package dev.bridle.core.operations.check.resource;

import dev.bridle.core.integrations.webhook.WebhookStore;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.Records;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.record.v1.WebhookRecord;
import dev.bridle.record.v1.WebhookStateRecord;
import dev.bridle.storage.layer.EventId;
import java.util.Optional;

/** Checks that every webhook has a position in the event feed. */
public final class WebhooksCheck implements Check {
  @Override
  public void run(CheckScope scope) {
    scope.walk().step("webhooks of " + scope.tenant());
    Records records = new Records(scope.rows(), scope.tenant());
    RowCheck.eachRecord(
        scope,
        WebhookStore.WEBHOOK,
        (tr, id, webhook) ->
            fault(scope, records.find(tr, WebhookStore.WEBHOOK_STATE, id), id, webhook));
  }

  private static Optional<Fault> fault(
      CheckScope scope, Optional<WebhookStateRecord> state, String id, WebhookRecord webhook) {
    if (state.isEmpty()) {
      return webhook.getDeletedAt() == 0
          ? Optional.of(fault(scope, id, "The webhook has no position in the event feed."))
          : Optional.empty();
    }
    if (EventId.parse(state.get().getCursor()).isEmpty()) {
      return Optional.of(
          fault(scope, id, "The webhook's position in the event feed can't be read."));
    }
    return Optional.empty();
  }

  private static Fault fault(CheckScope scope, String id, String what) {
    return Fault.of(FaultKind.WEBHOOK_WRONG, scope.tenant(), id, what);
  }
}
