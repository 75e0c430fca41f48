package dev.bridle.core.integrations.repo;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.record.v1.HarpRepoKeyRecord;
import dev.bridle.record.v1.HarpRepoRecord;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Stores mappings of repositories, and finds them by repository and by workspace:
 *
 * <pre>
 * tenant / RECORD / harp_repo, id                                 → HarpRepoRecord
 * tenant / RECORD / harp repo key, ref, hash of the name, workspace → id
 * tenant / RECORD / harp repo key, in, workspace, hash of the name  → id
 * </pre>
 *
 * The keys of a mapping go with it.
 */
public final class HarpRepoStore {
  /** The definition of mappings. They are not exported: their sessions get other ids. */
  public static final RecordDef<HarpRepoRecord> HARP_REPO =
      RecordDef.of(130, "harp_repo", HarpRepoRecord.parser())
          .id(record -> record.getRepo().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getRepo().getWorkspaceId())
          .refersTo("workspace", record -> record.getRepo().getWorkspaceId())
          .refersTo("session", record -> record.getRepo().getSessionId())
          .refersTo("persona", record -> record.getRepo().getPersonaId())
          .refersToAll("harp repo key", HarpRepoStore::keys)
          .withStream()
          .build();

  /** The definition of the keys of mappings. */
  public static final RecordDef<HarpRepoKeyRecord> HARP_REPO_KEY =
      RecordDef.of(131, "harp repo key", HarpRepoKeyRecord.parser())
          .id(HarpRepoKeyRecord::getKey)
          .refersTo("harp_repo", HarpRepoKeyRecord::getHarpRepoId)
          .build();

  /** The most mappings of a tenant, and so the most of one repository. */
  static final int MOST = 500;

  private final RecordStore<HarpRepoRecord> repos;
  private final RecordStore<HarpRepoKeyRecord> keys;

  /** Creates the store. */
  public HarpRepoStore(KeyLayout layout) {
    this.repos = HARP_REPO.store(layout);
    this.keys = HARP_REPO_KEY.store(layout);
  }

  /** Returns the mappings of a repository to workspaces that the caller has access to. */
  public List<HarpRepo> ofRepo(ReadTransaction tr, Caller caller, String repoRef) {
    return behind(tr, caller, byRepo(repoRef), MOST).stream()
        .filter(repo -> caller.reaches(repo.getWorkspaceId()))
        .toList();
  }

  /** Returns whether some repository is mapped to a workspace. */
  public boolean isMapped(ReadTransaction tr, String tenant, String workspace) {
    return !page(tr, tenant, inWorkspace(workspace), 1).isEmpty();
  }

  /** Returns the mappings of a workspace, up to {@code limit}. */
  public List<HarpRepo> ofWorkspace(
      ReadTransaction tr, Caller caller, String workspace, int limit) {
    return behind(tr, caller, inWorkspace(workspace), limit);
  }

  private List<HarpRepo> behind(ReadTransaction tr, Caller caller, String prefix, int limit) {
    List<String> ids =
        page(tr, caller.tenant(), prefix, limit).stream()
            .map(HarpRepoKeyRecord::getHarpRepoId)
            .toList();
    return repos.getAll(tr, caller.tenant(), ids).stream().map(HarpRepoRecord::getRepo).toList();
  }

  private List<HarpRepoKeyRecord> page(
      ReadTransaction tr, String tenant, String prefix, int limit) {
    return keys.withPrefix(tr, tenant, prefix, prefix, limit);
  }

  /** Returns whether a workspace has a mapping of a repository. */
  boolean isTaken(ReadTransaction tr, String tenant, HarpRepo repo) {
    return keys.get(tr, tenant, byRepo(repo.getRepoRef()) + repo.getWorkspaceId()).isPresent();
  }

  void insertKeys(Write write, HarpRepo repo) {
    keysOf(repo)
        .forEach(
            key ->
                keys.insert(
                    write.tr(),
                    write.tenant(),
                    key,
                    HarpRepoKeyRecord.newBuilder()
                        .setKey(key)
                        .setHarpRepoId(repo.getId())
                        .build()));
  }

  void removeKeys(Write write, HarpRepo repo) {
    keysOf(repo).forEach(key -> keys.remove(write.tr(), write.tenant(), key));
  }

  RecordStore<HarpRepoRecord> records() {
    return repos;
  }

  private static List<String> keys(HarpRepoRecord record) {
    return record.getDeletedAt() == 0 ? keysOf(record.getRepo()) : List.of();
  }

  private static List<String> keysOf(HarpRepo repo) {
    return List.of(
        byRepo(repo.getRepoRef()) + repo.getWorkspaceId(),
        inWorkspace(repo.getWorkspaceId()) + hash(repo.getRepoRef()));
  }

  private static String byRepo(String repoRef) {
    return "ref\n" + hash(repoRef) + "\n";
  }

  private static String inWorkspace(String workspace) {
    return "in\n" + workspace + "\n";
  }

  private static String hash(String repoRef) {
    return HarpJson.hex(repoRef.getBytes(StandardCharsets.UTF_8));
  }
}
