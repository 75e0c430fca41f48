package dev.bridle.core.kernel.visibility;

import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.Scopes;

/** Who content is shown to (protocol section "Message, part, and artifact"). */
public enum Viewer {
  /** Whoever may read the resource: sees public content. */
  ANYONE,
  /** A caller with the scope {@code content:internal}: sees internal content, too. */
  INTERNAL;

  /** Returns what kind of viewer a caller is. */
  public static Viewer of(Caller caller) {
    return caller.holds(Scopes.CONTENT_INTERNAL) ? INTERNAL : ANYONE;
  }

  /** Returns whether this viewer sees content of a visibility; unknown ones are seen by nobody. */
  public boolean sees(Visibility visibility) {
    return switch (visibility) {
      case VISIBILITY_UNSPECIFIED, VISIBILITY_PUBLIC -> true;
      case VISIBILITY_INTERNAL -> this == INTERNAL;
      default -> false;
    };
  }
}
