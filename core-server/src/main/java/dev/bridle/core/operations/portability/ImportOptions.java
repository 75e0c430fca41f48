package dev.bridle.core.operations.portability;

/**
 * Options of an import.
 *
 * @param tenant the tenant to load into
 * @param takeOver whether live tasks continue here
 * @param keepWorkspaces whether existing workspaces are kept instead of those of the file
 */
record ImportOptions(String tenant, boolean takeOver, boolean keepWorkspaces) {}
