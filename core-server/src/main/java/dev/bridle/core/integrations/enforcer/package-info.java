/**
 * The enforcer of HARP: asks the devices of approvers for signed decisions about permission
 * requests, and lets no other decision count as theirs.
 */
package dev.bridle.core.integrations.enforcer;
