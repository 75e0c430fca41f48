/** Artifacts and their content. */
package dev.bridle.core.work.artifact;
