/** Resources that all workspaces of a tenant share: their storage, creation, changes and events. */
package dev.bridle.core.kernel.resource;
