package dev.bridle.gateway.call;

import java.util.List;

/** The supported versions of the Harn Agents Protocol (protocol section "Versioning"). */
public final class ProtocolVersions {

  /** The header with a request's protocol version. */
  public static final String HEADER = "Harn-Agents-Protocol-Version";

  /** All supported versions, newest first. */
  public static final List<String> SUPPORTED = List.of("agents-protocol-2026-04-25");

  private ProtocolVersions() {}
}
