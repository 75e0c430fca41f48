package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;

/**
 * The members that Harn adds to what ACP has: flat in an object, as its bridge protocol says, or
 * below {@code _meta.harn}, as its newer runtimes send them.
 */
final class HarnMembers {
  private final List<Members> places;

  private HarnMembers(List<Members> places) {
    this.places = List.copyOf(places);
  }

  /** Returns the members of objects; what an earlier one has counts before that of a later one. */
  static HarnMembers of(RawJson... objects) {
    List<Members> places = new ArrayList<>();
    for (RawJson object : objects) {
      Members members = Members.of(object);
      places.add(members);
      places.add(members.object("_meta").object("harn"));
    }
    return new HarnMembers(places);
  }

  /** Returns the first value that there is of a member; absent if there is none. */
  RawJson raw(String name) {
    return all(name).stream().findFirst().orElse(RawJson.absent());
  }

  /** Returns all values that there are of a member. */
  List<RawJson> all(String name) {
    return places.stream()
        .map(members -> members.raw(name))
        .filter(RawJson::isPresent)
        .toList();
  }

  /** Returns the first value of a member as an object. */
  Members object(String name) {
    return Members.of(raw(name));
  }
}
