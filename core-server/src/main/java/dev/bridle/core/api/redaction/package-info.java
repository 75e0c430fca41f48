/** The service of redactions. */
package dev.bridle.core.api.redaction;
