/** Storage of branches. */
package dev.bridle.core.work.branch;
