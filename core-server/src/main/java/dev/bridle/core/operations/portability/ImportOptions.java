package dev.bridle.core.operations.portability;

import dev.bridle.proof.key.KeySet;

/**
 * Options of an import.
 *
 * @param tenant the tenant to load into
 * @param takeOver whether live tasks continue here
 * @param keepWorkspaces whether existing workspaces are kept instead of those of the file
 * @param keys the keys that may have signed its receipts, beside those that are known here
 * @param unverified whether a file that does not verify is loaded, too
 */
record ImportOptions(
    String tenant, boolean takeOver, boolean keepWorkspaces, KeySet keys, boolean unverified) {}
