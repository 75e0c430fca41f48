/** What every feature of the core is built over. */
package dev.bridle.core.kernel.context;
