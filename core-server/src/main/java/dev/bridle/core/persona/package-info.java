/** Personas. */
package dev.bridle.core.persona;
