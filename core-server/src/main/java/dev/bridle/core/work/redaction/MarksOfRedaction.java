package dev.bridle.core.work.redaction;

import dev.bridle.record.v1.RedactedResourceRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one redaction has redacted, in memory. */
public final class MarksOfRedaction implements ErasedAnswers.Marks {
  private final Map<String, String> redactions = new HashMap<>();
  private final Set<String> tasks = new HashSet<>();

  /** Creates the marks of a redaction's resources. */
  public MarksOfRedaction(List<RedactedResourceRecord> redacted) {
    for (RedactedResourceRecord one : redacted) {
      redactions.put(RedactionStore.idOf(one.getObject(), one.getId()), one.getRedactionId());
      if (!one.getTaskId().isEmpty()) {
        tasks.add(one.getTaskId());
      }
    }
  }

  @Override
  public Optional<String> redactionOf(String object, String id) {
    return Optional.ofNullable(redactions.get(RedactionStore.idOf(object, id)));
  }

  @Override
  public boolean ofDelivery(String event, String task) {
    return redactionOf(RedactionStore.EVENT, event).isPresent() || tasks.contains(task);
  }
}
