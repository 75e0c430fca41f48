package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.visibility.Redactions;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionRequestOrBuilder;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordRows;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * Stores permission requests:
 *
 * <pre>
 * tenant / RECORD / PERMISSION, id                                      → PermissionRecord
 * tenant / INDEX / PERMISSION, ALL | WORKSPACE | SESSION | TASK | ACTION, …  → id
 * </pre>
 */
public final class PermissionStore {
  /** The index of the permission requests of a task. */
  public static final int PERMISSIONS_BY_TASK = 3;

  /**
   * The index of the permission requests of a task for one action: the one that was asked for, and
   * the one that was approved instead.
   */
  public static final int PERMISSIONS_BY_ACTION = 4;

  /** The definition of permission requests. */
  public static final RecordDef<PermissionRecord> PERMISSION =
      RecordDef.of(30, "permission request", PermissionRecord.parser())
          .id(record -> record.getRequest().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, PermissionRecord::getWorkspaceId)
          .indexed(RecordDef.BY_SESSION, record -> record.getRequest().getSessionId())
          .indexed(PERMISSIONS_BY_TASK, record -> record.getRequest().getTaskId())
          .indexedWhere(
              record -> !isRedacted(record.getRequest()),
              PERMISSIONS_BY_ACTION,
              record ->
                  action(
                      record.getRequest().getTaskId(),
                      record.getRequest().getAction().getFingerprint()))
          .indexedWhere(
              record -> isModified(record.getRequest()) && !isRedacted(record.getRequest()),
              PERMISSIONS_BY_ACTION,
              record -> modified(record.getRequest()))
          .refersTo("workspace", PermissionRecord::getWorkspaceId)
          .belongsTo("session", record -> record.getRequest().getSessionId())
          .belongsTo("task", record -> record.getRequest().getTaskId())
          .liesIn(PermissionRecord::getWorkspaceId, record -> record.getRequest().getSessionId())
          .firstEventIn(record -> record.getRequest().getSessionId(), "permission_request_id")
          .exported()
          .due(DueKind.PERMISSION, PermissionRecord::getDueAt)
          .build();

  static final int ALL = RecordDef.ALL;
  static final int SESSION = RecordDef.BY_SESSION;
  static final int TASK = PERMISSIONS_BY_TASK;

  private static final int PAGE = 200;

  private final RecordStore<PermissionRecord> records;
  private final RecordRows rows;

  public PermissionStore(KeyLayout layout) {
    this.rows = new RecordRows(layout);
    this.records = PERMISSION.store(layout);
  }

  /** Returns a request's record. */
  public Optional<PermissionRecord> find(ReadTransaction tr, String tenant, String id) {
    return records.get(tr, tenant, id);
  }

