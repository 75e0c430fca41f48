package dev.bridle.core.kernel.auth;

import dev.bridle.core.kernel.id.IdMint;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Credentials for components of this process, such as its embedded workers. They are kept in memory
 * only.
 */
public final class ProcessCredentials implements Credentials {
  private final IdMint mint;
  private final Map<String, Caller> callers = new ConcurrentHashMap<>();

  public ProcessCredentials(IdMint mint) {
    this.mint = mint;
  }

  /** Creates a bearer secret for a component of this process. */
  public String make(String tenant, String actor, Set<String> scopes) {
    String secret = Secrets.spell(Secrets.KEY, mint.bytes(Secrets.BYTES));
    callers.put(secret, new Caller(tenant, actor, scopes, Set.of(), true));
    return secret;
  }

  /** Accepts a secret that was created elsewhere, such as in the operator's credential file. */
  public void admit(String secret, Caller caller) {
    callers.put(secret, caller);
  }

  /** Accepts a secret that was created elsewhere, unless it is in use; returns whether it did. */
  public boolean admitNew(String secret, Caller caller) {
    return callers.putIfAbsent(secret, caller) == null;
  }

  /** Revokes a secret. */
  public void forget(String secret) {
    callers.remove(secret);
  }

  @Override
  public Optional<Caller> authenticate(String secret) {
    return Optional.ofNullable(callers.get(secret));
  }
}
