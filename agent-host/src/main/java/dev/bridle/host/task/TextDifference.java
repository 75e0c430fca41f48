package dev.bridle.host.task;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.DeleteDelta;
import com.github.difflib.patch.InsertDelta;
import com.github.difflib.patch.Patch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** How a text becomes another one, as a unified diff, which a person reads before an edit. */
final class TextDifference {
  private static final int CONTEXT = 3;

  /** Files with more lines are shown as replaced, since comparing takes too long. */
  private static final int MOST_LINES = 5000;

  private static final String NO_LINE_BREAK = "\n\\ No newline at end of file";

  private final List<String> lines;

  private TextDifference(List<String> lines) {
    this.lines = lines;
  }

  /** Compares two texts line by line; a carriage return is part of its line. */
  static TextDifference of(String before, String after) {
    List<String> old = lines(before);
    List<String> edited = lines(after);
    List<String> unified =
        UnifiedDiffUtils.generateUnifiedDiff("", "", old, patch(old, edited), CONTEXT);
    // Without the two lines that name files.
    return new TextDifference(unified.isEmpty() ? unified : unified.subList(2, unified.size()));
  }

  private static Patch<String> patch(List<String> old, List<String> edited) {
    Patch<String> patch = new Patch<>();
    if (old.isEmpty() || edited.isEmpty() || old.size() + edited.size() > MOST_LINES) {
      if (!old.equals(edited)) {
        patch.addDelta(delta(new Chunk<>(0, old), new Chunk<>(0, edited)));
      }
      return patch;
    }
    // Of a line that is replaced, the algorithm may find two changes, in any order.
    Deque<AbstractDelta<String>> merged = new ArrayDeque<>();
    for (AbstractDelta<String> next :
        DiffUtils.diff(old, edited, new MyersDiffWithLinearSpace<>()).getDeltas()) {
      if (!merged.isEmpty()
          && end(merged.getLast().getSource()) == next.getSource().getPosition()
          && end(merged.getLast().getTarget()) == next.getTarget().getPosition()) {
        AbstractDelta<String> last = merged.removeLast();
        next =
            delta(
                joined(last.getSource(), next.getSource()),
                joined(last.getTarget(), next.getTarget()));
      }
      merged.addLast(next);
    }
    merged.forEach(patch::addDelta);
    return patch;
  }

  private static int end(Chunk<String> chunk) {
    return chunk.getPosition() + chunk.size();
  }

  private static Chunk<String> joined(Chunk<String> first, Chunk<String> second) {
    List<String> lines = new ArrayList<>(first.getLines());
    lines.addAll(second.getLines());
    return new Chunk<>(first.getPosition(), lines);
  }

  private static AbstractDelta<String> delta(Chunk<String> from, Chunk<String> to) {
    if (from.getLines().isEmpty()) {
      return new InsertDelta<>(from, to);
    }
    return to.getLines().isEmpty() ? new DeleteDelta<>(from, to) : new ChangeDelta<>(from, to);
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    String last = lines.remove(lines.size() - 1);
    if (!last.isEmpty()) {
      lines.add(last + NO_LINE_BREAK);
    }
    return lines;
  }

  /** Returns the diff without the lines that name files; empty if the texts are equal. */
  String text() {
    return String.join("\n", lines);
  }

  /** Returns whether the lines of a text have each changed one, which need not be shown twice. */
  boolean isWithin(Set<String> there) {
    return lines.stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("+") || line.startsWith("-"))
        .allMatch(there::contains);
  }
}
