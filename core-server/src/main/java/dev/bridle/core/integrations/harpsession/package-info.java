/** The session layer of HARP: sessions of the core as HARP shows them, and those of other hosts. */
package dev.bridle.core.integrations.harpsession;
