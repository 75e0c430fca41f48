package dev.bridle.core.work.workspace;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceRules;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rules of a resource that belongs to a workspace: callers with access to the workspace see it,
 * and lists can be filtered by workspace. Its requests name the workspace in {@code workspace_id}.
 *
 * @param <M> the record
 * @param <R> the resource
 */
public abstract class WorkspaceOwned<M extends MessageLite, R extends Message>
    implements ResourceRules<M, R> {
  private static final String WORKSPACE_ID = "workspace_id";

  private final WorkspaceStore workspaces;

  protected WorkspaceOwned(WorkspaceStore workspaces) {
    this.workspaces = workspaces;
  }

  @Override
  public String workspaceOfNew(ReadTransaction tr, Caller caller, Message request) {
    return workspaces.referenced(tr, caller, named(request).orElse("")).getId();
  }

  @Override
  public Predicate<M> visible(ReadTransaction tr, Caller caller) {
    return record -> workspaceOf(record).isEmpty() || caller.reaches(workspaceOf(record));
  }

  @Override
  public Optional<Pages.Ask> list(ReadTransaction tr, Caller caller, Message request) {
    Optional<String> workspace = named(request);
    if (workspace.isPresent() && workspaces.find(tr, caller, workspace.get()).isEmpty()) {
      return Optional.empty();
    }
    int index = workspace.isPresent() ? RecordDef.BY_WORKSPACE : RecordDef.ALL;
    return Optional.of(Pages.Ask.of(request, index, workspace.orElse(""), true));
  }

  /** Returns the workspace that a request names. */
  private static Optional<String> named(Message request) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(WORKSPACE_ID);
    boolean given = !field.hasPresence() || request.hasField(field);
    return given ? Optional.of((String) request.getField(field)) : Optional.empty();
  }
}
