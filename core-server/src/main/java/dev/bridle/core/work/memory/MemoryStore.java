package dev.bridle.core.work.memory;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.memory.v1.Memory;
import dev.bridle.memory.v1.MemoryScope;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stores memories:
 *
 * <pre>
 * tenant / RECORD / MEMORY, id                             → MemoryRecord
 * tenant / INDEX / MEMORY, ALL | WORKSPACE | SESSION, …    → id
 * </pre>
 *
 * <p>A tombstone keeps the index rows of its memory, and lists skip it. They also skip a memory
 * that has expired, until the sweeper replaces it with a tombstone.
 */
public final class MemoryStore {
  /** The definition of memories. */
  public static final RecordDef<MemoryRecord> MEMORY =
      RecordDef.of(16, "memory", MemoryRecord.parser())
          .id(record -> record.getMemory().getId())
          .listed()
          .indexedWhere(
              record -> !record.getWorkspaceId().isEmpty(),
              RecordDef.BY_WORKSPACE,
              MemoryRecord::getWorkspaceId)
          .indexedWhere(
              record -> record.getMemory().getScope() == MemoryScope.MEMORY_SCOPE_SESSION,
              RecordDef.BY_SESSION,
              record -> record.getMemory().getOwnerId())
          .refersTo("workspace", MemoryRecord::getWorkspaceId)
          .refersBy(Set.of("persona", "session", "workspace"), MemoryStore::owner)
          .liesIn(MemoryRecord::getWorkspaceId, record -> "")
          .withStream()
          .exported(export -> export.inPhase("MEMORIES").takenAlong().moved(MemoryStore::inTenant))
          .due(DueKind.MEMORY, MemoryStore::expiresAt)
          .build();

  private final RecordStore<MemoryRecord> records;

  public MemoryStore(KeyLayout layout) {
    this.records = MEMORY.store(layout);
  }

  private Optional<MemoryRecord> find(ReadTransaction tr, Caller caller, String id) {
    return records.get(tr, caller.tenant(), id).filter(record -> reached(caller, record));
  }

  /**
   * Returns the id of a memory that a session of a workspace may use; rejects the member of the
   * request that names it otherwise.
   */
  public String givenTo(Write write, Caller caller, String workspace, String id, String param) {
    MemoryRecord record =
        find(write.tr(), caller, id)
            .filter(found -> lives(found, write.nowMillis()))
            .orElseThrow(() -> absent(id).blaming(param));
    boolean elsewhere =
        !record.getWorkspaceId().isEmpty() && !record.getWorkspaceId().equals(workspace);
    if (elsewhere || record.getMemory().getScope() == MemoryScope.MEMORY_SCOPE_SESSION) {
      throw ProtocolException.invalid(
          param,
          "names a memory of another workspace or session; name one of this workspace or the"
              + " tenant");
    }
    return id;
  }

  /** Returns whether a memory is neither deleted nor expired at a time. */
  public static boolean lives(MemoryRecord record, long nowMillis) {
    return !buried(record) && (expiresAt(record) == 0 || nowMillis < expiresAt(record));
  }

  /** Returns whether a record is the tombstone of a deleted memory. */
  public static boolean buried(MemoryRecord record) {
    return record.getDeletedAt() != 0;
  }

  /** Returns when a live memory expires, in Unix milliseconds; 0: never. */
  public static long expiresAt(MemoryRecord record) {
    return record.getMemory().hasExpiresAt()
        ? Timestamps.toMillis(record.getMemory().getExpiresAt())
        : 0;
  }

  /** Returns whether a caller may see a memory. */
  public static boolean reached(Caller caller, MemoryRecord record) {
    return record.getWorkspaceId().isEmpty() || caller.reaches(record.getWorkspaceId());
  }

  /** Returns the tombstone of a memory: its scope, owner and times, without its content. */
  public static MemoryRecord tombstone(Write write, MemoryRecord before) {
    Memory memory = before.getMemory();
    return before.toBuilder()
        .setMemory(
            Memory.newBuilder()
                .setId(memory.getId())
                .setCreatedAt(memory.getCreatedAt())
                .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
                .setScope(memory.getScope())
                .setOwnerId(memory.getOwnerId()))
        .setDeletedAt(write.nowMillis())
        .build();
  }

  private static ProtocolException absent(String id) {
    return ProtocolException.notFound(MEMORY.name(), id);
  }

  private static void owner(MemoryRecord record, Consumer<Reference> to) {
    String owner = record.getMemory().getOwnerId();
    switch (record.getMemory().getScope()) {
      case MEMORY_SCOPE_PERSONA -> to.accept(new Reference("persona", owner, false));
      case MEMORY_SCOPE_SESSION -> to.accept(new Reference("session", owner, true));
      case MEMORY_SCOPE_WORKSPACE -> to.accept(new Reference("workspace", owner, false));
      default -> {} // The tenant itself.
    }
  }

  private static MemoryRecord inTenant(MemoryRecord record, String tenant) {
    if (record.getMemory().getScope() != MemoryScope.MEMORY_SCOPE_TENANT) {
      return record;
    }
    MemoryRecord.Builder moved = record.toBuilder();
    moved.getMemoryBuilder().setOwnerId(tenant);
    return moved.build();
  }
}
