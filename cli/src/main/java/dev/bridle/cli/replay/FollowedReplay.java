package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.io.PrintWriter;
import java.util.UUID;
import java.util.function.Predicate;

/** Lets a server replay something, and follows the replay. Who leaves reads how to go on. */
final class FollowedReplay {
  private final RestClient client;
  private final PrintWriter err;
  private final String server;

  /**
   * Creates what follows replays.
   *
   * @param err for notices
   * @param server the options that select the server in a command, each with a leading space
   */
  FollowedReplay(RestClient client, PrintWriter err, String server) {
    this.client = client;
    this.err = err;
    this.server = server;
  }

  /**
   * Requests a replay, and returns the task that it is.
   *
   * @param source the path of what is replayed
   * @throws CommandFailed with the server's error, if it can't be replayed
   */
  JsonNode accepted(String source, ObjectNode request) {
    return client.post(source + "/replay", request, UUID.randomUUID().toString());
  }

  /** Reads the events of a replay for as long as more are wanted. */
  void follow(String replay, Predicate<StreamEvent> reader) {
    LeavingHint hint = LeavingHint.of(err, watch(replay));
    try {
      new ResumingStream(client, "/v1/tasks/" + RestClient.escape(replay) + "/stream", this::notice)
          .readWhile(reader);
    } catch (CommandFailed e) {
      notice(watch(replay));
      throw e;
    } finally {
      hint.close();
    }
  }

  /** Prints a notice. */
  void notice(String notice) {
    err.println("bridle: " + notice);
    err.flush();
  }

  private String watch(String id) {
    return "the replay goes on; follow it with 'bridle task watch " + id + server + "'";
  }
}
