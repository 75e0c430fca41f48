package dev.bridle.core.kernel.auth;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * An API key or an OAuth client, as it is stored.
 *
 * @param id its id
 * @param actor who acts with it
 * @param scopes what may be done with it
 * @param workspaces the workspaces that it reaches; empty: all
 * @param createdAt when it was created, in Unix milliseconds
 * @param revokedAt when it was revoked, in Unix milliseconds; 0: it is active
 * @param secretHash the hash of its secret
 */
public record StoredCredential(
    String id,
    String actor,
    List<String> scopes,
    List<String> workspaces,
    long createdAt,
    long revokedAt,
    ByteString secretHash) {

  /** Copies the lists. */
  public StoredCredential {
    scopes = List.copyOf(scopes);
    workspaces = List.copyOf(workspaces);
  }

  /** Returns whether it is not revoked. */
  public boolean isActive() {
    return revokedAt == 0;
  }

  StoredCredential revoked(long at) {
    return new StoredCredential(id, actor, scopes, workspaces, createdAt, at, secretHash);
  }
}
