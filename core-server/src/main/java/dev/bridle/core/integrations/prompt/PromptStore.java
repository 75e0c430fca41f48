package dev.bridle.core.integrations.prompt;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.record.v1.PromptCountRecord;
import dev.bridle.record.v1.PromptRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Stores accepted prompts, and counts them:
 *
 * <pre>
 * tenant / RECORD / prompt, hash of the actor, request   → PromptRecord
 * tenant / RECORD / prompt count, whose or for what      → how many in this minute
 * DUE / PROMPT, hash of the actor, request               → when it expires or is removed
 * </pre>
 */
public final class PromptStore {
  /** The definition of prompts. */
  public static final RecordDef<PromptRecord> PROMPT =
      RecordDef.of(132, "prompt", PromptRecord.parser())
          .id(record -> id(record.getActor(), record.getRequestId()))
          .refersTo("workspace", PromptRecord::getWorkspaceId)
          .refersTo("session", PromptRecord::getSessionId)
          .refersTo("task", PromptRecord::getTaskId)
          .alwaysDue(DueKind.PROMPT, PromptRecord::getDueAt)
          .build();

  /** The definition of counts. One is kept of each actor, mapping and session, and reused. */
  public static final RecordDef<PromptCountRecord> COUNT =
      RecordDef.of(133, "prompt count", PromptCountRecord.parser())
          .id(PromptCountRecord::getKey)
          .build();

  private final RecordStore<PromptRecord> prompts;
  private final RecordStore<PromptCountRecord> counts;
  private final DueIndex due;

  PromptStore(CoreContext context) {
    this.prompts = PROMPT.store(context.layout());
    this.counts = COUNT.store(context.layout());
    this.due = context.due();
  }

  private static String id(String actor, String requestId) {
    return HarpJson.hex(actor.getBytes(StandardCharsets.UTF_8)) + "\n" + requestId;
  }

  Optional<PromptRecord> find(ReadTransaction tr, String tenant, String actor, String requestId) {
    return prompts.get(tr, tenant, id(actor, requestId));
  }

  /** Returns the prompt of a due entry; empty if the entry is stale. */
  Optional<PromptRecord> due(ReadTransaction tr, DueEntry entry) {
    return prompts
        .get(tr, entry.tenant(), entry.id())
        .filter(prompt -> PROMPT.isDue(prompt, entry));
  }

  /** Removes a stale due entry. */
  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  void insert(Write write, PromptRecord prompt) {
    String id = id(prompt.getActor(), prompt.getRequestId());
    prompts.insert(write.tr(), write.tenant(), id, prompt);
    PROMPT.schedule(due, write.tr(), write.tenant(), prompt);
  }

  void update(Write write, PromptRecord before, PromptRecord after) {
    String id = id(after.getActor(), after.getRequestId());
    prompts.update(write.tr(), write.tenant(), id, before, after);
    PROMPT.reschedule(due, write.tr(), write.tenant(), before, after);
  }

  void remove(Write write, PromptRecord prompt) {
    prompts.remove(write.tr(), write.tenant(), id(prompt.getActor(), prompt.getRequestId()));
    PROMPT.unschedule(due, write.tr(), write.tenant(), prompt);
  }

  /** Returns how many were counted under a key in a minute. */
  int counted(ReadTransaction tr, String tenant, String key, long minute) {
    return counts
        .get(tr, tenant, key)
        .filter(count -> count.getMinute() == minute)
        .map(PromptCountRecord::getCount)
        .orElse(0);
  }

  /** Stores how many were counted under a key in a minute, in place of earlier minutes. */
  void count(Write write, String key, long minute, int count) {
    PromptCountRecord after =
        PromptCountRecord.newBuilder().setKey(key).setMinute(minute).setCount(count).build();
    counts
        .get(write.tr(), write.tenant(), key)
        .ifPresentOrElse(
            before -> counts.update(write.tr(), write.tenant(), key, before, after),
            () -> counts.insert(write.tr(), write.tenant(), key, after));
  }
}
