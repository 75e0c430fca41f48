package dev.bridle.gateway;

import com.linecorp.armeria.common.FlagsProvider;

/**
 * What the HTTP layer must do otherwise than by default. Its settings are global, and are found by
 * the service loader.
 */
public final class GatewayFlags implements FlagsProvider {
  /** Is made by the service loader. */
  public GatewayFlags() {}

  @Override
  public int priority() {
    return 1;
  }

  /** Two dots in a query are a value as any other: no query of this gateway is a path. */
  @Override
  public Boolean allowDoubleDotsInQueryString() {
    return true;
  }
}
