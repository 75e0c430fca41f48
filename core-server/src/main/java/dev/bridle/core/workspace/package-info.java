/** Workspaces. */
package dev.bridle.core.workspace;
