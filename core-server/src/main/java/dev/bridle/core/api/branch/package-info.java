/** The service of branches. */
package dev.bridle.core.api.branch;
