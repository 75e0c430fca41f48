package dev.bridle.core.server;

/** Hears which tenants there are: each once, until it is gone. Called by one thread at a time. */
public interface TenantListener {
  /** There is a tenant. */
  void there(String tenant);

  /** The tenant has been deleted; one of its name may be made later. */
  void gone(String tenant);
}
