package dev.bridle.core.integrations.prompt;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.task.TaskCreator;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.UnstartedTasks;
import dev.bridle.record.v1.PromptRecord;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.util.Optional;

/** Wires up the prompt layer of HARP. */
public final class Prompts {
  /** Who cancels the tasks of prompts whose time is over. */
  private static final String ACTOR = "harp-prompt";

  private final Commands commands;
  private final PromptStore store;
  private final PromptRules rules;
  private final BindableService service;

  /**
   * Creates the feature.
   *
   * @param gatewayId what its envelopes name as their sender
   * @param creator submits the tasks that prompts become
   */
  public Prompts(
      CoreContext context,
      String gatewayId,
      TaskCreator creator,
      TaskStores stores,
      TaskEndings endings) {
    this.commands = context.commands();
    this.store = new PromptStore(context);
    this.rules =
        new PromptRules(
            store,
            new PromptRouting(context),
            stores.tasks(),
            creator,
            new UnstartedTasks(context, stores, endings));
    this.service = new PromptService(context, rules, gatewayId);
  }

  /** Returns its service. */
  public BindableService service() {
    return service;
  }

  /** Ends a prompt that is due. */
  public void due(DueEntry entry) {
    var unused =
        commands.fenced(
            FencedWrite.END_PROMPT,
            entry.tenant(),
            ACTOR,
            write -> {
              Optional<PromptRecord> prompt = store.due(write.tr(), entry);
              prompt.ifPresentOrElse(
                  found -> rules.due(write, found), () -> store.cancel(write, entry));
              return prompt.isPresent();
            });
  }
}
