package dev.bridle.core.work.redaction;

import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/** What a tenant's redactions have redacted, as it is stored. */
record StoredMarks(RedactionStore redactions, ReadTransaction tr, String tenant)
    implements ErasedAnswers.Marks {
  @Override
  public Optional<String> redactionOf(String object, String id) {
    return id.isEmpty()
        ? Optional.empty()
        : redactions.resource(tr, tenant, object, id).map(RedactedResourceRecord::getRedactionId);
  }

  @Override
  public boolean ofDelivery(String event, String task) {
    return redactions.ofDelivery(tr, tenant, event, task).isPresent();
  }
}
