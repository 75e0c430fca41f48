package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollState;
import java.time.Instant;

/**
 * A poll that this process has claimed.
 *
 * @param tenant the connector's tenant
 * @param claim the claim, which is stored with the connector while it is valid
 * @param began when the first page was requested
 * @param page the current page, from 1
 * @param record the connector when the page was claimed
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

  /** Returns this poll at a page, with the connector's current record. */
  Poll at(int number, ConnectorRecord now) {
    return new Poll(tenant, claim, began, number, now);
  }
}
