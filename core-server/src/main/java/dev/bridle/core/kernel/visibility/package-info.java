/** Who may see content: projections that leave out what is not public, and commitments to it. */
package dev.bridle.core.kernel.visibility;
