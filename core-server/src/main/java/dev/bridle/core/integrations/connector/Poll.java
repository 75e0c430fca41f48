package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollState;
import java.time.Instant;

/**
 * A poll that this process has claimed.
 *
 * @param tenant whose connector it is
 * @param claim the claim, which is stored with the connector as long as it holds
 * @param began when its first page was asked for
 * @param page which page it is at, from 1
 * @param record the connector, as it was when the page was claimed
 */
record Poll(String tenant, String claim, Instant began, int page, ConnectorRecord record) {
  String id() {
    return connector().getId();
  }

  Connector connector() {
    return record.getConnector();
  }

  ConnectorPolling polling() {
    return connector().getPolling();
  }

  PollState state() {
    return record.getPolls();
  }

  /** Returns the poll at the same page, or the next one, of a connector as it stands now. */
  Poll at(int number, ConnectorRecord now) {
    return new Poll(tenant, claim, began, number, now);
  }
}
