package dev.bridle.core.work.dispatch;

import com.google.protobuf.util.Durations;
import dev.bridle.api.v1.Failure;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.replay.OriginRun;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskQuotas;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.workspace.MachineFolder;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.QueuePlace;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.QueuedTask;
import dev.bridle.storage.layer.TaskQueue;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.v1.HandlerInfo;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.TaskLease;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Grants leases, each with a fencing token greater than any before it. */
final class LeaseGrants {
  private final Commands commands;
  private final TaskStores stores;
  private final LostAttempts lost;
  private final WorkspaceStore workspaces;
  private final TaskOptions options;
  private final IdMint mint;
  private final QueueCandidates candidates;

  LeaseGrants(
      Commands commands,
      TaskStores stores,
      LostAttempts lost,
      WorkspaceStore workspaces,
      TaskOptions options,
      IdMint mint,
      QueueCandidates candidates) {
    this.candidates = candidates;
    this.commands = commands;
    this.stores = stores;
    this.lost = lost;
    this.workspaces = workspaces;
    this.options = options;
    this.mint = mint;
  }

  /**
   * A worker that requests leases.
   *
   * @param tenant the tenant
   * @param actor the actor
   * @param agentId the agent whose tasks it takes, or whose replays do; empty: takes tasks that are
   *     bound to no agent
   * @param workerId the process
   * @param workspaces the workspaces that its credential can access; empty: all of the tenant
   * @param inProcess whether the worker runs in this process
   * @param handler what it declares about its handler
   * @param worksWhileParked whether its processes work while their tasks wait
   * @param takesMessages whether it takes messages of users to tasks that work
   * @param onePerSession whether it works on one task of a session at a time
   */
  record Taker(
      String tenant,
      String actor,
      String agentId,
      String workerId,
      Set<String> workspaces,
      boolean inProcess,
      Optional<HandlerInfo> handler,
      boolean worksWhileParked,
      boolean takesMessages,
      boolean onePerSession) {
    static Taker of(Caller caller, LeaseHello hello, Optional<HandlerInfo> handler) {
      return new Taker(
          caller.tenant(),
          caller.actor(),
          hello.getReplays() ? OwnAgents.replaysOf(hello.getAgentId()) : hello.getAgentId(),
          hello.getWorkerId(),
          caller.workspaces(),
          caller.inProcess(),
          handler,
          hello.getWorksWhileParked() && !hello.getReplays(),
          hello.getTakesMessages() && !hello.getReplays(),
          hello.getOneTaskPerSession() && !hello.getReplays());
    }

    boolean reaches(String workspace) {
      return workspaces.isEmpty() || workspaces.contains(workspace);
    }
  }

  /** Returns queued tasks that the worker may take now, as {@link QueueCandidates} finds them. */
  List<QueuedTask> candidates(ReadTransaction snapshot, Taker taker, QueueFront front) {
    return candidates.of(snapshot, taker, front);
  }

  /**
   * Claims candidates for a worker, all in one transaction; those that others have taken are left
   * out.
   */
  Claimed claim(Taker taker, List<QueuedTask> candidates) {
    String claim = newClaim();
    Set<String> resumed = new HashSet<>();
    Set<String> refused = new LinkedHashSet<>();
    List<TaskLease> leases =
        commands.fenced(
            FencedWrite.CLAIM,
            taker.tenant(),
            taker.actor(),
            write -> {
              refused.clear();
              List<TaskLease> granted = new ArrayList<>();
              for (QueuedTask candidate : candidates) {
                grant(write, taker, candidate.task(), claim, resumed, refused)
                    .ifPresent(granted::add);
              }
              return granted;
            });
    return new Claimed(leases, List.copyOf(refused));
  }

  /**
   * What a claim led to.
   *
   * @param leases the leases that it granted
   * @param refused queued tasks that may not begin, for {@link #refuse} once the leases are sent
   */
  record Claimed(List<TaskLease> leases, List<String> refused) {}

  /**
   * Fails a queued task that a quota does not let begin, unless it may by now. In a transaction of
   * its own: an ending may conflict with others of its session, and must not repeat a claim.
   */
  void refuse(Taker taker, String task) {
    var unused =
        commands.fenced(
            FencedWrite.REFUSE_TASK,
            taker.tenant(),
            taker.actor(),
            write -> {
              Optional<TaskRecord> queued =
                  stores
                      .tasks()
                      .find(write.tr(), write.tenant(), task)
                      .filter(TaskRecord::hasQueue);
              if (queued.isEmpty()) {
                return false;
              }
              TaskChange change = stores.change(write, queued.get());
              Optional<Failure> breach = stores.quotas().breach(change, TaskQuotas.Step.BEGIN);
              breach.ifPresent(
                  why -> {
                    lost.refused(change, why);
                    change.save();
                  });
              return breach.isPresent();
            });
  }

  /** Revokes a lease that could not be delivered to its worker; no attempt is counted. */
  void takeBack(Taker taker, TaskLease lease) {
    var unused =
        commands.fenced(
            FencedWrite.TAKE_BACK,
            taker.tenant(),
            taker.actor(),
            write -> {
              Optional<TaskRecord> before =
                  stores
                      .tasks()
                      .find(write.tr(), write.tenant(), lease.getTask().getId())
                      .filter(record -> Fences.held(record, taker.actor(), lease.getFence()));
              before.ifPresent(
                  held -> {
                    TaskChange change = stores.change(write, held);
                    lost.undelivered(change);
                    change.save();
                  });
              return before.isPresent();
            });
  }

