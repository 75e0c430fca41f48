package dev.bridle.core.operations.check.walk;

import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;

/** Defines the items of the keys of each subspace. */
public final class KeyShapes {
  private static final Class<?> TEXT = String.class;
  private static final Class<?> NUMBER = Long.class;
  private static final Class<?> STAMP = CommitStamp.class;
  private static final int MAX_ERA = 0xffff;

  /** What the key of a command's record has behind that of its stamp. */
  private static final long RECORD = 0;

  private KeyShapes() {}

  public static boolean fits(RowKey key) {
    return key.space()
        .map(space -> ofTenant(space, key))
        .or(() -> key.system().map(space -> ofSystem(space, key)))
        .orElse(false);
  }

  private static boolean ofTenant(TenantSpace space, RowKey key) {
    return switch (space) {
      case TENANT, ERA, CONFIGURATION -> key.is();
      case RECORD -> key.is(NUMBER, TEXT) || key.is(NUMBER, TEXT, NUMBER);
      case INDEX -> key.is(NUMBER, NUMBER, TEXT, NUMBER, STAMP) && isEra(key.number(3));
      case EVENT ->
          (key.is(TEXT, NUMBER, STAMP) || key.is(TEXT, NUMBER, STAMP, NUMBER))
              && isEra(key.number(1));
      case FEED -> key.is(NUMBER, NUMBER, STAMP) && isEra(key.number(1));
      case LAST_EVENT, FLOOR, QUEUE_PLACE -> key.is(TEXT);
      case SEQUENCE -> key.is(TEXT, TEXT);
      case IMPORT -> key.is(byte[].class);
      case IDEMPOTENCY ->
          key.is(TEXT)
              || ((key.is(TEXT, NUMBER) || key.is(TEXT, NUMBER, NUMBER))
                  && key.number(1) == RECORD);
      case COMMAND -> key.is(NUMBER, TEXT);
      case KEYED_COMMAND ->
          key.is(NUMBER, TEXT)
              || ((key.is(NUMBER, TEXT, NUMBER) || key.is(NUMBER, TEXT, NUMBER, NUMBER))
                  && key.number(2) == RECORD);
      case STEP -> key.is(TEXT, TEXT) || key.is(TEXT, TEXT, NUMBER);
      case TASK_EVENT, RENEWAL, BLOB -> key.is(TEXT, NUMBER);
      case MAILBOX -> key.is(TEXT, NUMBER, NUMBER, STAMP);
      case MAILBOX_PLACE -> key.is(TEXT, TEXT);
      case USAGE -> key.is(TEXT, TEXT, NUMBER, NUMBER);
    };
  }

  /** An event id has 16 bits for it. */
  private static boolean isEra(long number) {
    return number >= 0 && number <= MAX_ERA;
  }

  private static boolean ofSystem(SystemSpace space, RowKey key) {
    return switch (space) {
      case FORMAT -> key.is() || key.is(TEXT);
      case PARTITIONS -> key.is();
      case WAKE -> key.is(NUMBER);
      case DUE -> key.is(NUMBER, NUMBER, NUMBER, TEXT, TEXT);
      case QUEUE -> key.is(NUMBER, TEXT, TEXT, STAMP, TEXT);
      case CREDENTIAL, INGRESS, PAIRING -> key.is(byte[].class);
      case INSTALLATION, COMPROMISED_KEY, KEY_INSTALLATION -> key.is(TEXT);
      case SIGNING_KEY -> key.is(TEXT, TEXT);
      case TURN -> key.is(byte[].class) || key.is(byte[].class, TEXT);
    };
  }
}
