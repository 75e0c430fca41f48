package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tool call that was allowed, by one question or by several. What the agent says of it while it
 * asks about it once more has to be allowed by that question, or it is another action.
 */
final class AllowedCall {
  /** How many questions about the call are compared, the latest ones. */
  private static final int MOST = 16;

  private final List<Approval> approvals = new ArrayList<>();

  /** What was said otherwise, and is not allowed yet. */
  private final List<Meanwhile> others = new ArrayList<>();

  private boolean over;
  private boolean isNamed;

  /**
   * An approval.
   *
   * @param covers what was said otherwise before, and is allowed by it
   */
  private record Approval(ShownCall shown, List<Meanwhile> covers) {}

  /**
   * What was said while questions about the call were open.
   *
   * @param questions the questions that show it; none if nobody can allow it any more
   */
  private record Meanwhile(List<Question.Permission> questions, ObjectNode difference) {
    boolean isAbout(Question question) {
      return questions.stream().anyMatch(question::equals);
    }
  }

  /** Returns about how much memory it takes. */
  long bytes() {
    return approvals.stream().mapToLong(approval -> approval.shown().bytes()).sum()
        + others.stream().mapToLong(other -> Bounded.bytes(other.difference())).sum();
  }

  boolean isOver() {
    return over;
  }

  /** Notes that a question about it is about to be allowed. */
  void allow(Question question, ShownCall shown) {
    over = false;
    List<Meanwhile> covers = others.stream().filter(other -> other.isAbout(question)).toList();
    others.removeAll(covers);
    approvals.add(new Approval(shown, covers));
    if (approvals.size() > MOST) {
      approvals.remove(0);
    }
  }

  /** Takes that back; returns whether nothing is allowed any more. */
  boolean retract(ShownCall shown) {
    for (Approval approval : List.copyOf(approvals)) {
      if (approval.shown().equals(shown)) {
        approvals.remove(approval);
        others.addAll(approval.covers());
      }
    }
    return approvals.isEmpty();
  }

  /** Returns what was shown last. */
  ShownCall newest() {
    return approvals.get(approvals.size() - 1).shown();
  }

  /** Returns what the call is otherwise than was shown, or was meanwhile. */
  Optional<ObjectNode> difference(CallUpdate update) {
    over = update.call().over();
    Optional<ObjectNode> now = differenceNow(update);
    if (update.isAsked()) {
      now.ifPresent(difference -> keep(update.questions(), difference));
      return Optional.empty();
    }
    return others.stream().findFirst().map(Meanwhile::difference).or(() -> now);
  }

  /** Returns the name of its tool that was not said before it was allowed, once. */
  Optional<String> takeFirstName(ToolCall call) {
    Optional<String> name =
        isNamed || approvals.isEmpty() ? Optional.empty() : newest().firstName(call);
    isNamed |= name.isPresent();
    return name;
  }

  private Optional<ObjectNode> differenceNow(CallUpdate update) {
    Optional<ObjectNode> difference = Optional.empty();
    for (Approval approval : approvals) {
      difference = approval.shown().difference(update);
      if (difference.isEmpty()) {
        break;
      }
    }
    return difference;
  }

  /** Of what nobody can allow any more, one is enough. */
  private void keep(List<Question.Permission> questions, ObjectNode difference) {
    if (others.size() >= MOST) {
      others.add(0, new Meanwhile(List.of(), difference));
    }
    others.replaceAll(
        other ->
            other.questions().stream().anyMatch(questions::contains)
                ? other
                : new Meanwhile(List.of(), other.difference()));
    Optional<Meanwhile> certain =
        others.stream().filter(other -> other.questions().isEmpty()).findFirst();
    if (certain.isPresent()) {
      others.clear();
      others.add(certain.get());
    } else if (others.stream().noneMatch(other -> other.questions().equals(questions))) {
      others.add(new Meanwhile(questions, difference));
    }
  }
}
