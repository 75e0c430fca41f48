/**
 * The relay of HARP: exchanges between enforcers and approvers, and what waits for each of them.
 */
package dev.bridle.core.integrations.relay;
