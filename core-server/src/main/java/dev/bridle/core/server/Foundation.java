package dev.bridle.core.server;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.RequestHash;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.page.Cursors;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.core.work.redaction.ErasedAnswers;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.EventRows;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TurnClaims;
import dev.bridle.storage.layer.migration.FormatHistory;
import dev.bridle.storage.layer.migration.Migrations;
import java.nio.charset.StandardCharsets;

/**
 * Storage that is opened, brought to this release's format and checked, and what every feature is
 * built over.
 *
 * @param context what all features share
 * @param installationId the id of this installation, made at its first start
 * @param requestHash hashes requests with a secret of this installation
 */
record Foundation(CoreContext context, String installationId, RequestHash requestHash) {
  private static final int SECRET_BYTES = 32;

  /**
   * Opens storage. Throws {@code MasterKeyException} where secrets are sealed with another key, and
   * what migrations throw where the format is of a later release.
   */
  static Foundation open(KeyValueStore store, CoreOptions options, CoreEnvironment environment) {
    KeyLayout layout = KeyLayout.root();
    IdMint mint = new IdMint(environment.clock(), environment.random());
    Installation installation = new Installation(layout);
    Migrations migrations = new Migrations(new Rows(layout), FormatHistory.OURS);
    if (!options.storage().operatorOnly() || !migrations.holdsData(store)) {
      migrations.run(store);
    }
    EventLog log = EventLog.open(store, layout);
    new EraGuard(store, installation, log, new EventRows(layout, log)).check();
    Seals seals = new Seals(installation, options.access().masterKey());
    store.read(
        tr -> {
          seals.check(tr);
          return true;
        });
    String installationId = installationId(store, installation, mint);
    RequestHash hash = new RequestHash(secret(store, installation, mint, "request-hash"));
    Pages pages =
        new Pages(new Cursors(new RequestHash(secret(store, installation, mint, "cursor"))));
    DueIndex due = new DueIndex(layout);
    Commands alone =
        new Commands(
            store,
            log,
            new IdempotencyStore(layout),
            mint,
            environment.clock(),
            hash,
            new ErasedAnswers(new RedactionStore(layout)));
    Commands commands =
        options.storage().exclusive()
            ? alone
            : alone.sharing(
                claims(store, layout, options), mint.next("process"), environment.nanoTime());
    return new Foundation(
        new CoreContext(
            store,
            layout,
            log,
            commands,
            new Events(log),
            pages,
            due,
            new Configurations(layout),
            mint,
            installation,
            seals,
            options.settings(),
            environment),
        installationId,
        hash);
  }

  /** Returns the claims of servers, of which a server that starts forgets those of dead ones. */
  private static TurnClaims claims(KeyValueStore store, KeyLayout layout, CoreOptions options) {
    TurnClaims claims = new TurnClaims(layout);
    if (!options.storage().operatorOnly()) {
      store.transact(
          tr -> {
            claims.forgetAll(tr);
            return true;
          });
    }
    return claims;
  }

  /** Returns the keyed hash of a purpose of its own, whose key follows from that of requests. */
  RequestHash keyedFor(String purpose) {
    return new RequestHash(requestHash.of(purpose.getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] secret(
      KeyValueStore store, Installation installation, IdMint mint, String name) {
    return installation.secret(store, name, () -> mint.bytes(SECRET_BYTES));
  }

  private static String installationId(
      KeyValueStore store, Installation installation, IdMint mint) {
    byte[] made = mint.next("installation").getBytes(StandardCharsets.UTF_8);
    return new String(installation.secret(store, "id", () -> made), StandardCharsets.UTF_8);
  }
}
