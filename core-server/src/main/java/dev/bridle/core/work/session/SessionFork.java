package dev.bridle.core.work.session;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.branch.v1.Branch;
import dev.bridle.branch.v1.BranchKind;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.branch.BranchStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.message.Transcripts;
import dev.bridle.message.v1.Message;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.session.v1.SessionState;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.RecordRows.Row;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * Forks a session: creates one with the transcript of another (protocol section "Session").
 * Messages are copied, so that each session can be truncated, exported or continued alone; tasks
 * and outcomes stay with the origin.
 */
public final class SessionFork {
  private static final int MAX_MESSAGES = 2000;
  private static final long MAX_BYTES = 4L << 20;

  private final SessionStore sessions;
  private final MessageStore messages;
  private final Transcripts transcripts;
  private final BranchStore branches;
  private final EventLog log;
  private final Events events;

  SessionFork(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.messages = new MessageStore(context.layout());
    this.transcripts = new Transcripts(context.layout(), context.log());
    this.branches = new BranchStore(context.layout(), context.events());
    this.log = context.log();
    this.events = context.events();
  }

  Session fork(Write write, Session origin, ForkSessionRequest request) {
    Optional<EventId> at =
        request.hasAtEventId()
            ? Optional.of(eventOf(write, origin, request.getAtEventId()))
            : Optional.empty();
    List<Message> copied = transcript(write, origin, at);
    String id = write.id("session");
    String base =
        at.or(() -> log.lastEventId(write.tr(), write.tenant(), origin.getId()))
            .map(EventId::toString)
            .orElse(origin.getId());
    String branch =
        request.hasBranchId()
            ? given(write, origin, request.getBranchId())
            : branched(write, origin, id, base);
    events.ofSession(
        write,
        origin.getWorkspaceId(),
        origin.getId(),
        EventDraft.of(
            EventKinds.SESSION_THREAD_FORKED,
            Payload.of()
                .text("forked_session_id", id)
                .text("branch_id", branch)
                .text("at_event_id", base)
                .number("message_count", copied.size())));
    Session made = session(write, origin, id, branch, request);
    sessions.insert(write, made);
    events.ofSession(
        write,
        made.getWorkspaceId(),
        id,
        EventDraft.of(
            EventKinds.SESSION_CREATED,
            Payload.of()
                .text("state", "ACTIVE")
                .text("persona_id", made.getPersonaId())
                .text("root_session_id", made.getRootSessionId())
                .text("parent_session_id", made.getParentSessionId())
                .text("branch_id", branch)
                .text("at_event_id", base)
                .json("metadata", made.getMetadata())));
    copied.forEach(message -> copy(write, made, message));
    return made;
  }

  private static Session session(
      Write write, Session origin, String id, String branch, ForkSessionRequest request) {
    Timestamp now = Timestamps.fromMillis(write.nowMillis());
    Session.Builder made =
        Session.newBuilder()
            .setId(id)
            .setCreatedAt(now)
            .setUpdatedAt(now)
            .setMetadata(request.getMetadata())
            .setWorkspaceId(origin.getWorkspaceId())
            .setState(SessionState.SESSION_STATE_ACTIVE)
            .setTranscript(SessionStore.transcript(id))
            .setRootSessionId(origin.getRootSessionId())
            .setParentSessionId(origin.getId())
            .setBranchId(branch)
            .addAllSkillIds(origin.getSkillIdsList())
            .addAllMemoryIds(origin.getMemoryIdsList())
            .addAllVaultIds(origin.getVaultIdsList());
    if (origin.hasPersonaId()) {
      made.setPersonaId(origin.getPersonaId());
    }
    return made.build();
  }

  private void copy(Write write, Session made, Message original) {
    Message message =
        original.toBuilder()
            .setId(write.id("message"))
            .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()))
            .setSessionId(made.getId())
            .setWorkspaceId(made.getWorkspaceId())
            .setCopyOf(original.hasCopyOf() ? original.getCopyOf() : original.getId())
            .clearTaskId()
            .build();
    messages.insert(
        write,
        message,
        events.ofSession(
            write,
            made.getWorkspaceId(),
            made.getId(),
            EventDraft.of(
                EventKinds.SESSION_MESSAGE_APPENDED,
                MessageStore.facts(message).text("copied_from_message_id", original.getId()))));
  }

  private List<Message> transcript(Write write, Session origin, Optional<EventId> at) {
    List<Row> rows =
        transcripts.shown(write.tr(), write.tenant(), origin.getId(), MAX_MESSAGES + 1);
    List<String> ids =
        rows.stream()
            .filter(row -> at.isEmpty() || row.place().upTo(at.get()))
            .map(Row::id)
            .toList();
    if (ids.size() > MAX_MESSAGES) {
      throw tooLong();
    }
    RecordStore.Some<Message> copied =
        messages.some(write.tr(), write.tenant(), ids, MAX_BYTES + 1);
    long bytes = copied.records().stream().mapToLong(Message::getSerializedSize).sum();
    if (copied.ids() < ids.size() || bytes > MAX_BYTES) {
      throw tooLong();
    }
    return copied.records();
  }

  private static ProtocolException tooLong() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
        "The transcript is longer than "
            + MAX_MESSAGES
            + " messages or "
            + (MAX_BYTES >> 20)
            + " MiB; fork at an earlier event, or truncate it first.");
  }

  private EventId eventOf(Write write, Session origin, String text) {
    Optional<EventId> id = EventId.parse(text);
    boolean there =
        id.flatMap(event -> log.find(write.tr(), write.tenant(), event))
            .filter(event -> event.stream().equals(origin.getId()))
            .isPresent();
    if (there) {
      return id.orElseThrow();
    }
    Optional<EventId> floor = log.floor(write.tr(), write.tenant(), origin.getId());
    if (id.isPresent() && floor.filter(oldest -> id.get().compareTo(oldest) < 0).isPresent()) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_CURSOR_EXPIRED, "The event is older than what is retained.")
          .blaming("at_event_id");
    }
    throw ProtocolException.notFound("event", text).blaming("at_event_id");
  }

  private String given(Write write, Session origin, String branch) {
    branches.referenced(write.tr(), Caller.current(), origin.getWorkspaceId(), branch, "branch_id");
    return branch;
  }

  private String branched(Write write, Session origin, String session, String base) {
    Branch branch =
        BranchStore.beside(write, origin, BranchKind.BRANCH_KIND_SESSION, base, session);
    branches.insert(write, origin.getId(), branch);
    return branch.getId();
  }
}
