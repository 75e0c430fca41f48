package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.rpc.JsonRpcPeer;
import dev.bridle.host.rpc.PeerException;
import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What goes to the editor, as fast as it reads. Thread-safe. */
final class EditorLink {
  /** How many updates are sent before the editor must have read them. */
  private static final int MOST_AHEAD = 128;

  private static final int MOST_BYTES_AHEAD = 4 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Longer than any permission request is open. */
  private static final Duration LONGEST_QUESTION = Duration.ofDays(31);

  private final CompletableFuture<JsonRpcPeer> peer = new CompletableFuture<>();
  private int ahead;
  private int bytesAhead;

  /** The editor reads nothing any more. */
  static final class EditorGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EditorGone(Throwable cause) {
      super("The editor reads nothing any more", cause);
    }
  }

  /** Sets the connection, once. What is sent before waits for it. */
  void attach(JsonRpcPeer connection) {
    peer.complete(connection);
  }

  /** Sends an update of a session; waits while the editor is behind. */
  synchronized void update(String session, ObjectNode update) {
    try {
      if (ahead >= MOST_AHEAD || bytesAhead >= MOST_BYTES_AHEAD) {
        if (!peer.join().awaitWritten(PATIENCE)) {
          peer.join().close();
        }
        ahead = 0;
        bytesAhead = 0;
      }
      ahead++;
      bytesAhead += update.toString().length();
      tell(session, update);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EditorGone(e);
    }
  }

  /** Sends an update without waiting. */
  void tell(String session, ObjectNode update) {
    try {
      ObjectNode params = JsonLines.object().put("sessionId", session);
      peer.join().notify("session/update", params.set("update", update));
    } catch (PeerException e) {
      throw new EditorGone(e);
    }
  }

  /** Asks the editor's user; the answer comes on a thread that must not wait. */
  CompletableFuture<RawJson> ask(ObjectNode params) {
    return peer.join().call("session/request_permission", params, LONGEST_QUESTION);
  }

  /** Takes a question back; an answer that comes later is ignored. */
  void withdraw(CompletableFuture<RawJson> question) {
    peer.join()
        .giveUp(question)
        .ifPresent(
            id -> {
              try {
                peer.join().notify("$/cancel_request", JsonLines.object().put("requestId", id));
              } catch (PeerException e) {
                throw new EditorGone(e);
              }
            });
  }
}
