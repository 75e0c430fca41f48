package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is particular to a resource: who may do what with it, what it must be, and what follows from
 * a change. They are {@link UpdateRules} or {@link DeleteRules} too where it can be updated or
 * deleted. {@link TenantSharedRules} has the rules of what all workspaces of a tenant share.
 *
 * @param <M> the record
 * @param <R> the resource
 */
public interface ResourceRules<M extends MessageLite, R extends Message> {

  /** Checks that a caller may create or update one; {@code permission_denied} otherwise. */
  void admit(Caller caller);

  /**
   * Returns the workspace that a new resource would lie in; empty where all of the tenant share it.
   * Fails where the request names what the caller does not reach.
   */
  String workspaceOfNew(ReadTransaction tr, Caller caller, Message request);

  /** Returns the workspace of a record; empty where all of the tenant share it. */
  String workspaceOf(M record);

  /** Returns which records a caller may see. */
  Predicate<M> visible(ReadTransaction tr, Caller caller);

  /**
   * Returns which list a request asks for; empty where it filters by what the caller can't see.
   *
   * @param request the list request
   */
  Optional<Pages.Ask> list(ReadTransaction tr, Caller caller, Message request);

  /** Returns whether a record is that of a deleted resource. */
  default boolean deleted(M record) {
    return false;
  }

  /** Returns whether a resource that is not deleted is there at a time. */
  default boolean lives(M record, long nowMillis) {
    return true;
  }

  /**
   * Checks a new resource and returns its record.
   *
   * @param resource what the request gives, with an id and its times
   */
  M create(Write write, Caller caller, Message request, R resource);

  /** Returns the resource as it is answered. */
  default R shown(ReadTransaction tr, String tenant, M record, R resource, long nowMillis) {
    return resource;
  }

  /** Returns a resource as a row of a list: without what is too long for one. */
  default R listed(R shown) {
    return shown;
  }

  /**
   * Returns an answer as it is kept for repeated commands: without secrets that are shown only
   * once.
   */
  default R kept(R answer) {
    return answer;
  }

  /** Runs after the commit of each command on a resource, also of a repeated one. */
  default void committed(Caller caller, String id) {}

  /** Returns the members that the event of a new resource has. */
  default Payload created(R resource) {
    return Members.createdFacts(resource);
  }
}
