package dev.bridle.core.integrations.connector;

import com.google.protobuf.util.Timestamps;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorPolls;
import dev.bridle.connector.v1.ConnectorStatus;
import dev.bridle.core.integrations.connector.polling.PollTimes;
import dev.bridle.record.v1.ConnectorRecord;
import dev.bridle.record.v1.PollState;
import java.time.Instant;

/** Where the polls of a connector stand, which follows from what the connector is. */
final class PollStates {
  private PollStates() {}

  /** Returns whether a connector polls. */
  static boolean polls(ConnectorRecord record) {
    return ConnectorStore.lives(record)
        && record.getConnector().hasPolling()
        && record.getConnector().getStatus() == ConnectorStatus.CONNECTOR_STATUS_ACTIVE;
  }

  /** Returns whether something else is asked than before, so that polls begin anew. */
  static boolean anew(Connector before, Connector after) {
    return !asked(before).equals(asked(after));
  }

  /** Returns what is asked, without when it is. */
  private static ConnectorPolling asked(Connector connector) {
    return connector.getPolling().toBuilder()
        .clearIntervalSeconds()
        .clearCron()
        .clearTimeZone()
        .build();
  }

  /**
   * Returns a record of a connector that was made or changed, with its polls. A poll that is under
   * way goes on only where nothing changes that it depends on.
   */
  static ConnectorRecord follow(ConnectorRecord before, ConnectorRecord after, long now) {
    Connector connector = after.getConnector();
    PollState.Builder state = before.getPolls().toBuilder();
    if (anew(before.getConnector(), connector)) {
      state.clear();
    }
    boolean same =
        before.getConnector().getPolling().equals(connector.getPolling())
            && before.getConnector().getAuth().equals(connector.getAuth());
    if (!polls(after)) {
      state.clearDueAt().clearClaim();
    } else if (!same || !polls(before)) {
      Instant first = PollTimes.first(connector.getPolling(), Instant.ofEpochMilli(now));
      state.setDueAt(first.toEpochMilli()).clearClaim();
    }
    return after.toBuilder().setPolls(state).build();
  }

  /** Returns how the polls of a connector go, for its readers. */
  static ConnectorPolls told(PollState state) {
    ConnectorPolls.Builder told = ConnectorPolls.newBuilder().setFailures(state.getFailures());
    if (state.getLastPollAt() != 0) {
      told.setLastPollAt(Timestamps.fromMillis(state.getLastPollAt()));
    }
    if (state.getDueAt() != 0 && state.getClaim().isEmpty()) {
      told.setNextPollAt(Timestamps.fromMillis(state.getDueAt()));
    }
    if (state.hasLastError()) {
      told.setLastError(state.getLastError());
    }
    return told.build();
  }
}
