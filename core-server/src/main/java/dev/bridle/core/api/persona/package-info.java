/** The rules of personas. */
package dev.bridle.core.api.persona;
