package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.FlagsProvider;
import com.linecorp.armeria.common.util.TlsEngineType;

/**
 * Overrides Armeria's defaults. Armeria's flags are global and are loaded by the service loader.
 */
public final class GatewayFlags implements FlagsProvider {
  /** Creates the provider; called by the service loader. */
  public GatewayFlags() {}

  @Override
  public int priority() {
    return 1;
  }

  /** Allows two dots in a query: no query parameter of this gateway is a path. */
  @Override
  public Boolean allowDoubleDotsInQueryString() {
    return true;
  }

  /** Uses Java's TLS; otherwise Armeria looks for a native library at each start. */
  @Override
  public TlsEngineType tlsEngineType() {
    return TlsEngineType.JDK;
  }

  /** Remembers no route of a path: one service has all paths, and each task has its own. */
  @Override
  public String routeCacheSpec() {
    return "off";
  }
}
