/** Workspaces. */
package dev.bridle.core.work.workspace;
