package dev.bridle.core.kernel.auth;

import io.grpc.Context;
import java.util.List;
import java.util.Optional;

/**
 * The credential that a call came with, for calls that last: it may end before they do.
 *
 * @param known where it is looked up
 * @param bearer what the caller sent
 * @param caller whom it stood for when the call came
 */
public record HeldCredential(List<Credentials> known, String bearer, Caller caller) {
  private static final Context.Key<HeldCredential> CURRENT = Context.key("bridle-credential");

  /** Copies what it is given. */
  public HeldCredential {
    known = List.copyOf(known);
  }

  static Context in(Context context, HeldCredential credential) {
    return context.withValue(CURRENT, credential);
  }

  /** Returns the current call's credential. */
  public static HeldCredential current() {
    return Optional.ofNullable(CURRENT.get())
        .orElseThrow(() -> new IllegalStateException("no authenticated call is under way"));
  }

  /** Looks whether it stands for the same caller still. */
  boolean holds() {
    return find(known, bearer).filter(caller::equals).isPresent();
  }

  static Optional<Caller> find(List<Credentials> known, String bearer) {
    return known.stream()
        .map(one -> one.authenticate(bearer))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "HeldCredential[" + caller.tenant() + ", " + caller.actor() + "]";
  }
}
