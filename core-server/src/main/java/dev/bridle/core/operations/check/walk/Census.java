package dev.bridle.core.operations.check.walk;

import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Findings;
import dev.bridle.core.operations.check.finding.SpaceSize;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RowKey;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts all rows by tenant and subspace. */
public final class Census {
  private final Map<String, Map<String, long[]>> counts = new TreeMap<>();
  private final Set<String> tenants = new TreeSet<>();

  /** The size that was asked for last: rows come in the order of their keys. */
  private long[] last = new long[2];

  private String lastTenant = "";
  private String lastSpace = "";

  public Census() {}

  /** Counts all rows in bounded transactions. Concurrent changes may or may not be counted. */
  public static Census of(KeyValueStore store, KeyLayout layout, CheckProgress progress) {
    try (Workers workers = new Workers(1)) {
      return new Survey(store, new Rows(layout), progress, workers)
          .run(new Findings(store, layout, progress, false), (row, inOrder) -> {});
    }
  }

  /** Adds the rows of a part of the keys. */
  public void add(Census part) {
    part.counts.forEach(
        (tenant, spaces) ->
            spaces.forEach(
                (space, size) -> {
                  long[] sum = size(tenant, space);
                  sum[0] += size[0];
                  sum[1] += size[1];
                }));
    tenants.addAll(part.tenants);
  }

  /** Adds a row, and returns a fault if its key is none of the layout. */
  public Optional<Fault> add(Optional<RowKey> parsed, KeyValue pair) {
    String tenant = parsed.map(RowKey::tenant).orElse("");
    String space = parsed.map(RowKey::spaceName).orElse("unknown");
    long[] size = size(tenant, space);
    size[0]++;
    size[1] += pair.key().length + pair.value().length;
    if (size[0] == 1 && parsed.isPresent() && !tenant.isEmpty()) {
      tenants.add(tenant);
    }
    if (parsed.isPresent() && KeyShapes.fits(parsed.get())) {
      return Optional.empty();
    }
    String spelled =
        parsed.map(RowKey::spelled).orElseGet(() -> HexFormat.of().formatHex(pair.key()));
    return Optional.of(
        Fault.of(
                FaultKind.KEY_UNKNOWN,
                tenant,
                spelled,
                "The key in subspace " + space + " is none that this version of Bridle writes.")
            .when(tr -> tr.get(pair.key()).isPresent()));
  }

  private long[] size(String tenant, String space) {
    if (!tenant.equals(lastTenant) || !space.equals(lastSpace)) {
      last =
          counts
              .computeIfAbsent(tenant, name -> new TreeMap<>())
              .computeIfAbsent(space, name -> new long[2]);
      lastTenant = tenant;
      lastSpace = space;
    }
    return last;
  }

  /** Returns the tenants that have rows, by name. */
  public List<String> tenants() {
    return List.copyOf(tenants);
  }

  /** Returns the total number of keys. */
  public long keys() {
    return sizes().stream().mapToLong(SpaceSize::keys).sum();
  }

  /** Returns the number of keys in a subspace of a tenant. */
  public long keys(String tenant, TenantSpace space) {
    long[] size = counts.getOrDefault(tenant, Map.of()).get(space.spelling());
    return size == null ? 0 : size[0];
  }

  /** Returns the sizes of all subspaces that are not empty. */
  public List<SpaceSize> sizes() {
    List<SpaceSize> sizes = new ArrayList<>();
    counts.forEach(
        (tenant, spaces) ->
            spaces.forEach(
                (space, size) -> sizes.add(new SpaceSize(tenant, space, size[0], size[1]))));
    return sizes;
  }
}
