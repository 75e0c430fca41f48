package dev.bridle.core.kernel.auth;

import dev.bridle.core.kernel.id.IdMint;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Credentials for parts of this very process, such as its own workers. They are never stored and
 * end with the process.
 */
public final class ProcessCredentials implements Credentials {
  private final IdMint mint;
  private final Map<String, Caller> callers = new ConcurrentHashMap<>();

  public ProcessCredentials(IdMint mint) {
    this.mint = mint;
  }

  /** Makes a bearer secret for a part of this process. */
  public String make(String tenant, String actor, Set<String> scopes) {
    String secret = Secrets.spell(Secrets.KEY, mint.bytes(Secrets.BYTES));
    callers.put(secret, new Caller(tenant, actor, scopes, Set.of(), true));
    return secret;
  }

  /**
   * Lets a caller act with a secret that was made elsewhere, such as the operator's credential
   * file.
   */
  public void admit(String secret, Caller caller) {
    callers.put(secret, caller);
  }

  /** Ends a secret. */
  public void forget(String secret) {
    callers.remove(secret);
  }

  @Override
  public Optional<Caller> authenticate(String secret) {
    return Optional.ofNullable(callers.get(secret));
  }
}
