package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rules of a resource that all workspaces of a tenant share: only a caller with access to the
 * whole tenant may create or change one, and every caller of the tenant may read it.
 *
 * @param <R> the resource, which is its own record
 */
public class TenantSharedRules<R extends Message> implements UpdateRules<R, R> {

  @Override
  public final void admit(Caller caller) {
    caller.needWholeTenant();
  }

  @Override
  public final String workspaceOfNew(ReadTransaction tr, Caller caller, Message request) {
    return "";
  }

  @Override
  public final String workspaceOf(R record) {
    return "";
  }

  @Override
  public Predicate<R> visible(ReadTransaction tr, Caller caller) {
    return record -> true;
  }

  @Override
  public final Optional<Pages.Ask> list(ReadTransaction tr, Caller caller, Message request) {
    return Optional.of(Pages.Ask.of(request, RecordDef.ALL, "", true));
  }

  @Override
  public R create(Write write, Caller caller, Message request, R resource) {
    return resource;
  }

  @Override
  public R update(Write write, Caller caller, R before, R after) {
    return after;
  }
}
