package dev.bridle.core.integrations.connector;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.record.v1.ConnectorRecord;
import java.util.Optional;

/**
 * The hash of a connector's ingress path, by which a delivery finds its connector. The path is a
 * credential, so only its hash is stored. Records of earlier releases hold the path itself, until
 * they are stored again.
 */
public final class IngressHash {
  private IngressHash() {}

  /** Returns the hash of a connector's path; empty if it has none. */
  public static Optional<byte[]> of(ConnectorRecord record) {
    if (!record.getIngressHash().isEmpty()) {
      return Optional.of(record.getIngressHash().toByteArray());
    }
    return holdsPath(record) ? Optional.of(Secrets.hash(record.getIngressId())) : Optional.empty();
  }

  /** Returns whether a record holds the path itself. */
  static boolean holdsPath(ConnectorRecord record) {
    return !record.getIngressId().isEmpty();
  }

  /** Returns a record with the hash of its path instead of the path. */
  static ConnectorRecord withHash(ConnectorRecord record) {
    return holdsPath(record) ? with(record, record.getIngressId()) : record;
  }

  /** Returns a record with the hash of another path. */
  static ConnectorRecord with(ConnectorRecord record, String ingressId) {
    return record.toBuilder()
        .clearIngressId()
        .setIngressHash(ByteString.copyFrom(Secrets.hash(ingressId)))
        .build();
  }

  /** Returns a record without a path. */
  static ConnectorRecord without(ConnectorRecord record) {
    return record.toBuilder().clearIngressId().clearIngressHash().build();
  }
}
