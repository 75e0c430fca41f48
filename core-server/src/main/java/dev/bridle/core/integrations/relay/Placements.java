package dev.bridle.core.integrations.relay;

import dev.bridle.record.v1.ExchangeRecipient;
import dev.bridle.record.v1.ExchangeRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * In which folder of which party's mailbox an exchange stands, as its record alone determines it.
 * Stores and the storage check both follow this.
 */
public final class Placements {
  private Placements() {}

  /** Returns the folders by the keys of the parties. */
  public static Map<String, Folder> of(ExchangeRecord exchange) {
    Map<String, Folder> folders = new LinkedHashMap<>();
    String enforcer = PartyId.enforcer(exchange.getEnforcerId()).key();
    switch (exchange.getStatus()) {
      case EXCHANGE_STATUS_PENDING_APPROVAL -> {
        folders.put(enforcer, Folder.PENDING);
        recipients(exchange, Folder.INBOX, folders);
      }
      case EXCHANGE_STATUS_DECIDED -> folders.put(enforcer, Folder.INBOX);
      case EXCHANGE_STATUS_EXPIRED -> recipients(exchange, Folder.EXPIRED, folders);
      default -> {}
    }
    return folders;
  }

  private static void recipients(
      ExchangeRecord exchange, Folder folder, Map<String, Folder> folders) {
    for (ExchangeRecipient recipient : exchange.getRecipientsList()) {
      if (!recipient.getDismissed()) {
        folders.put(PartyId.approver(recipient.getApproverId()).key(), folder);
      }
    }
  }
}
