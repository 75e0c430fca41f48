/** Skills. */
package dev.bridle.core.work.skill;
