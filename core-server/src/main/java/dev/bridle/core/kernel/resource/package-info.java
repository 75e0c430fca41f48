/** Resources that all workspaces of a tenant share: how they are kept, made, changed and told. */
package dev.bridle.core.kernel.resource;
