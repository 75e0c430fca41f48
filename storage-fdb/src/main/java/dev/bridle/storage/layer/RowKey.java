package dev.bridle.storage.layer;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A parsed key.
 *
 * @param system the subspace, if it belongs to no tenant
 * @param space the subspace, if it belongs to a tenant
 * @param tenant the tenant; empty if it belongs to none
 * @param items what follows: texts, whole numbers (as {@link Long}), bytes, and {@link CommitStamp}
 *     stamps; an item of any other type is kept as its text within angle brackets
 */
public record RowKey(
    Optional<SystemSpace> system, Optional<TenantSpace> space, String tenant, List<Object> items) {
  /** Copies the items. */
  public RowKey {
    items = List.copyOf(items);
  }

  /** Returns whether the items are exactly of these types, in their order. */
  public boolean is(Class<?>... types) {
    return items.size() == types.length && begins(types);
  }

  /** Returns whether the first items are of these types. */
  public boolean begins(Class<?>... types) {
    if (items.size() < types.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (!types[i].isInstance(items.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns an item that is a text. */
  public String text(int at) {
    return (String) items.get(at);
  }

  /** Returns an item that is a whole number. */
  public long number(int at) {
    return (Long) items.get(at);
  }

  /** Returns an item that is a stamp. */
  public CommitStamp stamp(int at) {
    return (CommitStamp) items.get(at);
  }

  /** Returns an item that is bytes. */
  public byte[] bytes(int at) {
    return ((byte[]) items.get(at)).clone();
  }

  /** Returns the subspace's name in lower case. */
  public String spaceName() {
    return space
        .map(TenantSpace::spelling)
        .or(() -> system.map(SystemSpace::spelling))
        .orElse("unknown");
  }

  /** Formats the items for display, separated by slashes. */
  public String spelled() {
    return items.stream()
        .map(item -> item instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : "" + item)
        .reduce((left, right) -> left + "/" + right)
        .orElse("()");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey key
        && system.equals(key.system)
        && space.equals(key.space)
        && tenant.equals(key.tenant)
        && Arrays.deepEquals(items.toArray(), key.items.toArray());
  }

  @Override
  public int hashCode() {
    return tenant.hashCode() * 31 + Arrays.deepHashCode(items.toArray());
  }
}
