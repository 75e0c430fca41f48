package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.worker.v1.GetSessionStateRequest;
import dev.bridle.worker.v1.GetSessionStateResponse;
import dev.bridle.worker.v1.SessionState;
import dev.bridle.worker.v1.SetSessionStateRequest;
import java.util.Optional;

/** What an agent keeps about the session of a leased task. Thread-safe. */
final class KeptState {
  private final LeaseHold hold;
  private final CoreCalls core;
  private long revision;

  KeptState(LeaseHold hold, CoreCalls core) {
    this.hold = hold;
    this.core = core;
  }

  synchronized Optional<byte[]> read() {
    GetSessionStateResponse response =
        core.call(
            hold,
            stub ->
                stub.getSessionState(
                    GetSessionStateRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .build()));
    revision = Math.max(revision, response.getState().getRevision());
    return response.hasState()
        ? Optional.of(response.getState().getState().toByteArray())
        : Optional.empty();
  }

  synchronized void keep(byte[] state) {
    if (revision == 0) {
      var unused = read();
    }
    SessionState.Builder next = SessionState.newBuilder().setState(ByteString.copyFrom(state));
    SessionState kept = set(next.setRevision(revision + 1).build());
    while (!kept.getState().equals(next.getState())) {
      // Another process of the agent works on the session, too; the newest call wins.
      kept = set(next.setRevision(kept.getRevision() + 1).build());
    }
    revision = kept.getRevision();
  }

  private SessionState set(SessionState state) {
    return core.call(
            hold,
            stub ->
                stub.setSessionState(
                    SetSessionStateRequest.newBuilder()
                        .setTaskId(hold.taskId())
                        .setFence(hold.fence())
                        .setState(state)
                        .build()))
        .getState();
  }
}
