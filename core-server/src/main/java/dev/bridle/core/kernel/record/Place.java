package dev.bridle.core.kernel.record;

/**
 * Where a record says that it belongs.
 *
 * @param workspace the workspace; empty where it names none
 * @param session the session; empty where it names none
 */
public record Place(String workspace, String session) {
  /** The place of a record that names neither. */
  public static final Place ANYWHERE = new Place("", "");

  /** Returns whether both can be at one place. */
  public boolean agrees(Place other) {
    return agree(workspace, other.workspace) && agree(session, other.session);
  }

  private static boolean agree(String one, String other) {
    return one.isEmpty() || other.isEmpty() || one.equals(other);
  }
}
