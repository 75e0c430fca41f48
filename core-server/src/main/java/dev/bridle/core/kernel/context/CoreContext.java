package dev.bridle.core.kernel.context;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.id.IdMint;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import java.time.Clock;

/**
 * What all features of a core share.
 *
 * @param store storage
 * @param layout where keys lie
 * @param log the event log
 * @param commands runs writes, each of which applies once
 * @param events appends events
 * @param pages reads lists page by page
 * @param due what is due when
 * @param mint makes ids
 * @param environment the machine beneath
 */
public record CoreContext(
    KeyValueStore store,
    KeyLayout layout,
    EventLog log,
    Commands commands,
    Events events,
    Pages pages,
    DueIndex due,
    IdMint mint,
    CoreEnvironment environment) {

  /** Returns wall time. */
  public Clock clock() {
    return environment.clock();
  }
}
