/** The service of workspaces and their files. */
package dev.bridle.core.api.workspace;
