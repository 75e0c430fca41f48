package dev.bridle.host.acp;

import dev.bridle.host.acp.HistoryEntry.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Follows an agent that repeats the history of its session: in its order, from wherever it begins,
 * in other pieces than before, without what some agents leave out.
 */
final class HistoryMatch {
  private final List<HistoryEntry> entries;

  /** Where the repetition may have come to. */
  private Set<Place> places = new LinkedHashSet<>();

  /**
   * Before an entry, or within it.
   *
   * @param text what came of it
   */
  private record Place(int entry, TextPrint text) {}

  HistoryMatch(List<HistoryEntry> entries) {
    this.entries = List.copyOf(entries);
    anywhere();
  }

  /** Forgets what came: it was of before the entries, or of none. */
  void anywhere() {
    places = new LinkedHashSet<>();
    for (int i = 0; i <= entries.size(); i++) {
      places.add(new Place(i, TextPrint.EMPTY));
    }
  }

  /** Takes a piece of a text; false, and nothing changes, if it is no part of the history. */
  boolean text(Kind kind, String piece) {
    return move(after(kind, piece));
  }

  private boolean move(Set<Place> next) {
    if (!next.isEmpty()) {
      places = next;
    }
    return !next.isEmpty();
  }

  /**
   * Takes words of the user, which an agent may also repeat of the turn that it is in.
   *
   * @param now the words that the turn began with
   * @return whether they are now whole, and others than those
   */
  boolean user(String piece, TextPrint now) {
    Set<Place> next = after(Kind.USER, piece);
    boolean isOld =
        next.stream()
            .filter(place -> place.text().isEmpty() && place.entry() > 0)
            .map(place -> entries.get(place.entry() - 1))
            .anyMatch(entry -> entry.kind() == Kind.USER && !entry.print().equals(now));
    places.stream().filter(place -> place.text().isEmpty()).forEach(next::add);
    return move(next) && isOld;
  }

  private Set<Place> after(Kind kind, String piece) {
    Set<Place> next = new LinkedHashSet<>();
    for (Place place : places) {
      if (!place.text().isEmpty()) {
        if (entries.get(place.entry()).kind() == kind) {
          go(place.entry(), place.text().plus(piece), next);
        }
      } else if (TextPrint.of(piece).isEmpty()) {
        next.add(place);
      } else {
        for (int i = place.entry(); i < entries.size(); i++) {
          if (entries.get(i).kind() == kind) {
            go(i, TextPrint.of(piece), next);
          }
          if (!entries.get(i).mayBeLeftOut()) {
            break;
          }
        }
      }
    }
    return next;
  }

  private void go(int entry, TextPrint text, Set<Place> next) {
    TextPrint whole = entries.get(entry).print();
    if (text.equals(whole)) {
      next.add(new Place(entry + 1, TextPrint.EMPTY));
    } else if (text.begins(whole)) {
      next.add(new Place(entry, text));
    }
  }

  /** Takes what comes in one piece, otherwise as {@link #text}. */
  boolean whole(Kind kind, TextPrint print) {
    HistoryEntry sought = new HistoryEntry(kind, print);
    Set<Place> next = new LinkedHashSet<>();
    for (Place place : places) {
      for (int i = place.entry(); place.text().isEmpty() && i < entries.size(); i++) {
        if (entries.get(i).equals(sought)) {
          next.add(new Place(i + 1, TextPrint.EMPTY));
        }
        if (!entries.get(i).mayBeLeftOut()) {
          break;
        }
      }
    }
    return move(next);
  }

  /** Whether what came may end here, and is not in the midst of a text. */
  boolean isBetween() {
    return places.stream().anyMatch(place -> place.text().isEmpty());
  }

  /** Whether it can only be all to the end: nothing is left to be repeated. */
  boolean isAll() {
    return places.equals(Set.of(new Place(entries.size(), TextPrint.EMPTY)));
  }
}