  /** Returns a request that the caller can access; {@code resource_not_found} otherwise. */
  PermissionRecord need(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound("permission_request", id));
  }

  /** Returns a request that the caller can access; {@code resource_not_found} otherwise. */
  public PermissionRequest needRequest(ReadTransaction tr, Caller caller, String id) {
    return shown(need(tr, caller, id));
  }

  /** Returns a request, if the caller can access it. */
  public Optional<PermissionRequest> findRequest(ReadTransaction tr, Caller caller, String id) {
    return find(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getWorkspaceId()))
        .map(PermissionStore::shown);
  }

  /** Returns a request with its workspace; earlier versions stored it in the record only. */
  static PermissionRequest shown(PermissionRecord record) {
    return record.getRequest().toBuilder().setWorkspaceId(record.getWorkspaceId()).build();
  }

  /** Returns the newest request of a task for one action. */
  Optional<PermissionRecord> newest(
      ReadTransaction tr, String tenant, String task, String fingerprint) {
    return records
        .page(
            tr, tenant, PERMISSIONS_BY_ACTION, action(task, fingerprint), Optional.empty(), 1, true)
        .stream()
        .findFirst()
        .flatMap(row -> records.get(tr, tenant, row.id()));
  }

  /** Returns the ids of those that wait for answers, of the newest ones of a tenant. */
  public List<String> waiting(ReadTransaction tr, String tenant, int newest) {
    return records.page(tr, tenant, ALL, "", Optional.empty(), newest, true).stream()
        .map(row -> row.id())
        .filter(
            id ->
                records
                    .get(tr, tenant, id)
                    .filter(
                        record ->
                            record.getRequest().getStatus()
                                == PermissionStatus.PERMISSION_STATUS_PENDING)
                    .isPresent())
        .toList();
  }

  /** Returns whether a task has at least that many requests, including decided ones. */
  boolean hasMany(Write write, String task, int many) {
    return records
            .page(write.tr().snapshot(), write.tenant(), TASK, task, Optional.empty(), many, false)
            .size()
        >= many;
  }

  void insert(Write write, PermissionRecord record) {
    var order = write.order();
    records.insert(write.tr(), write.tenant(), record.getRequest().getId(), record);
    PERMISSION.index(records, write.tr(), write.tenant(), record, order);
  }

  void update(Write write, PermissionRecord before, PermissionRecord record) {
    records.update(write.tr(), write.tenant(), record.getRequest().getId(), before, record);
  }

  /** Adds a request to those for the action that was approved instead of the one asked for. */
  void indexModified(Write write, PermissionRequest request) {
    records.index(
        write.tr(),
        write.tenant(),
        PERMISSIONS_BY_ACTION,
        modified(request),
        write.order(),
        request.getId());
  }

  /** Returns whether a request was approved with other arguments than those asked for. */
  public static boolean isModified(PermissionRequestOrBuilder request) {
    return request.getResponse().hasFingerprint();
  }

  /** Returns the fingerprint of the action that an approved request allows. */
  static String approvedFingerprint(PermissionRequestOrBuilder request) {
    return isModified(request)
        ? request.getResponse().getFingerprint()
        : request.getAction().getFingerprint();
  }

  private static String modified(PermissionRequest request) {
    return action(request.getTaskId(), request.getResponse().getFingerprint());
  }

  /** Returns whether the content of a request was redacted. */
  public static boolean isRedacted(PermissionRequest request) {
    return request.getAction().getFingerprint().equals(Redactions.REDACTED);
  }

  /**
   * Replaces a request with one whose content is redacted. It can't be found by its action any
   * more, whose hash would stay in the index.
   */
  public void redact(Write write, PermissionRecord before, PermissionRequest redacted) {
    if (isRedacted(before.getRequest())) {
      return;
    }
    PermissionRequest asked = before.getRequest();
    unindex(write, asked, action(asked.getTaskId(), asked.getAction().getFingerprint()));
    if (isModified(asked)) {
      unindex(write, asked, modified(asked));
    }
    update(write, before, before.toBuilder().setRequest(redacted).build());
  }

  private void unindex(Write write, PermissionRequest request, String action) {
    String id = request.getId();
    Optional<byte[]> after = Optional.empty();
    List<IndexRow> page;
    boolean found = false;
    do {
      page =
          records.page(
              write.tr(), write.tenant(), PERMISSIONS_BY_ACTION, action, after, PAGE, false);
      page.stream()
          .filter(row -> row.id().equals(id))
          .forEach(
              row ->
                  rows.unindex(
                      write.tr(),
                      write.tenant(),
                      PERMISSION.number(),
                      PERMISSIONS_BY_ACTION,
                      action,
                      row.place()));
      found = page.stream().anyMatch(row -> row.id().equals(id));
      after = page.isEmpty() ? after : Optional.of(page.get(page.size() - 1).position());
    } while (!found && page.size() == PAGE);
  }

  RecordStore<PermissionRecord> records() {
    return records;
  }

  /** Returns the value of {@link #PERMISSIONS_BY_ACTION} for an action of a task. */
  private static String action(String task, String fingerprint) {
    return task + " " + fingerprint;
  }
}
