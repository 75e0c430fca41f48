package dev.bridle.core.kernel.context;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.configuration.Configurations;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.time.Clock;

/**
 * The services and settings that all features of a core share.
 *
 * @param store storage
 * @param layout the key layout of storage
 * @param log the event log
 * @param commands runs writes, each of which is applied once
 * @param events appends events
 * @param pages reads lists page by page
 * @param due the index of due work
 * @param configurations what is remembered of the tenants' configuration
 * @param mint generates ids
 * @param installation the tenants, and secrets of the installation
 * @param seals encrypts secrets with the master key
 * @param settings options, by subject
 * @param environment clock, randomness and executors
 */
public record CoreContext(
    KeyValueStore store,
    KeyLayout layout,
    EventLog log,
    Commands commands,
    Events events,
    Pages pages,
    DueIndex due,
    Configurations configurations,
    IdMint mint,
    Installation installation,
    Seals seals,
    Settings settings,
    CoreEnvironment environment) {

  /** Returns the options of a subject. */
  public <T extends Record> T settings(Class<T> subject) {
    return settings.get(subject);
  }

  /** Returns the wall clock. */
  public Clock clock() {
    return environment.clock();
  }
}
