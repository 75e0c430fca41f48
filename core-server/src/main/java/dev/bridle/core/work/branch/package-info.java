/** Branches. */
package dev.bridle.core.work.branch;
