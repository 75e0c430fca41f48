package dev.bridle.core.integrations.connector.polling;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.PollingFormat;
import java.util.List;
import java.util.Optional;

/**
 * What an answer says.
 *
 * @param items its items
 * @param cursor the value of its cursor
 * @param more whether there is another page to be asked for
 */
public record PolledPage(List<PolledItem> items, Optional<String> cursor, boolean more) {
  /** How many items an answer may have. */
  public static final int MOST_ITEMS = 1000;

  /** Copies the items. */
  public PolledPage {
    items = List.copyOf(items);
  }

  /**
   * Reads an answer.
   *
   * @param sent the value of the cursor that it was asked with
   * @throws PageException where it is not what it should be
   */
  public static PolledPage read(ConnectorPolling polling, Optional<String> sent, byte[] body) {
    return polling.getFormat() == PollingFormat.POLLING_FORMAT_FEED
        ? new PolledPage(FeedReader.read(body), Optional.empty(), false)
        : JsonPage.read(polling, sent, body);
  }

  static PageException tooMany() {
    return new PageException(
        "too_many_items", "The answer has more than " + MOST_ITEMS + " items.");
  }
}