  /** Returns the id of a claim, by which repeated attempts recognize its leases. */
  String newClaim() {
    return mint.next("claim");
  }

  /**
   * Grants the lease of a new task in the transaction that submits it. Returns false if a quota is
   * used up, for which a queued task fails.
   */
  boolean grantNew(TaskChange change, Taker taker, String claim) {
    if (stores.quotas().breach(change, TaskQuotas.Step.BEGIN).isPresent()) {
      return false;
    }
    take(change, taker, claim, false);
    change.beginAttempt();
    return true;
  }

  /**
   * Grants the lease of a queued task.
   *
   * @param resumed the tasks whose process the worker has kept, as an attempt of this claim found
   *     it: once applied, the record does not show it any more
   * @param refused takes the task if a quota does not let it begin
   */
  private Optional<TaskLease> grant(
      Write write,
      Taker taker,
      String task,
      String claim,
      Set<String> resumed,
      Set<String> refused) {
    Optional<TaskRecord> found = stores.tasks().find(write.tr(), write.tenant(), task);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    TaskRecord before = found.get();
    if (before.getLease().getClaimId().equals(claim)) {
      return Optional.of(
          // An earlier attempt of this claim was applied.
          lease(write, before, resumed.contains(task)));
    }
    if (!before.hasQueue()
        || !before.getQueue().getAgentId().equals(taker.agentId())
        || !taker.reaches(before.getTask().getWorkspaceId())) {
      return Optional.empty();
    }
    Optional<TaskQueue.Place> place = stores.queue().place(write.tr(), write.tenant(), task);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    if (taker.onePerSession()
        && !candidates.turns().isFree(write.tr(), write.tenant(), taker.agentId(), before)) {
      return Optional.empty();
    }
    boolean kept = keptProcess(before.getQueue(), taker);
    if (!kept && waitsForAnother(before.getQueue(), write.nowMillis())) {
      return Optional.empty();
    }
    TaskChange change = stores.change(write, before);
    if (stores.quotas().breach(change, TaskQuotas.Step.BEGIN).isPresent()) {
      refused.add(task);
      return Optional.empty();
    }
    change.dequeue(place.get());
    if (taker.onePerSession()) {
      candidates.turns().give(change, taker.agentId());
    }
    take(change, taker, claim, kept);
    change.beginAttempt();
    if (kept) {
      resumed.add(task);
    }
    return Optional.of(lease(write, change.save(), kept));
  }

  /** Worker ids are chosen by workers, so the credential's actor must match too. */
  private static boolean keptProcess(QueuePlace place, Taker taker) {
    return place.getAffinityWorkerId().equals(taker.workerId())
        && place.getAffinityActor().equals(taker.actor());
  }

  private static boolean waitsForAnother(QueuePlace place, long now) {
    return !place.getAffinityWorkerId().isEmpty() && place.getAffinityUntil() > now;
  }

  /** Grants the lease, also of a run that goes on in its process. */
  private void take(TaskChange change, Taker taker, String claim, boolean kept) {
    Lease before = change.record().getLease();
    long fence = Fences.next(before.getFence(), change.write().salt(Long.BYTES));
    change.grantLease(
        Lease.newBuilder()
            .setState(LeaseState.LEASE_STATE_HELD)
            .setFence(fence)
            .setRunFence(kept && before.getRunFence() != 0 ? before.getRunFence() : fence)
            .setActor(taker.actor())
            .setAgentId(taker.agentId())
            .setWorkerId(taker.workerId())
            .setInProcess(taker.inProcess())
            .setRunningSince(change.write().nowMillis())
            .setClaimId(claim)
            .setWorksWhileParked(taker.worksWhileParked())
            .setTakesMessages(taker.takesMessages())
            .build(),
        taker.handler(),
        change.write().nowMillis() + options.firstCheck().toMillis());
  }

  private TaskLease lease(Write write, TaskRecord record, boolean resumed) {
    TaskLease lease =
        lease(
            stores.tasks().resource(write.tr(), write.tenant(), record),
            record,
            folder(write, record.getTask().getWorkspaceId()),
            resumed);
    return HandlerReplays.is(record)
        ? lease.toBuilder()
            .setReplay(OriginRun.leased(stores.tasks(), write.tr(), write.tenant(), record))
            .build()
        : lease;
  }

  /** Returns the path of the folder that a workspace's root is, if it is one. */
  Optional<String> folder(Write write, String workspace) {
    return workspaces.folder(write.tr(), write.tenant(), workspace).map(MachineFolder::path);
  }

  /**
   * Returns the lease of a record, as its worker gets it.
   *
   * @param folder the folder of its workspace, if that has one
   */
  TaskLease lease(Task task, TaskRecord record, Optional<String> folder, boolean resumed) {
    TaskLease.Builder lease = TaskLease.newBuilder();
    folder.ifPresent(lease::setFolder);
    return lease
        .setTask(task)
        .setFence(record.getLease().getFence())
        .setAttempt(record.getAttempt())
        .setLeaseTime(Durations.fromMillis(options.leaseTime().toMillis()))
        .setHeartbeatInterval(Durations.fromMillis(options.heartbeatInterval().toMillis()))
        .setRerun(record.getHasSteps())
        .setResumed(resumed)
        .setTraceId(record.getTraceId())
        .setMaxEarlierReports(LeaseCalls.MAX_EARLIER_REPORTS)
        .setWorksWhileParked(record.getLease().getWorksWhileParked())
        .setHasMessages(record.getInboxCount() > 0)
        .build();
  }
}
