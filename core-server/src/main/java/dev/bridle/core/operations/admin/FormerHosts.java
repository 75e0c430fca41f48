package dev.bridle.core.operations.admin;

/** What processes that hosted an agent in a folder of the machine have left when they ended. */
public interface FormerHosts {
  /**
   * Takes back the leases of such processes at once.
   *
   * @param tenant the tenant
   * @param workspace the folder's workspace
   * @param actor the actor of their workers
   */
  void takeBack(String tenant, String workspace, String actor);
}
