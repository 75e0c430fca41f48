package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an agent has just said of a tool call.
 *
 * @param call all that is known of the call now
 * @param members the members that were said just now, also with the values that they had before
 * @param questions the questions about the call that wait for an answer, as they are asked now
 */
public record CallUpdate(ToolCall call, Set<String> members, List<Question.Permission> questions) {
  /** Copies. */
  public CallUpdate {
    members = Set.copyOf(members);
    questions = List.copyOf(questions);
  }

  static CallUpdate of(ToolCall call, RawJson said) {
    Members update = Members.of(said);
    Set<String> members =
        update.names().stream()
            .filter(name -> update.raw(name).isPresent())
            .collect(Collectors.toSet());
    return new CallUpdate(call, members, List.of());
  }

  CallUpdate about(List<Question.Permission> waiting) {
    return new CallUpdate(call, members, waiting);
  }

  /** Returns whether people may yet allow it as it is now. */
  public boolean isAsked() {
    return !questions.isEmpty() && !call.over();
  }
}
