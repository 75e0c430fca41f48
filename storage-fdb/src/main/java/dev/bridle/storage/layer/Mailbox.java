package dev.bridle.storage.layer;

import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Items that wait for their owners, in folders, each in the order of the commits that put them
 * there:
 *
 * <pre>
 * tenant / MAILBOX / owner, folder, era, stamp   → item
 * tenant / MAILBOX_PLACE / owner, item           → folder, era, stamp
 * </pre>
 *
 * <p>An item is in one folder of an owner at most. Places are read with a conflict; each change
 * wakes whoever waits for the owner. The era comes first, so that the order survives a restored
 * backup.
 */
public final class Mailbox {
  private final KeyLayout layout;
  private final WakeKeys wakes;

  public Mailbox(KeyLayout layout) {
    this.layout = layout;
    this.wakes = new WakeKeys(layout);
  }

  /**
   * Where an item is.
   *
   * @param folder the folder's number
   * @param position its position in the folder
   */
  public record Place(int folder, LogPosition position) {
    private static final int BYTES = 1 + LogPosition.BYTES;

    /** Parses a stored place; empty where the bytes are none. */
    public static Optional<Place> parse(byte[] value) {
      return value.length == BYTES
          ? Optional.of(
              new Place(
                  Byte.toUnsignedInt(value[0]),
                  LogPosition.fromBytes(Arrays.copyOfRange(value, 1, BYTES))))
          : Optional.empty();
    }
  }

  /**
   * A row of a folder.
   *
   * @param item the item
   * @param position its position, for a page that continues after it
   */
  public record Entry(String item, LogPosition position) {}

  /**
   * Puts an item into a folder, behind all that is there; it leaves the folder that it was in.
   *
   * @param folder the folder's number, 0 to 255: stored, never changed or reused
   * @param order the row's position within its transaction
   */
  public void put(
      Transaction tr, String tenant, String owner, String item, int folder, PendingEventId order) {
    place(tr, tenant, owner, item).ifPresent(before -> clearRow(tr, tenant, owner, before));
    Tuple row =
        folder(tenant, owner, folder).add(order.era()).add(Versionstamp.incomplete(order.number()));
    tr.setVersionstampedKey(layout.stampedKey(row), Tuple.from(item).pack());
    byte[] place =
        ByteBuffer.allocate(Place.BYTES)
            .put((byte) folder)
            .putShort((short) order.era())
            .put(new byte[Stamps.BYTES])
            .putShort((short) order.number())
            .array();
    tr.setVersionstampedValue(placeKey(tenant, owner, item), Stamps.value(place, 1 + Short.BYTES));
    wakes.raise(tr, wakes.ofMailbox(tenant, owner));
  }

  /** Removes an item from an owner's mailbox, if it is there. */
  public void remove(Transaction tr, String tenant, String owner, String item) {
    place(tr, tenant, owner, item).ifPresent(before -> clearRow(tr, tenant, owner, before));
    tr.clear(placeKey(tenant, owner, item));
    wakes.raise(tr, wakes.ofMailbox(tenant, owner));
  }

  /** Wakes whoever waits for an owner, for a change elsewhere that concerns it. */
  public void wake(Transaction tr, String tenant, String owner) {
    wakes.raise(tr, wakes.ofMailbox(tenant, owner));
  }

  private void clearRow(Transaction tr, String tenant, String owner, Place place) {
    tr.clear(rowKey(tenant, owner, place));
  }

  /** Returns where an item is; empty if it is in none of the owner's folders. */
  public Optional<Place> place(ReadTransaction tr, String tenant, String owner, String item) {
    return tr.get(placeKey(tenant, owner, item)).flatMap(Place::parse);
  }

  /** Returns the item in a row; empty if there is none. */
  public Optional<String> itemAt(ReadTransaction tr, String tenant, String owner, Place place) {
    return tr.get(rowKey(tenant, owner, place)).map(row -> Tuple.fromBytes(row).getString(0));
  }

  /** Returns up to {@code limit} items of a folder after a position, oldest first. */
  public List<Entry> page(
      ReadTransaction tr,
      String tenant,
      String owner,
      int folder,
      Optional<LogPosition> after,
      int limit) {
    Tuple parent = folder(tenant, owner, folder);
    KeyRange range =
        after
            .map(position -> layout.childrenAfter(parent, at(parent, position)))
            .orElseGet(() -> layout.children(parent));
    return tr.getRange(range, limit).stream()
        .map(
            row -> {
              Tuple key = layout.unpack(row.key());
              int size = parent.size();
              return new Entry(
                  Tuple.fromBytes(row.value()).getString(0),
                  LogPosition.of((int) key.getLong(size), key.getVersionstamp(size + 1)));
            })
        .toList();
  }

  /** Returns how many items a folder has, counting up to {@code most}. */
  public int count(ReadTransaction tr, String tenant, String owner, int folder, int most) {
    return tr.getRange(layout.children(folder(tenant, owner, folder)), most).size();
  }

  /** Returns the key of the row at a place. */
  public byte[] rowKey(String tenant, String owner, Place place) {
    return layout.key(at(folder(tenant, owner, place.folder()), place.position()));
  }

  private byte[] placeKey(String tenant, String owner, String item) {
    return layout.key(layout.tenant(tenant, TenantSpace.MAILBOX_PLACE).add(owner).add(item));
  }

  private Tuple folder(String tenant, String owner, int folder) {
    return layout.tenant(tenant, TenantSpace.MAILBOX).add(owner).add(folder);
  }

  private static Tuple at(Tuple folder, LogPosition position) {
    return folder.add(position.era()).add(position.stamp());
  }
}
