package dev.bridle.core.operations.check;

import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.BranchRecord;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.TranscriptRecord;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.layer.CommitStamp;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Faults in records, indexes, content and credentials. */
final class PlantedRows {
  private static final long KEY = 1;
  private static final long SESSION = 3;
  private static final long MESSAGE = 4;
  private static final long ARTIFACT = 5;
  private static final long OUTCOME = 6;
  private static final long TASK = 10;
  private static final long INPUT = 11;
  private static final long AGENT = 12;
  private static final long PERSONA = 13;
  private static final long SKILL = 14;
  private static final long QUOTA = 15;
  private static final long MEMORY = 16;
  private static final long BRANCH = 17;
  private static final long TRANSCRIPT = 18;
  private static final long UPLOAD = 5;

  private PlantedRows() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.KEY_UNKNOWN,
            "a key that is no tuple",
            (tenant, stored) -> {
              stored.set(new byte[] {0x15, 0x07}, new byte[0]);
              return "1507";
            }),
        Plant.of(
            FaultKind.KEY_UNKNOWN,
            "a key of other items than its subspace has",
            (tenant, stored) -> {
              stored.set(stored.rows.key(SystemSpace.INGRESS, "hook"), new byte[0]);
              return "hook";
            }),
        Plant.of(
            FaultKind.KEY_UNKNOWN,
            "a key whose number could be shorter",
            (tenant, stored) -> {
              byte[] key = stored.rows.key(SystemSpace.INGRESS);
              byte[] longer =
                  ByteArrayUtil.join(
                      new byte[] {0x15, 0},
                      Arrays.copyOfRange(key, 1, key.length),
                      new byte[] {1, 2, 0});
              stored.set(longer, new byte[0]);
              return HexFormat.of().formatHex(longer);
            }),
        Plant.of(
            FaultKind.KEY_UNKNOWN,
            "a record of a kind that there is none of",
            (tenant, stored) -> {
              stored.set(stored.key(TenantSpace.RECORD, 99L, "thing"), new byte[] {0});
              return "thing";
            }),
        Plant.of(
            FaultKind.TENANT_UNKNOWN,
            "a row of a tenant that there is none of",
            (tenant, stored) -> {
              stored.set(
                  stored.rows.key("ghost", TenantSpace.ERA),
                  stored.value(stored.rows.key(SystemSpace.FORMAT)));
              return "ghost";
            }),
        Plant.of(
                FaultKind.TENANT_UNKNOWN,
                "a row that a late write left of a deleted tenant",
                (tenant, stored) -> {
                  stored.set(stored.rows.key("gone", TenantSpace.ERA), stored.rows.value(-6));
                  stored.set(
                      stored.rows.key("gone", TenantSpace.COMMAND, 1L, "command_late"),
                      new byte[10]);
                  return "gone";
                })
            .mended("era"),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "bytes of a record flipped",
            (tenant, stored) -> {
              byte[] key = stored.key(TenantSpace.RECORD, SESSION, tenant.session);
              byte[] damaged = stored.value(key);
              damaged[1] = (byte) 0xff;
              stored.set(key, damaged);
              return tenant.session;
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a part of a large record lost",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.RECORD, INPUT, tenant.large, 2L));
              return tenant.large;
            }),
        Plant.of(
                FaultKind.CHUNK_ORPHANED,
                "a part too many of a large record",
                (tenant, stored) -> {
                  stored.set(
                      stored.key(TenantSpace.RECORD, INPUT, tenant.large, 9L), new byte[] {1});
                  return tenant.large;
                })
            .mended(),
        Plant.of(
            FaultKind.RECORD_MISPLACED,
            "a record stored under the id of another",
            (tenant, stored) -> {
              Session other = Session.newBuilder().setId("other").setWorkspaceId("default").build();
              byte[] key = stored.key(TenantSpace.RECORD, SESSION, tenant.session);
              byte[] bytes = other.toByteArray();
              byte[] value = new byte[bytes.length + 1];
              System.arraycopy(bytes, 0, value, 1, bytes.length);
              stored.set(key, value);
              return tenant.session;
            }),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "the input of a task lost",
            (tenant, stored) -> {
              stored.clear(stored.key(TenantSpace.RECORD, INPUT, tenant.queued));
              return tenant.queued;
            }),
        index(FaultKind.INDEX_MISSING, "an index row of a task lost", TASK, 2L),
        index(FaultKind.INDEX_MISSING, "the index row of a message lost", MESSAGE, 0L),
        index(FaultKind.INDEX_MISSING, "the index row of an API key lost", KEY, 0L),
        index(FaultKind.INDEX_MISSING, "the index row of a persona lost", PERSONA, 0L),
        index(FaultKind.INDEX_MISSING, "the index row of a branch lost", BRANCH, 2L),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a branch of another session than its workspace",
            (tenant, stored) -> {
              stored.changed(
                  BRANCH,
                  tenant.fork.getBranchId(),
                  BranchRecord.parser(),
                  record -> {
                    var changed = record.toBuilder();
                    changed.getBranchBuilder().setWorkspaceId(tenant.otherWorkspace);
                    return changed.build();
                  });
              return tenant.fork.getBranchId();
            }),
        Plant.of(
            FaultKind.VALUE_DAMAGED,
            "a transcript that hides up to where no message stands",
            (tenant, stored) -> {
              stored.changed(
                  TRANSCRIPT,
                  tenant.session,
                  TranscriptRecord.parser(),
                  record -> {
                    var changed = record.toBuilder();
                    byte[] through = changed.getHidden(0).getThrough().toByteArray();
                    through[through.length - 1] ^= 0x40;
                    changed.getHiddenBuilder(0).setThrough(ByteString.copyFrom(through));
                    return changed.build();
                  });
              return tenant.session;
            }),
        index(FaultKind.INDEX_MISSING, "a memory's row among its session's lost", MEMORY, 2L),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "a memory lost that a session was given",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, MEMORY, tenant.shared.memory()));
                  return tenant.session;
                })
            .mendedBeside("index"),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "a memory of a session in another workspace than it says",
                (tenant, stored) -> {
                  stored.changed(
                      MEMORY,
                      tenant.memory,
                      MemoryRecord.parser(),
                      record -> record.toBuilder().setWorkspaceId(tenant.otherWorkspace).build());
                  return tenant.memory;
                })
            .mendedBeside("index"),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "a quota lost that a persona names",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, QUOTA, tenant.shared.quota()));
                  return tenant.shared.persona();
                })
            .mendedBeside("index", "usage"),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "a skill lost that a session names",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, SKILL, tenant.shared.skill()));
                  return tenant.session;
                })
            .mendedBeside("record", "index"),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a task of a persona that there is none of",
            (tenant, stored) -> {
              stored.change(tenant.held, task -> task.getTaskBuilder().setPersonaId("persona_no"));
              return tenant.held;
            }),
        Plant.of(
                FaultKind.INDEX_ORPHANED,
                "an index row that points at nothing",
                (tenant, stored) -> {
                  stored.set(elsewhere(stored, TASK, ""), stored.rows.value("task_none"));
                  return "task_none";
                })
            .mended(),
        Plant.of(
                FaultKind.INDEX_WRONG,
                "a second index row",
                (tenant, stored) -> {
                  stored.set(elsewhere(stored, TASK, ""), stored.rows.value(tenant.held));
                  return tenant.held;
                })
            .mended(),
        Plant.of(
                FaultKind.INDEX_WRONG,
                "a second index row in an index of more than 5,000 rows",
                (tenant, stored) -> {
                  CommitStamp stamp = stored.list(TenantSpace.INDEX, 2L).get(0).key().stamp(4);
                  String last = "agent_5100";
                  for (int at = 0; at <= 5100; at++) {
                    String id = "agent_" + at;
                    stored.put(
                        stored.key(TenantSpace.RECORD, AGENT, id),
                        WorkerRecord.newBuilder().setAgentId(id).build());
                    stored.put(stored.key(TenantSpace.INDEX, AGENT, 0L, "", 1000L + at, stamp), id);
                  }
                  stored.flush();
                  stored.set(
                      stored.key(TenantSpace.INDEX, AGENT, 0L, "", 65_535L, stamp),
                      stored.rows.value(last));
                  return last;
                })
            .mended("record", "index"),
        Plant.of(
                FaultKind.INDEX_WRONG,
                "an index row under another value",
                (tenant, stored) -> {
                  stored.set(elsewhere(stored, TASK, "elsewhere"), stored.rows.value(tenant.held));
                  return tenant.held;
                })
            .mended(),
        Plant.of(
            FaultKind.BLOB_ORPHANED,
            "pieces of an artifact that is not there",
            (tenant, stored) -> {
              String blob = "artifact_none.blob_left";
              stored.set(stored.key(TenantSpace.BLOB, blob, 0L), new byte[10]);
              return blob;
            }),
        Plant.of(
                FaultKind.BLOB_ORPHANED,
                "pieces that no artifact holds, where another tenant has such an upload",
                (tenant, stored) -> {
                  String blob = tenant.artifact + ".blob_left";
                  stored.set(stored.key(TenantSpace.BLOB, blob, 0L), new byte[10]);
                  stored.set(
                      stored.rows.key(
                          SystemSpace.DUE,
                          (long) Math.floorMod(blob.hashCode(), 4),
                          5L,
                          UPLOAD,
                          "other",
                          blob),
                      new byte[0]);
                  return blob;
                })
            .mended(),
        Plant.of(
            FaultKind.BLOB_WRONG,
            "a piece of an artifact lost",
            (tenant, stored) -> {
              stored.clear(piece(tenant, stored).raw());
              return tenant.artifact;
            }),
        Plant.of(
            FaultKind.BLOB_WRONG,
            "bytes of an artifact flipped",
            (tenant, stored) -> {
              byte[] piece = piece(tenant, stored).value().clone();
              piece[17] ^= 1;
              stored.set(piece(tenant, stored).raw(), piece);
              return tenant.artifact;
            }),
        Plant.of(
            FaultKind.BLOB_WRONG,
            "a piece of an artifact cut short",
            (tenant, stored) -> {
              Row piece = piece(tenant, stored);
              stored.set(piece.raw(), Arrays.copyOf(piece.value(), 100));
              return tenant.artifact;
            }),
        Plant.of(
                FaultKind.BLOB_ORPHANED,
                "pieces that no artifact holds",
                (tenant, stored) -> {
                  String blob = tenant.artifact + ".blob_left";
                  stored.set(stored.key(TenantSpace.BLOB, blob, 0L), new byte[10]);
                  return blob;
                })
            .mended(),
        Plant.of(
                FaultKind.CREDENTIAL_WRONG,
                "the credential of a key lost",
                (tenant, stored) -> {
                  Row key = stored.list(TenantSpace.RECORD, KEY).get(0);
                  stored.list(SystemSpace.CREDENTIAL).stream()
                      .filter(row -> text(row.value()).contains(key.key().text(1)))
                      .forEach(row -> stored.clear(row.raw()));
                  return key.key().text(1);
                })
            .mended(),
        Plant.of(
                FaultKind.CREDENTIAL_WRONG,
                "the credential of an OAuth client lost",
                (tenant, stored) -> {
                  stored.list(SystemSpace.CREDENTIAL).stream()
                      .filter(row -> text(row.value()).contains(tenant.client))
                      .forEach(row -> stored.clear(row.raw()));
                  return tenant.client;
                })
            .mended(),
        Plant.of(
                FaultKind.CREDENTIAL_ORPHANED,
                "a credential of a key with another secret",
                (tenant, stored) -> {
                  Row key = stored.list(TenantSpace.RECORD, KEY).get(0);
                  Row own =
                      stored.list(SystemSpace.CREDENTIAL).stream()
                          .filter(row -> text(row.value()).contains(key.key().text(1)))
                          .findFirst()
                          .orElseThrow();
                  stored.set(
                      stored.rows.key(SystemSpace.CREDENTIAL, (Object) new byte[32]), own.value());
                  return key.key().text(1);
                })
            .mended(),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "an artifact lost that an outcome names",
                (tenant, stored) -> {
                  stored.clear(stored.key(TenantSpace.RECORD, ARTIFACT, tenant.reported));
                  return stored.task(tenant.completed).getTask().getOutcomeId();
                })
            .mendedBeside("index"),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "an outcome of another workspace than its task",
            (tenant, stored) -> {
              String id = stored.task(tenant.completed).getTask().getOutcomeId();
              stored.changed(
                  OUTCOME,
                  id,
                  OutcomeRecord.parser(),
                  record -> record.toBuilder().setWorkspaceId(tenant.otherWorkspace).build());
              return id;
            }),
        Plant.of(
                FaultKind.REFERENCE_BROKEN,
                "an artifact of another session than its workspace",
                (tenant, stored) -> {
                  stored.changed(
                      ARTIFACT,
                      tenant.artifact,
                      ArtifactRecord.parser(),
                      record -> {
                        var changed = record.toBuilder();
                        changed.getArtifactBuilder().setSessionId(tenant.otherSession);
                        return changed.build();
                      });
                  return tenant.artifact;
                })
            .mendedBeside("index"),
        Plant.of(
            FaultKind.REFERENCE_BROKEN,
            "a message where no event tells it",
            (tenant, stored) -> {
              List<Row> order = stored.list(TenantSpace.INDEX, MESSAGE, 0L, tenant.session);
              stored.set(order.get(0).raw(), order.get(1).value());
              stored.set(order.get(1).raw(), order.get(0).value());
              return stored.rows.text(order.get(0).value()).orElseThrow();
            }));
  }

  private static Plant index(FaultKind kind, String name, long record, long index) {
    return Plant.of(
            kind,
            name,
            (tenant, stored) -> {
              List<Row> rows = stored.list(TenantSpace.INDEX, record, index);
              Row lost = rows.get(rows.size() / 2);
              stored.clear(lost.raw());
              return stored.rows.text(lost.value()).orElseThrow();
            })
        .mended("index");
  }

  /** Returns the key of an index row at a place that is free. */
  private static byte[] elsewhere(Stored stored, long record, String value) {
    CommitStamp stamp = stored.list(TenantSpace.INDEX, 2L).get(0).key().stamp(4);
    return stored.key(TenantSpace.INDEX, record, value.isEmpty() ? 0L : 1L, value, 0L, stamp);
  }

  private static Row piece(RealTenant tenant, Stored stored) {
    return stored.list(TenantSpace.BLOB).stream()
        .filter(row -> row.key().text(0).startsWith(tenant.artifact) && row.key().number(1) == 20)
        .findFirst()
        .orElseThrow();
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.ISO_8859_1);
  }
}
