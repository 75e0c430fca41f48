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

/** Derives the polling state of a connector from its configuration. */
final class PollStates {
  private PollStates() {}

  /** Returns whether a connector polls. */
  static boolean polls(ConnectorRecord record) {
    return ConnectorStore.lives(record)
        && record.getConnector().hasPolling()
        && record.getConnector().getStatus() == ConnectorStatus.CONNECTOR_STATUS_ACTIVE;
  }

  /** Returns whether the request of polls has changed, so that the polling state is reset. */
  static boolean requestChanged(Connector before, Connector after) {
    return !requestOf(before).equals(requestOf(after));
  }

  /** Returns the polling configuration without its schedule. */
  private static ConnectorPolling requestOf(Connector connector) {
    return connector.getPolling().toBuilder()
        .clearIntervalSeconds()
        .clearCron()
        .clearTimeZone()
        .build();
  }

  /**
   * Returns the record of a created or changed connector with its new polling state. A poll under
   * way continues only if its configuration is unchanged.
   */
  static ConnectorRecord afterChange(ConnectorRecord before, ConnectorRecord after, long now) {
    Connector connector = after.getConnector();
    PollState.Builder state = before.getPolls().toBuilder();
    if (requestChanged(before.getConnector(), connector)) {
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

  /** Returns the polling state as a resource. */
  static ConnectorPolls toResource(PollState state) {
    ConnectorPolls.Builder polls = ConnectorPolls.newBuilder().setFailures(state.getFailures());
    if (state.getLastPollAt() != 0) {
      polls.setLastPollAt(Timestamps.fromMillis(state.getLastPollAt()));
    }
    if (state.getDueAt() != 0 && state.getClaim().isEmpty()) {
      polls.setNextPollAt(Timestamps.fromMillis(state.getDueAt()));
    }
    if (state.hasLastError()) {
      polls.setLastError(state.getLastError());
    }
    return polls.build();
  }
}
