/** Takes tenants, sessions and tasks out into files, and loads such files. */
package dev.bridle.core.operations.portability;
