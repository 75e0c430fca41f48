package dev.bridle.core.kernel.auth;

import io.grpc.Context;
import java.util.List;
import java.util.Optional;

/**
 * The credential that a call was made with, so that long-lived calls can be ended when it expires.
 *
 * @param known the sources that it is looked up in
 * @param bearer what the caller sent
 * @param caller the caller that it resolved to when the call began
 */
public record CallCredential(List<Credentials> known, String bearer, Caller caller) {
  private static final Context.Key<CallCredential> CURRENT = Context.key("bridle-credential");

  /** Copies what it is given. */
  public CallCredential {
    known = List.copyOf(known);
  }

  static Context in(Context context, CallCredential credential) {
    return context.withValue(CURRENT, credential);
  }

  /** Returns the current call's credential. */
  public static CallCredential current() {
    return Optional.ofNullable(CURRENT.get())
        .orElseThrow(() -> new IllegalStateException("no authenticated call is under way"));
  }

  /** Returns whether the credential still resolves to the same caller. */
  boolean isValid() {
    return find(known, bearer).filter(caller::equals).isPresent();
  }

  static Optional<Caller> find(List<Credentials> known, String bearer) {
    return known.stream()
        .map(one -> one.authenticate(bearer))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "CallCredential[" + caller.tenant() + ", " + caller.actor() + "]";
  }
}
