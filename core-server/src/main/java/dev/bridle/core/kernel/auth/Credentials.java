package dev.bridle.core.kernel.auth;

import java.util.Optional;

/** Knows callers by the bearer credential that they send. */
public interface Credentials {
  /** Returns the caller that a credential stands for; empty where this knows none by it. */
  Optional<Caller> authenticate(String bearer);
}
