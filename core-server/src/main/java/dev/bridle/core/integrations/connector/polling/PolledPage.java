package dev.bridle.core.integrations.connector.polling;

import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.PollingFormat;
import java.util.List;
import java.util.Optional;

/**
 * The parsed response of a poll.
 *
 * @param items its items
 * @param cursor its cursor, if it has one
 * @param more whether to request another page
 */
public record PolledPage(List<PolledItem> items, Optional<String> cursor, boolean more) {
  /** The maximum number of items in a response. */
  public static final int MOST_ITEMS = 1000;

  /** Copies the items. */
  public PolledPage {
    items = List.copyOf(items);
  }

  /**
   * Parses a response.
   *
   * @param sent the cursor of the request
   * @throws PageException if the response is malformed
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
