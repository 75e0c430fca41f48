package dev.bridle.core.integrations.connector;

import dev.bridle.connector.v1.Connector;
import dev.bridle.core.kernel.auth.Secrets;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.ConnectorRecord;

/**
 * A connector's ingress path. It is a credential: the command that makes it puts it into the
 * connector, whose answer shows it once; what is stored has only its {@link IngressHash}.
 */
final class IngressPath {
  private static final String BEFORE_ID = "/v1/ingress/";

  private IngressPath() {}

  /**
   * Returns a connector with a new path if it accepts deliveries and has none; without one if it
   * accepts none.
   */
  static ConnectorRecord opened(Write write, ConnectorRecord record) {
    if (!record.getConnector().hasWebhook()) {
      return IngressHash.without(record);
    }
    return IngressHash.of(record).isEmpty() ? renewed(write, record) : record;
  }

  /** Returns a connector with a new path. */
  static ConnectorRecord renewed(Write write, ConnectorRecord record) {
    String id = Secrets.spell(Secrets.INGRESS, write.salt(Secrets.BYTES));
    ConnectorRecord.Builder renewed = record.toBuilder();
    renewed.getConnectorBuilder().getWebhookBuilder().setPath(BEFORE_ID + id);
    return renewed.build();
  }

  /** Returns a connector as it is stored: with the hash of a new path instead of the path. */
  static ConnectorRecord hashed(ConnectorRecord record) {
    String path = record.getConnector().getWebhook().getPath();
    if (path.isEmpty()) {
      return IngressHash.withHash(record);
    }
    return IngressHash.with(
        record.toBuilder().setConnector(hidden(record.getConnector())).build(),
        path.substring(BEFORE_ID.length()));
  }

  /** Returns a connector without its path. */
  static Connector hidden(Connector connector) {
    Connector.Builder hidden = connector.toBuilder();
    if (hidden.hasWebhook()) {
      hidden.getWebhookBuilder().clearPath();
    }
    return hidden.build();
  }
}
