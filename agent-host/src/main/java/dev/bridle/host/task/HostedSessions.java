package dev.bridle.host.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions of a host that have a process, or are about to. Thread-safe. */
final class HostedSessions {
  private final AgentProcesses processes;
  private final ConcurrentHashMap<String, Entry> sessions = new ConcurrentHashMap<>();

  /** How many tasks hold a session is changed within its bucket of the map. */
  private record Entry(HostedSession session, int users) {}

  HostedSessions(AgentProcesses processes) {
    this.processes = processes;
  }

  /** Returns a session, which stays until it is given back. */
  HostedSession take(String id) {
    return sessions
        .compute(
            id,
            (same, there) ->
                there == null
                    ? new Entry(new HostedSession(processes), 1)
                    : new Entry(there.session(), there.users() + 1))
        .session();
  }

  void giveBack(String id) {
    sessions.computeIfPresent(
        id,
        (same, there) ->
            there.users() == 1 && !there.session().hasProcess()
                ? null
                : new Entry(there.session(), there.users() - 1));
  }

  /** Ends the processes of sessions that no task has used for a time. */
  void endIdle(Duration time) {
    long now = System.nanoTime();
    List<HostedSession> idle = new ArrayList<>();
    for (String id : sessions.keySet()) {
      sessions.computeIfPresent(
          id,
          (same, there) -> {
            if (there.users() > 0 || now - there.session().idleSince() < time.toNanos()) {
              return there;
            }
            idle.add(there.session());
            return null;
          });
    }
    idle.forEach(HostedSession::stopIfIdle);
  }

  /** Ends the process that has been idle for longest, if there is one that no task uses. */
  void makeRoom() {
    List<HostedSession> longestFirst =
        sessions.values().stream()
            .filter(entry -> entry.users() == 0)
            .map(Entry::session)
            .filter(HostedSession::hasProcess)
            .sorted(Comparator.comparingLong(HostedSession::idleSince))
            .toList();
    for (HostedSession session : longestFirst) {
      if (session.stopIfIdle()) {
        return;
      }
    }
  }

  /** Returns the turns that agents are in now. */
  Collection<AgentTurn> turns() {
    return sessions.values().stream().flatMap(entry -> entry.session().turn().stream()).toList();
  }

  /** Ends all processes, also those that are used. */
  void stop() {
    sessions.values().forEach(entry -> entry.session().stop());
  }
}
