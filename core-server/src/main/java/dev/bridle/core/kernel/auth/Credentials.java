package dev.bridle.core.kernel.auth;

import java.util.Optional;

/** Resolves bearer credentials to callers. */
public interface Credentials {
  /** Returns the caller that a credential belongs to; empty if it is unknown here. */
  Optional<Caller> authenticate(String bearer);
}
