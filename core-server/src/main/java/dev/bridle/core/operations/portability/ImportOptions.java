package dev.bridle.core.operations.portability;

/**
 * How a file is imported.
 *
 * @param tenant the tenant to load into
 * @param takeOver whether live tasks go on here
 * @param keepWorkspaces whether workspaces of the file give way to those that are there
 */
record ImportOptions(String tenant, boolean takeOver, boolean keepWorkspaces) {}
