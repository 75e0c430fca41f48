package dev.bridle.core.work.branch;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchKind;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Stores branches, in the order in which they were created from their sessions:
 *
 * <pre>
 * tenant / RECORD / BRANCH, id                  → BranchRecord
 * tenant / INDEX / BRANCH, SESSION, session, …  → id
 * </pre>
 */
public final class BranchStore {
  /**
   * The definition of branches. Lineage to other sessions is not a reference: an export of one
   * session leaves it out.
   */
  public static final RecordDef<BranchRecord> BRANCH =
      RecordDef.of(17, "branch", BranchRecord.parser())
          .id(record -> record.getBranch().getId())
          .indexed(RecordDef.BY_SESSION, BranchRecord::getOriginSessionId)
          .refersTo("workspace", record -> record.getBranch().getWorkspaceId())
          .belongsTo("session", BranchRecord::getOriginSessionId)
          .belongsTo("task", record -> record.getBranch().getTaskId())
          .liesIn(record -> record.getBranch().getWorkspaceId(), BranchRecord::getOriginSessionId)
          .firstEventIn(BranchRecord::getOriginSessionId, "branch_id")
          .exported()
          .build();

  /** The index of the branches of a session. */
  public static final int SESSION = RecordDef.BY_SESSION;

  private final RecordStore<BranchRecord> records;
  private final Events events;

  public BranchStore(KeyLayout layout, Events events) {
    this.records = BRANCH.store(layout);
    this.events = events;
  }

  /** Returns a branch that the caller can access; {@code resource_not_found} otherwise. */
  public Branch need(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller, id).orElseThrow(() -> ProtocolException.notFound(BRANCH.name(), id));
  }

  private Optional<Branch> find(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .map(BranchRecord::getBranch)
        .filter(branch -> caller.reaches(branch.getWorkspaceId()));
  }

  /**
   * Checks that a member of a request names a branch of a workspace; {@code resource_not_found}
   * with that member otherwise.
   */
  public void referenced(
      ReadTransaction tr, Caller caller, String workspace, String id, String param) {
    if (find(tr, caller, id)
        .filter(branch -> branch.getWorkspaceId().equals(workspace))
        .isEmpty()) {
      throw ProtocolException.notFound(BRANCH.name(), id).blaming(param);
    }
  }

  /**
   * Returns a new branch beside a session, whose own branch is its parent.
   *
   * @param baseRef the branching point
   * @param session the session that goes on on the branch
   */
  public static Branch beside(
      Write write, Session origin, BranchKind kind, String baseRef, String session) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Branch.Builder branch =
        Branch.newBuilder()
            .setId(write.id("branch"))
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setWorkspaceId(origin.getWorkspaceId())
            .setKind(kind)
            .setBaseRef(baseRef)
            .setSessionId(session)
            .setCreatedBy(write.actor());
    if (origin.hasBranchId()) {
      branch.setParentBranchId(origin.getBranchId());
    }
    return branch.build();
  }

  /**
   * Stores a new branch and emits its event.
   *
   * @param origin the session that it branches from
   */
  public void insert(Write write, String origin, Branch branch) {
    BranchRecord record =
        BranchRecord.newBuilder().setBranch(branch).setOriginSessionId(origin).build();
    records.insert(write.tr(), write.tenant(), branch.getId(), record);
    BRANCH.index(records, write.tr(), write.tenant(), record, write.order());
    Payload facts = Members.createdFacts(branch, Payload.of().text("branch_id", branch.getId()));
    events.ofResource(
        write,
        branch.getWorkspaceId(),
        origin,
        BRANCH.name(),
        branch.getId(),
        origin,
        EventDraft.of(EventKinds.BRANCH_CREATED, facts));
  }

  /** Returns the records. */
  public RecordStore<BranchRecord> records() {
    return records;
  }
}
