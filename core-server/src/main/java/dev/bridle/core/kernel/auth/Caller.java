package dev.bridle.core.kernel.auth;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import io.grpc.Context;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An authenticated caller and what it may do.
 *
 * @param tenant the tenant that it belongs to
 * @param actor who acts
 * @param scopes what may be done, as {@code resource:action}; {@code *} stands for all but
 *     administration
 * @param workspaces the workspaces that it has access to; empty: all of the tenant
 * @param inProcess whether the caller is a component of this process
 */
public record Caller(
    String tenant, String actor, Set<String> scopes, Set<String> workspaces, boolean inProcess) {
  /** The scope that grants every scope but those of administration. */
  public static final String ALL_SCOPES = "*";

  static final String ADMIN_PREFIX = "admin:";
  private static final Context.Key<Caller> CURRENT = Context.key("bridle-caller");

  /** Copies what it is given. */
  public Caller {
    scopes = Set.copyOf(scopes);
    workspaces = Set.copyOf(workspaces);
  }

  static Context in(Context context, Caller caller) {
    return context.withValue(CURRENT, caller);
  }

  /** Returns the caller of a context; empty where a call is open to everyone. */
  public static Optional<Caller> of(Context context) {
    return Optional.ofNullable(CURRENT.get(context));
  }

  /** Returns the current call's caller. */
  public static Caller current() {
    return Optional.ofNullable(CURRENT.get())
        .orElseThrow(() -> new IllegalStateException("no authenticated call is under way"));
  }

  /**
   * Runs work with this caller as the current one, for components that act on somebody's behalf.
   */
  public <T> T run(Supplier<T> work) {
    Context own = in(Context.current(), this);
    Context before = own.attach();
    try {
      return work.get();
    } finally {
      own.detach(before);
    }
  }

  /** Returns whether the caller holds a scope. */
  public boolean holds(String scope) {
    return scopes.contains(scope)
        || (scopes.contains(ALL_SCOPES) && !scope.startsWith(ADMIN_PREFIX));
  }

  /** Returns whether the caller has access to a workspace. */
  public boolean reaches(String workspace) {
    return workspaces.isEmpty() || workspaces.contains(workspace);
  }

  /** Checks that the caller has access to all workspaces; {@code permission_denied} otherwise. */
  public void needWholeTenant() {
    if (!workspaces.isEmpty()) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_PERMISSION_DENIED,
          "This credential reaches some workspaces only; the call needs one that reaches all.");
    }
  }
}
