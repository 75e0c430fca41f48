/** The service of outcomes. */
package dev.bridle.core.api.outcome;
