package dev.bridle.core.work.session;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchKind;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionState;

/**
 * Creates sessions on a branch of their own, for what can't go on in the session that it is about
 * (protocol section "Branch"). They have neither its transcript nor its memories, skills and
 * vaults.
 */
public final class IsolatedSessions {
  private final SessionStore sessions;
  private final BranchStore branches;
  private final Events events;

  public IsolatedSessions(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.branches = new BranchStore(context.layout(), context.events());
    this.events = context.events();
  }

  /**
   * Creates a session beside another one. All that is written is in the new session.
   *
   * @param task the task that the branch begins at
   * @param metadata of the new session, as a JSON object
   */
  public Session create(Write write, Session beside, String task, ByteString metadata) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    String id = write.id("session");
    Branch branch = BranchStore.beside(write, beside, BranchKind.BRANCH_KIND_TASK, task, id);
    Session made =
        Session.newBuilder()
            .setId(id)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(metadata)
            .setWorkspaceId(beside.getWorkspaceId())
            .setState(SessionState.SESSION_STATE_ACTIVE)
            .setTranscript(SessionStore.transcript(id))
            .setRootSessionId(beside.getRootSessionId())
            .setParentSessionId(beside.getId())
            .setBranchId(branch.getId())
            .build();
    sessions.insert(write, made);
    events.ofSession(
        write,
        made.getWorkspaceId(),
        id,
        EventDraft.of(
            EventKinds.SESSION_CREATED,
            Payload.of()
                .text("state", "ACTIVE")
                .text("root_session_id", made.getRootSessionId())
                .text("parent_session_id", made.getParentSessionId())
                .text("branch_id", made.getBranchId())
                .json("metadata", made.getMetadata())));
    branches.insert(write, id, branch);
    return made;
  }
}
