/** Checks of requests that their schema declares, and of the free-form JSON in them. */
package dev.bridle.core.kernel.validate;
