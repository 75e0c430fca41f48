/** Branches. */
package dev.bridle.core.branch;
